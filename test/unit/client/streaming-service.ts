import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseBaseUrl } from '../../../src/client/address.ts';
import { ServiceClient } from '../../../src/client/client.ts';

/** What a request is met with instead of an answer. */
export type Mishap =
  | 'cut before it is stored'
  | 'cut after it is stored'
  | 'the last line is passed over'
  | 'no answer'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

interface Line {
  readonly id?: string;
  readonly name: string;
  readonly series: readonly unknown[];
}

interface Dataset {
  readonly id: string;
  fields: Readonly<Record<string, unknown>>;
  /** By their own ids; the newest last. */
  readonly lines: Map<string, Line>;
}

const TOO_LARGE = '<html><h1>413 Request Entity Too Large</h1></html>';

/** What a service announces. */
interface Announced {
  readonly fingerprints?: boolean;
  readonly ids?: boolean;
  readonly deletion?: boolean;
  readonly needsSeries?: boolean;
  readonly type?: string;
}

/**
 * A service that takes series as streams, at an address of this machine, and what may happen to its requests. It refuses
 * whatever it does not know.
 */
export class StreamingService {
  readonly datasets = new Map<string, Dataset>();
  /** Idempotency keys of the requests with series, as they came, and how many lines each had. */
  readonly keys: string[] = [];
  readonly counts: number[] = [];
  /** What becomes of the next requests with series; none where absent. */
  readonly mishaps: (Mishap | undefined)[] = [];
  /** Waits of the client before it sends again, in milliseconds. */
  readonly sleeps: number[] = [];
  /** Larger bodies with series are refused with 413, in bytes. */
  most = Infinity;
  /** The body of the stream of forecasts, in pieces; it breaks off where it ends with `undefined`. */
  forecasts: readonly (string | Uint8Array | undefined)[] = [];
  forecastsType = 'application/x-ndjson';
  announced: Announced = {};
  client!: ServiceClient;
  readonly #server: Server = createServer((request, response) => {
    void this.#serve(request, response);
  });
  readonly #answered = new Map<string, string>();
  #onSeries: ((count: number) => void) | undefined;

  constructor() {
    before(() => new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve)));
    beforeEach(() => {
      this.datasets.clear();
      this.#answered.clear();
      for (const list of [this.keys, this.counts, this.mishaps, this.sleeps]) list.length = 0;
      Object.assign(this, { most: Infinity, forecasts: [], forecastsType: 'application/x-ndjson', announced: {} });
      this.#onSeries = undefined;
      const { port } = this.#server.address() as AddressInfo;
      this.client = new ServiceClient({
        baseUrl: parseBaseUrl(`http://127.0.0.1:${port}/`),
        fetch: (input, init) => fetch(input, init),
        token: () => Promise.resolve('a-token'),
        sleep: (ms) => {
          this.sleeps.push(ms);
          return Promise.resolve();
        },
      });
    });
    after(() => {
      this.#server.closeAllConnections();
      this.#server.close();
    });
  }

  /** Told of each request with series once it came, before it is stored. */
  onSeries(reported: (count: number) => void): void {
    this.#onSeries = reported;
  }

  /** The one dataset there is. */
  get only(): Dataset {
    assert.equal(this.datasets.size, 1);
    return [...this.datasets.values()][0];
  }

  /** Names of its series as a list gives them: the newest first. */
  get names(): string[] {
    return [...this.only.lines.values()].map(({ name }) => name).reverse();
  }

  get #description() {
    const { fingerprints = true, ids = true, deletion = true, needsSeries = false } = this.announced;
    const { type = 'application/x-ndjson' } = this.announced;
    const text = { type: 'string' };
    const fields = { name: text, tags: { type: 'array' }, for_job: {}, series: {} };
    const line = { ...(ids ? { id: text } : {}), name: text, series: { type: 'array' } };
    const key = { parameters: [{ name: 'Idempotency-Key', in: 'header', schema: text }] };
    const json = (schema: object) => ({ content: { 'application/json': { schema } } });
    const dataset = {
      properties: { ...fields, ...(fingerprints ? { fingerprint: text } : {}) },
      ...(needsSeries ? { required: ['series'] } : {}),
    };
    return {
      openapi: '3.1.0',
      paths: {
        '/datasets': { get: {}, post: { ...key, requestBody: json(dataset) } },
        '/datasets/{dataset_id}': { get: {}, ...(deletion ? { delete: {} } : {}) },
        '/datasets/{dataset_id}/series': {
          post: { ...key, requestBody: { content: { [type]: { schema: { properties: line } } } } },
        },
        '/datasets/{dataset_id}/forecasts.ndjson': {
          get: { responses: { 200: { content: { 'application/x-ndjson': {} } } } },
        },
      },
    };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const say = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const type = text.startsWith('<') ? 'text/html' : 'application/json';
      response.writeHead(status, { 'content-type': type, ...headers }).end(status === 204 ? undefined : text);
    };
    const { method = '', url = '', headers } = request;
    if (url === '/openapi.json') {
      say(200, this.#description);
      return;
    }
    assert.equal(headers.authorization, 'Bearer a-token');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const [, , id = '', below] = url.split('/');
    const dataset = this.datasets.get(id);
    if (method === 'POST' && url === '/datasets') {
      if (text.includes('"series":') && text.length > this.most) say(413, TOO_LARGE);
      else say(201, this.#begun(text));
    } else if (!dataset) say(404, { detail: 'No such dataset is stored.' });
    else if (method === 'GET' && below === undefined) say(200, this.#answer(dataset));
    else if (method === 'DELETE' && this.announced.deletion !== false) {
      this.datasets.delete(id);
      say(204, '');
    } else if (method === 'GET' && below === 'forecasts.ndjson') await this.#stream(response);
    else if (method === 'POST' && below === 'series') this.#add(dataset, request, text, say, response);
    else say(405, { detail: 'Method Not Allowed' });
  }

  #begun(text: string) {
    const { series, ...fields } = JSON.parse(text) as Record<string, unknown> & { series?: Line[] };
    const known = [...this.datasets.values()].find(
      (one) =>
        fields.fingerprint !== undefined &&
        one.fields.fingerprint === fields.fingerprint &&
        (fields.for_job === true || one.fields.for_job === true),
    );
    if (known && fields.for_job !== true) known.fields = fields;
    const dataset = known ?? { id: randomUUID(), fields, lines: new Map<string, Line>() };
    for (const [n, line] of (series ?? []).toReversed().entries()) dataset.lines.set(`${n}`, line);
    this.datasets.set(dataset.id, dataset);
    return this.#answer(dataset);
  }

  #answer({ id, fields: { name, for_job }, lines }: Dataset) {
    return { id, name, tags: [], for_job, series_count: lines.size };
  }

  #add(
    { id, lines }: Dataset,
    { headers }: IncomingMessage,
    text: string,
    say: (status: number, body: unknown, headers?: Readonly<Record<string, string>>) => void,
    response: ServerResponse,
  ): void {
    const given = text.split('\n').filter((line) => line !== '');
    const key = String(headers['idempotency-key']);
    this.keys.push(key);
    this.counts.push(given.length);
    this.#onSeries?.(given.length);
    const mishap = this.mishaps.shift();
    if (headers['content-type'] !== 'application/x-ndjson') say(415, { detail: 'NDJSON, please.' });
    else if (text.length > this.most) say(413, TOO_LARGE);
    else if (mishap === 'cut before it is stored') response.destroy();
    else if (mishap === 'no answer') return;
    else if (typeof mishap === 'object') say(mishap.status, mishap.body ?? { detail: 'Not now.' }, mishap.headers);
    else {
      const before = this.#answered.get(key);
      const answer = before ?? this.#stored(id, lines, given, mishap);
      this.#answered.set(key, answer);
      if (mishap === 'cut after it is stored') response.destroy();
      else say(201, answer);
    }
  }

  #stored(id: string, lines: Map<string, Line>, given: readonly string[], mishap: Mishap | undefined): string {
    let [stored, unchanged] = [0, 0];
    const faults: { line: number; id?: string; error: string }[] = [];
    const taken = mishap === 'the last line is passed over' ? given.slice(0, -1) : given;
    for (const [n, text] of taken.entries()) {
      const line = JSON.parse(text) as Line;
      const known = this.announced.ids === false ? ['name', 'series'] : ['id', 'name', 'series'];
      assert.deepEqual(Object.keys(line).toSorted(), known.toSorted());
      const own = line.id ?? randomUUID();
      const other = lines.get(own);
      if (line.name.startsWith('bad') || (other && JSON.stringify(other) !== text)) {
        faults.push({ line: n + 1, ...(line.id === undefined ? {} : { id: line.id }), error: 'It cannot be read.' });
      } else if (other) unchanged++;
      else {
        lines.set(own, line);
        stored++;
      }
    }
    return JSON.stringify({ dataset_id: id, stored, unchanged, refused: faults.length, faults });
  }

  async #stream(response: ServerResponse): Promise<void> {
    response.writeHead(200, { 'content-type': this.forecastsType });
    for (const piece of this.forecasts) {
      if (piece === undefined) response.destroy();
      else await new Promise((resolve) => response.write(piece, resolve));
    }
    response.end();
  }
}
