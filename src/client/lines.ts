import * as l10n from '@vscode/l10n';
import { isNoJson, isWebPage, PAGE } from './answer.ts';
import { ServiceError } from './errors.ts';

/** Letters of the longest line that is read: one series has about half of it at the most. */
const LONGEST = 64 * 1024 * 1024;

export interface LinesOptions {
  /** What errors call the service. */
  readonly name: string;
  /** So many milliseconds without a word end it. */
  readonly silence: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * The lines of an answer, parsed: no more is read than is asked for. Blank ones are passed over.
 * @throws ServiceError where it breaks off, or is no stream of JSON lines; the signal's reason when aborted
 */
export async function* readLines(response: Response, options: LinesOptions): AsyncGenerator<unknown> {
  const { name } = options;
  const { status, body, headers } = response;
  if (/html/i.test(headers.get('content-type') ?? '')) {
    await body?.cancel();
    throw isWebPage(name, status);
  }
  if (!body) return;
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  /** Of the line that has not ended yet. */
  let open: string[] = [];
  let letters = 0;
  const parsed = (line: string): unknown => {
    if (PAGE.test(line)) throw isWebPage(name, status);
    try {
      return JSON.parse(line);
    } catch {
      throw isNoJson(name, status);
    }
  };
  try {
    for (let chunk; (chunk = await nextOf(reader, options));) {
      const [first, ...others] = decoder.decode(chunk, { stream: true }).split('\n');
      open.push(first);
      letters += first.length;
      if (letters > LONGEST) throw isNoJson(name, status);
      if (others.length === 0) continue;
      const lines = [open.join(''), ...others.slice(0, -1)];
      open = others.slice(-1);
      letters = open[0].length;
      for (const line of lines) if (line.trim() !== '') yield parsed(line);
    }
    const last = open.join('') + decoder.decode();
    if (last.trim() !== '') yield parsed(last);
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

async function nextOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { name, silence, signal }: LinesOptions,
): Promise<Uint8Array | undefined> {
  signal?.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new ServiceError('timeout', l10n.t('{0} did not answer in time.{1}', name, '')));
  }, silence);
  // what a body does that nobody reads any more is not for it to wait for
  const stop = () => {
    reject(signal?.reason as Error);
  };
  signal?.addEventListener('abort', stop);
  try {
    const { done, value } = await Promise.race([reader.read(), promise]);
    return done ? undefined : value;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    signal?.throwIfAborted();
    throw new ServiceError('unreachable', l10n.t('The connection to {0} broke off.{1}', name, ''));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
