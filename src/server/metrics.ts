import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type Operation, operations } from '../contract/operations.ts';
import type { Waiting } from '../service/jobs/engine.ts';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']);
const ROUTES = Object.values(operations as Record<string, Operation>).map(({ path }) => ({
  path,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace('{id}', '[^/]*')}$`),
}));

/** The path of the interface that a path of a request stands for, without ids: there are as many as there are operations. */
export function routeOf(pathname: string): string {
  if (/^\/(openapi\.json|metrics|health\/(live|ready))$/.test(pathname)) return pathname;
  return ROUTES.find(({ pattern }) => pattern.test(pathname))?.path ?? 'other';
}

/** Waits for the store no longer than who reads the figures does, which is ten seconds. */
export async function soon<T>(promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(reject, 2_000, new Error('The store does not answer.'));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Metrics for Prometheus. Labels have few values each: no ids, no names, no tokens. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Histogram({
    name: 'forecasts_http_request_duration_seconds',
    help: 'Time from a request to the start of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [this.#registry],
  });
  readonly #underWay = this.#gauge('forecasts_http_requests_under_way', 'Open requests');
  readonly #jobs = new Histogram({
    name: 'forecasts_job_duration_seconds',
    help: 'Run time of a job in this process',
    labelNames: ['kind', 'outcome'],
    buckets: [...SECONDS, 300, 1800],
    registers: [this.#registry],
  });
  readonly #series = new Counter({
    name: 'forecasts_series_total',
    help: 'Series forecast in this process',
    registers: [this.#registry],
  });
  readonly #depth = this.#gauge('forecasts_queue_jobs', 'Queued jobs in the store, for all processes', 'lane');
  readonly #age = this.#gauge('forecasts_queue_oldest_age_seconds', 'Age of the oldest queued job', 'lane');
  readonly #storeUp = this.#gauge('forecasts_store_up', '1 if the store answers, else 0');
  readonly #waiting: () => Promise<readonly Waiting[]>;

  /** @param waiting is asked of the store when Prometheus asks; where it fails, the answer has the rest */
  constructor(waiting: () => Promise<readonly Waiting[]>) {
    this.#waiting = waiting;
    collectDefaultMetrics({ register: this.#registry });
  }

  #gauge(name: string, help: string, ...labelNames: readonly string[]): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.#registry] });
  }

  began(): void {
    this.#underWay.inc();
  }

  /** @param status 0 where there was no answer */
  answered(method: string, route: string, status: number, seconds: number): void {
    this.#underWay.dec();
    const known = METHODS.has(method) ? method : 'other';
    this.#requests.observe({ method: known, route, status: String(status) }, seconds);
  }

  ended(kind: string, outcome: 'completed' | 'failed', seconds: number): void {
    this.#jobs.observe({ kind, outcome }, seconds);
    if (outcome === 'completed' && kind.endsWith('prediction')) this.#series.inc();
  }

  async answer(): Promise<Response> {
    this.#depth.reset();
    this.#age.reset();
    const waiting = await soon(this.#waiting()).catch(() => undefined);
    this.#storeUp.set(waiting ? 1 : 0);
    for (const { lane, jobs, age } of waiting ?? []) {
      this.#depth.set({ lane }, jobs);
      this.#age.set({ lane }, age);
    }
    return new Response(await this.#registry.metrics(), { headers: { 'content-type': this.#registry.contentType } });
  }
}
