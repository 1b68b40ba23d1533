/** The bodies of requests: read, checked by their schema, and their series made ready to be stored. */
import { createHash } from 'node:crypto';
import type * as z from 'zod/mini';
import { readAs } from '../../contract/faults.ts';
import { type BodyOf, type OperationName, operations } from '../../contract/operations.ts';
import { RequestError } from '../errors.ts';
import type { NewDataset, NewPrediction } from '../store/new.ts';
import { type PreparedSeries, prepareSeries, toNumbers } from '../store/points.ts';
import { checkTexts, mayBeUnfit } from './texts.ts';

/** What the body of each operation is once it was read: the contract's, with series that are ready to be stored. */
export interface Bodies {
  readonly createPrediction: NewPrediction;
  readonly createFineTunedModel: BodyOf<'createFineTunedModel'>;
  readonly createDataset: NewDataset;
  readonly predictDataset: BodyOf<'predictDataset'>;
  readonly createKey: BodyOf<'createKey'>;
  readonly testCovariates: NewTest;
  readonly findOddPoints: NewQuestion;
}
export type BodyName = keyof Bodies;

/** A series with covariates, of which nothing is stored. */
interface NewTest {
  readonly series: PreparedSeries;
  readonly ai_model_id?: string | undefined;
  readonly prediction_length?: number | undefined;
}

/** What is asked of a series that need not be stored. */
type NewQuestion = Omit<BodyOf<'findOddPoints'>, 'series'> &
  Pick<NewPrediction, 'series' | 'series_id'> & { readonly rarity?: number | undefined };

/** Arrays and objects within each other. */
export const MOST_LEVELS = 64;

/**
 * @param blocks the bytes of the body, one block after the other
 * @throws RequestError 422 with the place of the first fault
 */
export function readBody<N extends BodyName>(name: N, blocks: readonly Uint8Array[]): Bodies[N] {
  const parsed = readAs<z.core.$ZodType>(operations[name].body, parse(blocks));
  if (!parsed.success) throw RequestError.invalid('body', parsed.error);
  const prepare: Readonly<Partial<Record<OperationName, (body: never) => unknown>>> = PREPARE;
  return (prepare[name]?.(parsed.data as never) ?? parsed.data) as Bodies[N];
}

/** Series are made ready where the body is read, so that a large one is off the thread that answers. */
const PREPARE = {
  createPrediction: ({ series, ...body }: BodyOf<'createPrediction'>): NewPrediction => ({
    ...body,
    series: series && prepareSeries(series, ['body', 'series']),
  }),
  createFineTunedModel: (body: BodyOf<'createFineTunedModel'>) => {
    toNumbers(body.input_config?.series ?? [], ['body', 'input_config', 'series']);
    return body;
  },
  testCovariates: ({ series, ...body }: BodyOf<'testCovariates'>): NewTest => ({
    ...body,
    series: prepareSeries(series, ['body', 'series']),
  }),
  findOddPoints: ({ series, ...body }: BodyOf<'findOddPoints'>): NewQuestion => ({
    ...body,
    series: series && prepareSeries(series, ['body', 'series']),
  }),
  createDataset: ({ series, fingerprint, ...body }: BodyOf<'createDataset'>): NewDataset => {
    if (series === undefined) return { ...body, series: [], digest: fingerprint && `=${fingerprint}` };
    const prepared = series.map(({ name, series: points }, index) => ({
      name,
      series: prepareSeries(points, ['body', 'series', index, 'series']),
    }));
    return { ...body, series: prepared, digest: digestOf(prepared) };
  },
};

/** Equal for the same points of series of the same names in the same order. */
function digestOf(all: NewDataset['series']): string {
  const hash = createHash('sha256');
  for (const { name, series } of all) {
    hash.update(JSON.stringify([name ?? null, series.points.length])).update(series.points);
  }
  return hash.digest('base64url');
}

/** What of a dataset goes from thread to thread at a time: a hundredth of a second. */
const SLICE = { series: 500, characters: 4_000_000 };

export function* slicesOf(all: NewDataset['series']): Generator<NewDataset['series']> {
  for (let from = 0, to = 0; from < all.length; from = to) {
    let characters = 0;
    while (to < all.length && to - from < SLICE.series && characters < SLICE.characters) {
      characters += all[to++].series.points.length;
    }
    yield all.slice(from, to);
  }
}

/**
 * @param what is called so in the words of a fault
 * @param look gets what was read before its texts are looked at
 * @throws RequestError 422
 */
export function parse(
  blocks: readonly Uint8Array[],
  what = 'body',
  look: (given: unknown) => void = () => undefined,
): unknown {
  const fault = (msg: string) => new RequestError(422, [{ loc: ['body'], msg, type: 'json_invalid' }]);
  if (levels(blocks) > MOST_LEVELS) {
    throw fault(`The ${what} has more than ${MOST_LEVELS} arrays and objects within each other.`);
  }
  let text = '';
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for (const block of blocks) text += decoder.decode(block, { stream: true });
    text += decoder.decode();
  } catch {
    throw fault(`The ${what} is not UTF-8.`);
  }
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw fault(`The ${what} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  look(given);
  if (mayBeUnfit(text)) checkTexts(given, ['body']);
  return given;
}

const [QUOTE, BACKSLASH, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\[]{}');

/** How deep arrays and objects stand within each other; more than {@link MOST_LEVELS} is not counted further. */
function levels(blocks: readonly Uint8Array[]): number {
  let depth = 0;
  let deepest = 0;
  let isText = false;
  let isEscaped = false;
  for (const bytes of blocks) {
    for (let at = 0; at < bytes.length && deepest <= MOST_LEVELS; at++) {
      const byte = bytes[at];
      if (isEscaped) isEscaped = false;
      else if (isText) {
        if (byte === QUOTE) isText = false;
        else if (byte === BACKSLASH) isEscaped = true;
      } else if (byte === QUOTE) isText = true;
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) deepest = Math.max(deepest, ++depth);
      else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
    }
  }
  return deepest;
}
