import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Extension } from './extension.ts';

const TOKEN = 'a-token-of-the-tests';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * A service of the five operations and nothing else, at an address of this machine. Predictions are made at once, unless
 * a test says otherwise with {@link PlainService.onCreate}.
 */
export class PlainService {
  /** Bodies of all requests to create something. */
  readonly created: Record<string, unknown>[] = [];
  /** Answers the next creations instead; a promise is waited for. */
  onCreate:
    | ((body: Record<string, unknown>, index: number) => Answer | undefined | Promise<Answer | undefined>)
    | undefined;
  readonly #server: Server = createServer((request, response) => {
    void this.#serve(request, response);
  });

  constructor(extension: Extension) {
    before(async () => {
      await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
      const origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
      await extension.app.tokens.set(origin, TOKEN);
      extension.window.setSetting('forecasts.service', origin);
      // the person has left the model to it, long ago
      extension.app.memory.chooseModel(extension.app.connection.current.id, undefined);
    });
    beforeEach(() => {
      this.created.length = 0;
      this.onCreate = undefined;
    });
    after(() => {
      this.#server.closeAllConnections();
      this.#server.close();
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { status, body } = await this.#answer(request, Buffer.concat(chunks).toString());
    if (response.destroyed) return;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  async #answer({ method, url = '', headers }: IncomingMessage, text: string): Promise<Answer> {
    if (headers.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: { detail: 'Not authenticated' } };
    const [path] = url.split('?');
    if (!['/predictions', '/datasets', '/keys', '/fine_tuned_models'].includes(path))
      return { status: 404, body: { detail: 'Not Found' } };
    if (method === 'GET' && path !== '/fine_tuned_models') return { status: 200, body: { items: [], total: 0 } };
    if (method !== 'POST' || (path !== '/predictions' && path !== '/fine_tuned_models'))
      return { status: 405, body: { detail: 'Method Not Allowed' } };
    if (headers['content-type'] !== 'application/json') return { status: 415, body: { detail: 'JSON, please' } };
    const body = JSON.parse(text) as Record<string, unknown>;
    const index = this.created.push(body) - 1;
    return (await this.onCreate?.(body, index)) ?? { status: 200, body: this.#made(body, index) };
  }

  #made({ series = [], ai_model_id }: Record<string, unknown>, index: number): unknown {
    const points = series as { timestamp: string; value: number }[];
    return {
      id: `made-${index}`,
      ai_model_id,
      status: 'COMPLETED',
      created_at: new Date().toISOString(),
      input_series: points,
      prediction_series: points
        .slice(-3)
        .map(({ value }, step) => ({ timestamp: `2030-0${step + 1}-01T00:00:00Z`, value })),
    };
  }
}
