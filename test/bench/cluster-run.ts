/** What `bench:cluster` measures of one service: series that go in as streams, are forecast, and are read again. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Served } from '../faults/served.ts';
import { mostMegabytes, processorSeconds } from './processes.ts';

/** Series of one dataset. */
export const TOGETHER = 10_000;
/** Requests whose time is taken, of each kind of list. */
const LISTS = 100;

export interface Latencies {
  readonly p50: number;
  readonly p99: number;
  /** How many there were. */
  readonly of: number;
}

export interface Run {
  readonly seriesPerSecond: number;
  /** Series that were done; fewer than were asked for where the time was over. */
  readonly done: number;
  /** Stored by streams, series a second. */
  readonly storedPerSecond: number;
  /** Forecasts of a dataset that were read as a stream when all was done, a second. */
  readonly readPerSecond?: number;
  /** A forecast that failed, or is missing when all are done. */
  readonly faults?: readonly string[];
  /** Most memory of each process, in MB. */
  readonly megabytes: Readonly<Record<string, number>>;
  /** Processor time of the database, of all that was taken; 0 to 1. */
  readonly databaseShare?: number;
  /** Of reading one prediction, and a list of 20, while the forecasts are made, in milliseconds. */
  readonly reading: { readonly prediction: Latencies; readonly list: Latencies };
  /** Of single forecasts meanwhile, one after the other, from the request to the forecast, in milliseconds. */
  readonly singles: Latencies;
}

export interface Asked {
  readonly series: number;
  readonly model: string;
  /** When it is to have ended (`performance.now()`). */
  readonly until: number;
  /** Process ids by names. */
  readonly programs: Readonly<Record<string, number>>;
  /** Processor time of the database so far. */
  readonly databaseSeconds?: () => number;
}

export function latencies(all: readonly number[]): Latencies {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number) => Number((sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(1));
  return { p50: at(0.5), p99: at(0.99), of: all.length };
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

const pointsOf = (id: number) =>
  Array.from({ length: 60 }, (_, month) => {
    const noise = ((id * 7919 + month * 104_729) % 997) / 997;
    return {
      timestamp: new Date(Date.UTC(2019, month, 1)).toISOString(),
      value: Number((100 + (id % 50) + month * 0.3 + 12 * Math.sin((month * Math.PI) / 6) + 9 * noise).toFixed(2)),
    };
  });

const lineOf = (id: number): string => `${JSON.stringify({ id: `s${id}`, name: `s${id}`, series: pointsOf(id) })}\n`;

/** @throws Error where the service does not take it */
async function streamed(served: Served, where: string, body?: ReadableStream<Uint8Array>): Promise<Response> {
  const response = await fetch(served.url + where, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${served.token}`, 'content-type': 'application/x-ndjson' },
    ...(body && { body, duplex: 'half' }),
  });
  if (!response.ok) throw new Error(`${where} answers ${response.status}: ${await response.text()}`);
  return response;
}

/** @returns the ids of the datasets */
async function store(served: Served, count: number): Promise<string[]> {
  const datasets: string[] = [];
  const encoder = new TextEncoder();
  for (let from = 0; from < count; from += TOGETHER) {
    const { body: made } = await served.call<{ id: string }>('POST', '/datasets', { name: `from ${from}` });
    const end = Math.min(count, from + TOGETHER);
    let next = from;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      let lines = '';
      for (const to = Math.min(end, next + 50); next < to; next++) lines += lineOf(next);
      if (lines === '') controller.close();
      else controller.enqueue(encoder.encode(lines));
    };
    const answer = await streamed(served, `/datasets/${made.id}/series`, new ReadableStream<Uint8Array>({ pull }));
    const { stored } = (await answer.json()) as { stored: number };
    if (stored !== end - from) throw new Error(`Of ${end - from} series ${stored} were stored.`);
    datasets.push(made.id);
  }
  return datasets;
}

/** How many predictions of these datasets are not done. */
async function pendingOf(served: Served, datasets: readonly string[]): Promise<number> {
  let pending = 0;
  for (const id of datasets) {
    for (const status of ['QUEUED', 'IN_PROGRESS']) {
      const query = `size=1&include_series=false&dataset_id=${id}&status=${status}`;
      pending += (await served.call<{ total: number }>('GET', `/predictions?${query}`)).body.total;
    }
  }
  return pending;
}

/** Times of single forecasts, again and again until this is told to end. @throws Error where one is not made */
async function singlesUntil(served: Served, model: string, ending: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!ending.aborted) {
    const request = { ai_model_id: model, series: pointsOf(times.length) };
    const from = performance.now();
    const { body } = await served.call<{ status?: string }>('POST', '/predictions', request);
    if (body.status !== 'COMPLETED') throw new Error(`A single forecast is not made: ${JSON.stringify(body)}`);
    times.push(performance.now() - from);
    await sleep(100);
  }
  return times;
}

/** What is wrong besides figures that were measured. */
class Faults {
  readonly said: string[] = [];

  async of<T>(work: Promise<T>, instead: T): Promise<T> {
    try {
      return await work;
    } catch (error) {
      this.said.push(error instanceof Error ? error.message : String(error));
      return instead;
    }
  }
}

/** @throws Error where nothing can be measured */
export async function run(served: Served, asked: Asked): Promise<Run> {
  const { series, model, until, programs, databaseSeconds } = asked;
  let datasets: string[] = [];
  const storing = await timed(async () => (datasets = await store(served, series)));
  const ours = () => Object.values(programs).reduce((sum, pid) => sum + processorSeconds(pid), 0);
  const [before, databaseBefore] = [ours(), databaseSeconds?.() ?? 0];
  const times = { prediction: [] as number[], list: [] as number[] };
  const faults = new Faults();
  let singles: number[] = [];
  let pending = series;
  const computing = await timed(async () => {
    let some = '';
    for (const id of datasets) {
      const request = { ai_model_id: model };
      const { body } = await served.call<{ prediction_ids: string[] }>('POST', `/datasets/${id}/predictions`, request);
      some = body.prediction_ids[0];
    }
    const waiting = [...datasets];
    const ending = new AbortController();
    const asking = singlesUntil(served, model, ending.signal);
    asking.catch(() => undefined);
    while (waiting.length > 0 && performance.now() < until) {
      times.prediction.push(await timed(() => served.call('GET', `/predictions/${some}`)));
      times.list.push(await timed(() => served.call('GET', '/predictions?size=20&include_series=false')));
      // the datasets are done in their turn
      if ((await pendingOf(served, [waiting[0]])) === 0) waiting.shift();
      else await sleep(100);
    }
    pending = await pendingOf(served, waiting);
    ending.abort();
    singles = await faults.of(asking, []);
  });
  const [taken, databaseTaken] = [ours() - before, (databaseSeconds?.() ?? 0) - databaseBefore];
  const readPerSecond = await faults.of(
    (async () => {
      const failed = await served.call<{ items: unknown[] }>('GET', '/predictions?size=1&status=FAILED');
      if (failed.body.items.length > 0) throw new Error(`A forecast failed: ${JSON.stringify(failed.body.items[0])}`);
      return pending > 0 ? undefined : await readAgain(served, datasets[0], Math.min(series, TOGETHER));
    })(),
    undefined,
  );
  return {
    seriesPerSecond: Number((((series - pending) / computing) * 1000).toFixed(1)),
    done: series - pending,
    storedPerSecond: Math.round((series / storing) * 1000),
    ...(readPerSecond !== undefined && { readPerSecond }),
    megabytes: Object.fromEntries(
      Object.entries(programs).map(([name, pid]) => [name, Math.round(mostMegabytes(pid))]),
    ),
    ...(databaseSeconds && { databaseShare: Number((databaseTaken / (databaseTaken + taken)).toFixed(3)) }),
    reading: { prediction: latencies(times.prediction), list: latencies(times.list) },
    singles: latencies(singles),
    ...(faults.said.length > 0 && { faults: faults.said }),
  };
}

async function readAgain(served: Served, dataset: string, wanted: number): Promise<number> {
  let done = 0;
  const took = await timed(async () => {
    const { body } = await streamed(served, `/datasets/${dataset}/forecasts.ndjson`);
    let rest = '';
    for await (const part of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      const lines = (rest + part).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const { status, prediction_series } = JSON.parse(line) as { status: string; prediction_series?: unknown[] };
        if (status === 'COMPLETED' && prediction_series?.length) done++;
      }
    }
  });
  if (done !== wanted) throw new Error(`Of ${wanted} forecasts ${done} are there.`);
  return Math.round((done / took) * 1000);
}

/** Latencies of pages of 50 where so many predictions are stored: the first, by status, by dataset, and in their midst. */
export async function listsOf(served: Served, database: string, most: number): Promise<Record<string, Latencies>> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    await client.query(`set forecasts.tenants = 'all'`);
    const { rows } = await client.query<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_schema = 'public' and table_name = 'predictions' and column_name not in ('seq', 'id')`,
    );
    const columns = rows.map(({ name }) => name).join(', ');
    await client.query(
      `insert into predictions (id, ${columns}) select 'prediction_listed' || n, ${columns}
       from (select * from predictions where status = 'COMPLETED' order by seq limit 1) one, generate_series(1, $1) n`,
      [most],
    );
    // as it does by itself within a minute
    await client.query('vacuum analyze predictions');
  } finally {
    await client.end();
  }
  const { body } = await served.call<{ items: { id: string }[] }>('GET', '/datasets?size=1');
  const kinds = { first: '', completed: '&status=COMPLETED', dataset: `&dataset_id=${body.items[0].id}`, onwards: '' };
  const times: Record<string, number[]> = { first: [], completed: [], dataset: [], onwards: [] };
  let cursor = '';
  for (let n = 0; n < LISTS; n++) {
    for (const [kind, filter] of Object.entries(kinds)) {
      const query = `include_series=false&size=50${filter}${kind === 'onwards' ? cursor : ''}`;
      const from = performance.now();
      const { body } = await served.call<{ next_page: string }>('GET', `/predictions?${query}`);
      times[kind].push(performance.now() - from);
      if (kind === 'onwards') cursor = `&cursor=${body.next_page}`;
    }
  }
  return {
    all: latencies(Object.values(times).flat()),
    ...Object.fromEntries(Object.entries(times).map(([kind, some]) => [kind, latencies(some)])),
  };
}
