import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../../src/client/client.ts';
import { ServiceError } from '../../../../src/client/errors.ts';
import type { Exchange } from '../../../../src/client/operations.ts';
import { predictAll } from '../../../../src/editor/many-series/forecast-set.ts';
import { Cancelled } from '../../../../src/editor/ui/say.ts';
import { Extension } from '../extension.ts';
import { until } from '../until.ts';

interface Job {
  readonly id: string;
  readonly input_series_id: string;
  readonly batch_id: string;
  status: string;
}

/** A service that forecasts a dataset of some series, as far as a test says, and notes what it is asked. */
class QueueingService {
  jobs: Job[] = [];
  readonly series: number;
  readonly asked: string[] = [];
  readonly #runs = new Map<string, string>();
  /** Done before the next look at what waits. */
  onLook: () => void = () => undefined;
  onCancel: () => void = () => undefined;
  onRead: () => void = () => undefined;
  /** What a request to forecast all is answered. */
  onQueue: (answer: object, key: string) => Promise<object> = (answer) => Promise.resolve(answer);

  constructor(series: number) {
    this.series = series;
  }

  /** As many of those that wait are done. */
  do(count: number): void {
    for (const job of this.jobs.filter(({ status }) => status === 'QUEUED').slice(0, count)) job.status = 'COMPLETED';
  }

  queue(key: string): { dataset_id: string; prediction_ids: string[]; batch_id: string } {
    const run = this.#runs.get(key) ?? `run${this.#runs.size}`;
    if (!this.#runs.has(key)) {
      for (let n = 0; n < this.series; n++)
        this.jobs.push({ id: `${run}-${n}`, input_series_id: `s${n}`, batch_id: run, status: 'QUEUED' });
    }
    this.#runs.set(key, run);
    const prediction_ids = Array.from({ length: this.series }, (_, n) => `${run}-${n}`);
    return { dataset_id: 'd', prediction_ids, batch_id: run };
  }

  readonly client = {
    capabilities: () => Promise.resolve({ of: () => ({ isRepeatable: true }) }),
    do: (name: string, { idempotencyKey = '', query }: Exchange): Promise<unknown> => {
      if (name === 'predictDataset') return this.onQueue(this.queue(idempotencyKey), idempotencyKey);
      assert.equal(name, 'cancelDatasetPredictions');
      this.asked.push('cancel');
      this.onCancel();
      const isMeant = (job: Job) => query?.batch_id === undefined || job.batch_id === query.batch_id;
      this.jobs = this.jobs.filter((job) => job.status !== 'QUEUED' || !isMeant(job));
      return Promise.resolve();
    },
    listDatasetPredictions: (_id: string, { status, batchId }: { status?: string; batchId?: string }) => {
      const isMeant = (job: Job) => batchId === undefined || job.batch_id === batchId;
      try {
        if (status === undefined) this.onRead();
        else this.onLook();
      } catch (error) {
        return Promise.reject(error as Error);
      }
      const items = this.jobs.filter((job) => (status === undefined || job.status === status) && isMeant(job));
      return Promise.resolve({ items: items.toReversed(), total: items.length });
    },
  };
}

const away = (): never => {
  throw new ServiceError('unreachable', 'The service is away.');
};

describe('forecasting all series of a dataset', () => {
  const extension = new Extension();

  function begin(service: QueueingService) {
    const { app } = extension;
    const session = { ...app.connection.inUse, client: service.client as unknown as ServiceClient };
    const stop = new AbortController();
    const working = predictAll(
      app,
      session,
      { id: 'd', label: 'shops.csv' },
      { signal: stop.signal, report: () => undefined },
    );
    return { working, stop };
  }

  /** A run of 5 of which 2 are done when it is stopped, beside one of another window. */
  async function stopped(service: QueueingService) {
    service.queue('of another window');
    const { working, stop } = begin(service);
    let looks = 0;
    service.onLook = () => {
      if (looks++ > 0) return;
      for (const job of service.jobs) if (/^run1-[01]$/.test(job.id)) job.status = 'COMPLETED';
      stop.abort(new Cancelled());
    };
    return working;
  }

  it('cancels only its own predictions when stopped', async () => {
    const service = new QueueingService(5);
    const set = await stopped(service);
    assert.equal(set.shortfall, 'Stopped. 2 of 5 series of shops.csv were forecast; these forecasts are kept.');
    assert.equal(service.jobs.filter(({ id }) => id.startsWith('run0')).length, 5);
    assert.deepEqual(service.asked, ['cancel']);
  });

  it('ends with its own predictions, whatever others of the dataset wait', async () => {
    const service = new QueueingService(3);
    const { working } = begin(service);
    await Promise.resolve();
    service.queue('of another window');
    service.onLook = () => {
      for (const job of service.jobs) if (job.id.startsWith('run0')) job.status = 'COMPLETED';
    };
    const { predictions, shortfall } = await working;
    assert.deepEqual([predictions.length, shortfall], [3, undefined]);
  });

  it('reports forecasts that others deleted', async () => {
    const service = new QueueingService(5);
    service.onLook = () => {
      service.do(3);
      service.jobs = service.jobs.filter(({ status }) => status === 'COMPLETED');
    };
    const set = await begin(service).working;
    assert.match(
      set.shortfall ?? '',
      /^3 of 5 series of shops\.csv were forecast; these forecasts are kept\. The other.* elsewhere\.$/,
    );
    service.onLook = () => {
      service.jobs = [];
    };
    await assert.rejects(begin(service).working, /^ServiceError: 0 of 5 series of shops\.csv .* elsewhere\.$/);
  });

  it('keeps finished results on failure, cancels the rest and reports both', async () => {
    const service = new QueueingService(5);
    service.onLook = () => {
      service.do(2);
      away();
    };
    const set = await begin(service).working;
    assert.deepEqual(
      set.predictions.map(({ id }) => id),
      ['run0-0', 'run0-1'],
    );
    assert.equal(
      set.shortfall,
      '2 of 5 series of shops.csv were forecast; these forecasts are kept. The others were not: The service is away.',
    );
    assert.equal(service.jobs.length, 2);
  });

  it('reports that the batch may still run if it cannot be cancelled', async () => {
    const service = new QueueingService(5);
    service.onLook = () => {
      service.do(2);
      away();
    };
    service.onCancel = away;
    const set = await begin(service).working;
    assert.match(set.shortfall ?? '', /^2 of 5 .* The service is away\. Waiting forecasts .* may still run/);
    service.onRead = away;
    await assert.rejects(
      begin(service).working,
      /^ServiceError: The service is away\. Waiting forecasts .* may still run/,
    );
  });

  it('reads results once more after a failure, without a message if all are there', async () => {
    const service = new QueueingService(4);
    service.onLook = () => {
      service.do(9);
    };
    let reads = 0;
    service.onRead = () => {
      if (reads++ === 0) away();
    };
    const { predictions, shortfall } = await begin(service).working;
    assert.deepEqual([predictions.length, shortfall], [4, undefined]);
  });

  it('does not report a stop if all were done', async () => {
    const service = new QueueingService(4);
    const { working, stop } = begin(service);
    let looks = 0;
    service.onLook = () => {
      if (looks++ > 0) return;
      service.do(3);
      service.jobs.at(-1)!.status = 'FAILED';
      stop.abort(new Cancelled());
    };
    const { predictions, shortfall } = await working;
    assert.deepEqual([predictions.length, shortfall], [4, undefined]);
  });

  it('cancels queued predictions although the answer was lost', async () => {
    const service = new QueueingService(3);
    service.queue('of another window');
    const lost = Promise.withResolvers<never>();
    const keys: string[] = [];
    service.onQueue = (answer, key) => {
      keys.push(key);
      return keys.length === 1 ? lost.promise : Promise.resolve(answer);
    };
    const { working, stop } = begin(service);
    stop.abort(new Cancelled());
    await assert.rejects(working, Cancelled);
    lost.reject(new ServiceError('timeout', 'Too late.', { outcomeUnknown: true }));
    await until(() => service.asked.length, Boolean);
    assert.equal(keys[0], keys[1]);
    assert.deepEqual(
      service.jobs.map(({ id }) => id),
      ['run0-0', 'run0-1', 'run0-2'],
    );
  });

  it('does not stop the batch of another window at the local service', async () => {
    const { app } = extension;
    const session = await app.connection.ready();
    const { client } = session;
    const points = Array.from({ length: 40 }, (_, month) => ({
      timestamp: new Date(Date.UTC(2020, month)).toISOString(),
      value: 100 + ((month * 37) % 12),
    }));
    const series = Array.from({ length: 60 }, (_, index) => ({ name: `s${index}`, series: points }));
    const { id } = await client.do('createDataset', { body: { name: 'stores.csv', series } });
    const begun = (signal: AbortSignal) =>
      predictAll(app, session, { id, label: 'stores.csv' }, { signal, report: () => undefined });
    const stop = new AbortController();
    const first = begun(stop.signal);
    await until(async () => (await client.listDatasetPredictions(id, { status: 'COMPLETED', size: 1 })).total, Boolean);
    const second = begun(new AbortController().signal);
    await until(async () => ((await client.listDatasetPredictions(id, { size: 1 })).total ?? 0) > 60, Boolean);
    stop.abort(new Cancelled());
    await first;
    const { predictions, shortfall } = await second;
    assert.deepEqual([predictions.length, shortfall], [60, undefined]);
    assert.ok(predictions.every(({ status }) => status === 'COMPLETED'));
  });
});
