import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServiceThread } from '../../../src/service/host/service-thread.ts';
import { newToken } from '../../../src/service/store/token.ts';
import { openService, type Service, type ServiceOptions } from '../../../src/service/host/service.ts';
import { threads } from '../threads.ts';

/** 60 months with a trend and a yearly season. */
export const monthly = Array.from({ length: 60 }, (_, month) => ({
  timestamp: new Date(Date.UTC(2019, month, 1)).toISOString(),
  value: 100 + month + 20 * Math.sin((month * Math.PI) / 6),
}));

/** A compute thread that begins all tasks and ends none. */
export const endless = new URL(
  `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => undefined);`)}`,
);

/** A local service for the tests of a suite, each with an empty folder; a report of a defect fails the test. */
export class LocalService {
  readonly token = newToken();
  readonly #reports: unknown[] = [];
  service!: Service;
  folder!: string;

  constructor() {
    beforeEach(async () => {
      this.folder = mkdtempSync(join(tmpdir(), 'forecasts-service-'));
      this.service = await this.open();
    });
    afterEach(async () => {
      await this.service.close();
      rmSync(this.folder, { recursive: true, force: true });
      assert.deepEqual(this.#reports.splice(0), []);
    });
  }

  /** One more service over the same folder. */
  open(options: Partial<ServiceOptions> = {}): Promise<Service> {
    const { folder, token } = this;
    return openService({
      folder,
      token,
      computeScript: threads.engine,
      report: (error) => this.#reports.push(error),
      ...options,
    });
  }

  /** Another program over the same folder. It has a thread of its own, since one that waits for the store stops its thread. */
  program(): ServiceThread {
    const { folder, token } = this;
    const data = { folder, token, computeScript: fileURLToPath(threads.engine), keepDays: 0 };
    return new ServiceThread(threads.service, () => Promise.resolve(data), (text) => this.#reports.push(text)); // prettier-ignore
  }

  async restart(options?: Partial<ServiceOptions>): Promise<void> {
    await this.service.close();
    this.service = await this.open(options);
  }

  readonly call = async <T>(
    method: string,
    path: string,
    body?: unknown,
    as = this.token,
  ): Promise<{ status: number; body: T }> => {
    const response = await this.service.fetch(
      new Request(`http://local${path}`, {
        method,
        headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
        body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      }),
    );
    const text = await response.text();
    return { status: response.status, body: (text ? JSON.parse(text) : undefined) as T };
  };
}
