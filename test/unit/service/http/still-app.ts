/** The routes over a store in memory, on which no job is ever done: what is asked for stays as it was stored. */
import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { RequestBodies } from '../../../../src/service/http/request-bodies.ts';
import { createApp } from '../../../../src/service/http/routes.ts';
import { EmbeddedEngine, openEmbedded } from '../../../../src/service/jobs/embedded.ts';
import { Threads } from '../../../../src/service/tasks/pool.ts';
import { type Kinds, Queue } from '../../../../src/service/jobs/queue.ts';
import type { Store } from '../../../../src/service/database/store.ts';
import { openDatabase, sqliteStore } from '../../../../src/service/database/sqlite.ts';
import { Datasets } from '../../../../src/service/store/datasets.ts';
import { newToken } from '../../../../src/service/store/token.ts';
import { Keys } from '../../../../src/service/store/keys.ts';
import { Models } from '../../../../src/service/resources/models.ts';
import { Predictions } from '../../../../src/service/resources/predictions.ts';
import { Maintenance } from '../../../../src/service/store/maintenance.ts';

export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

interface Init {
  readonly as?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** A queue whose jobs nobody does. */
function still({ db }: Store, report: (error: unknown) => void): Queue {
  const engine = new EmbeddedEngine(db, 'nobody', report);
  return new Queue(engine, db, report, false);
}

/** One for each test of a suite; a report of a defect fails the test. */
export class StillApp {
  readonly token = newToken();
  database!: DatabaseSync;
  #fetch!: (request: Request) => Promise<Response>;

  /** @param kinds of jobs that are done after all */
  constructor(kinds?: (app: StillApp) => Kinds) {
    let end: () => Promise<void>;
    let reports: unknown[];
    beforeEach(async () => {
      reports = [];
      const report = (error: unknown) => reports.push(error);
      this.database = await openDatabase(':memory:');
      const store = sqliteStore(this.database);
      const threads = new Threads('none', 1);
      const datasets = new Datasets(store);
      const models = new Models(store);
      const predictions = new Predictions(store);
      const keys = await Keys.open(store, this.token);
      const queue = kinds ? await openEmbedded(store.db, kinds(this), { threads: 1, report }) : still(store, report);
      const maintenance = new Maintenance({ store, report });
      const closing = AbortSignal.any([]);
      this.#fetch = createApp(
        { keys, datasets, models, predictions, queue, maintenance, threads, closing },
        new RequestBodies(threads),
        report,
      );
      end = async () => {
        await queue.close();
        await maintenance.close();
        await store.close();
      };
    });
    afterEach(async () => {
      await end();
      assert.deepEqual(reports, []);
    });
  }

  /** @param body JSON, or a text that is sent as it is */
  readonly call = async <T>(
    method: string,
    path: string,
    body?: object | string,
    { as = this.token, headers = {}, signal }: Init = {},
  ): Promise<Answer<T>> => {
    const response = await this.#fetch(
      new Request(`http://local${path}`, {
        method,
        headers: { authorization: `Bearer ${as}`, ...headers },
        body: typeof body === 'object' ? JSON.stringify(body) : body,
        signal,
      }),
    );
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : undefined) as T };
  };

  /** The numbers of a query's rows. */
  count(table: string): number {
    return Number(this.database.prepare(`select count(*) n from ${table}`).get()?.n);
  }
}
