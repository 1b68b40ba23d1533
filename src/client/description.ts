import { Capabilities } from './capabilities.ts';
import { isPassing, ServiceError } from './errors.ts';
import type { Transport } from './transport.ts';

/** Milliseconds after which a description that could not be had is asked for again: where it failed, and where it hung. */
const AGAIN = { failed: 2_000, timeout: 60_000 };
const LONGEST = 8_000;

/** A service's description, asked for once, and again after a failure to get it. */
export class Description {
  readonly #transport: Transport;
  readonly #baseUrl: URL;
  #asked: Promise<Capabilities> | undefined;
  /** When it is asked for again (`performance.now()`). */
  #again = Infinity;

  constructor(transport: Transport, baseUrl: URL) {
    this.#transport = transport;
    this.#baseUrl = baseUrl;
  }

  /** What the service announces; nothing where its description cannot be had. @throws ServiceError where it cannot be opened */
  get(): Promise<Capabilities> {
    if (performance.now() > this.#again) this.forget();
    return (this.#asked ??= this.#ask().catch((error: unknown) => {
      this.#asked = undefined;
      throw error;
    }));
  }

  forget(): void {
    this.#asked = undefined;
    this.#again = Infinity;
  }

  /** Below the base URL first; else at the origin's root, as far as that describes what stands below the base URL. */
  async #ask(): Promise<Capabilities> {
    const { pathname, origin } = this.#baseUrl;
    try {
      const own = await this.#read();
      if (own !== undefined || pathname === '/') return new Capabilities(own, pathname);
      return new Capabilities(await this.#read(new URL('/openapi.json', origin)), pathname, true);
    } catch (error) {
      if (!isPassing(error)) throw error;
      this.#again = performance.now() + (error.kind === 'timeout' ? AGAIN.timeout : AGAIN.failed);
      return new Capabilities(undefined);
    }
  }

  /** @returns `undefined` where there is none, as is every service's right. @throws ServiceError where that is not certain */
  #read(url?: URL): Promise<unknown> {
    return this.#transport
      .call({ method: 'GET', path: '/openapi.json', timeout: LONGEST, url })
      .catch((error: unknown) => {
        if (!(error instanceof ServiceError) || error.kind === 'unavailable' || isPassing(error)) throw error;
        return undefined;
      });
  }
}
