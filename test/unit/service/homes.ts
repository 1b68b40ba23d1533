/** The homes of the store, for suites that run on each: a file of SQLite with the embedded queue, PostgreSQL with workers. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openClusterService, openWorker } from '../../../src/server/cluster.ts';
import { openService, type Service } from '../../../src/service/host/service.ts';
import { newToken } from '../../../src/service/store/token.ts';
import { startPostgres } from '../../harness/postgres.ts';
import { threads } from '../threads.ts';

export const token = newToken();

export interface Running {
  readonly service: Service;
  /** Compute threads begin no task from now on, until they are released. */
  hold(): void;
  release(): void;
  /** Ends the service, and starts it anew. */
  restart(): Promise<void>;
  end(): Promise<void>;
}

type Report = (error: unknown) => void;

/** The program of a compute thread behind a gate, which is closed while its file exists. */
function gatedThread(folder: string) {
  const file = join(folder, 'gate');
  const gate = new URL('gate.ts', import.meta.url);
  gate.searchParams.set('file', file);
  const program = [gate, threads.engine].map(({ href }) => `import ${JSON.stringify(href)};`).join('\n');
  return {
    computeScript: new URL(`data:text/javascript,${encodeURIComponent(program)}`),
    gate: {
      hold: () => {
        writeFileSync(file, '');
      },
      release: () => {
        rmSync(file, { force: true });
      },
    },
  };
}

const homes: Readonly<Record<string, (report: Report) => Promise<Running>>> = {
  SQLite: async (report) => {
    const folder = mkdtempSync(join(tmpdir(), 'forecasts-store-'));
    const { computeScript, gate } = gatedThread(folder);
    const open = () => openService({ folder, token, computeScript, report });
    let service = await open();
    return {
      ...gate,
      get service() {
        return service;
      },
      restart: async () => {
        await service.close();
        service = await open();
      },
      end: async () => {
        await service.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
  PostgreSQL: async (report) => {
    const postgres = await startPostgres();
    const database = await postgres.database();
    const folder = mkdtempSync(join(tmpdir(), 'forecasts-gate-'));
    const { computeScript, gate } = gatedThread(folder);
    const open = () => openClusterService({ database, token, computeScript, report });
    let service = await open();
    const worker = await openWorker({ database, computeScript, threads: 2, report });
    return {
      ...gate,
      get service() {
        return service;
      },
      restart: async () => {
        await service.close();
        service = await open();
      },
      end: async () => {
        await Promise.all([service.close(), worker.close()]);
        await postgres.remove();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

/** These tests on each store. @param tests get what the service runs as, once it does */
export function onEachHome(tests: (running: () => Running) => void): void {
  for (const [name, start] of Object.entries(homes)) {
    describe(`service on ${name}`, () => {
      const reports: unknown[] = [];
      let running: Running;
      before(async function () {
        this.timeout(60_000);
        running = await start((error) => reports.push(error));
      });
      afterEach(() => {
        running.release();
      });
      after(async () => {
        await running.end();
        assert.deepEqual(reports, []);
      });
      tests(() => running);
    });
  }
}

/** Calls the service. */
export const callOf =
  (running: () => Running) =>
  async <T>(
    method: string,
    path: string,
    body?: object,
    as = token,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ) => {
    const response = await running().service.fetch(
      new Request(`http://local${path}`, {
        method,
        headers: { authorization: `Bearer ${as}`, ...headers },
        body: body && JSON.stringify(body),
        signal,
      }),
    );
    const text = await response.text();
    return { status: response.status, body: (text ? JSON.parse(text) : undefined) as T };
  };
