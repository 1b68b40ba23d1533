import { parentPort, workerData } from '#platform/thread';
import * as l10n from '@vscode/l10n';
import { writeNumbersIn } from '../../calendar/digits.ts';
import { fitText } from '../../contract/texts.ts';
import { joined } from '../../platform/joined.ts';
import { said } from '../phrase.ts';
import { toPoints, type SendableSeries } from '../points.ts';
import { type DocumentFormat, SeriesError } from '../types.ts';
import { writtenParts, type WritableSeries } from '../writing/write.ts';
import { readSource } from './read-source.ts';

export interface Words {
  readonly language: string;
  readonly sentences: Readonly<Record<string, string>>;
}

const encoder = new TextEncoder();

/** In UTF-8. Texts of many parts take several times their room before they are one. */
const encoded = (texts: Iterable<string>): Uint8Array<ArrayBuffer> =>
  joined(Array.from(texts, (text) => encoder.encode(text)));

function* bodyParts(fields: Readonly<Record<string, unknown>>, series: readonly SendableSeries[]) {
  const start = JSON.stringify(fields).slice(0, -1);
  yield `${start}${start === '{' ? '' : ','}"series":[`;
  for (const [n, one] of series.entries()) yield `${n > 0 ? ',' : ''}${lineOf(one)}`;
  yield ']}';
}

function* lines(series: readonly SendableSeries[], ids?: readonly string[]) {
  for (const [n, one] of series.entries()) yield `${lineOf(one, ids?.[n])}\n`;
}

const operations = {
  read: readSource,
  send: (fields: Readonly<Record<string, unknown>>, series: readonly SendableSeries[]) =>
    encoded(bodyParts(fields, series)),
  sendLines: (series: readonly SendableSeries[], ids?: readonly string[]) => encoded(lines(series, ids)),
  async write(series: readonly WritableSeries[], format: DocumentFormat, isWorkbook: boolean) {
    if (!isWorkbook) return encoded(writtenParts(series, format));
    const { writeXlsx } = await import('../binary/write-workbook.ts');
    return writeXlsx(series, format);
  },
  async holidays(place: string, years: readonly [first: number, last: number]) {
    const { holidaysOf } = await import('../holidays/library.ts');
    return holidaysOf(place, ...years);
  },
  async places(within?: string) {
    const { placesIn } = await import('../holidays/library.ts');
    return placesIn(within);
  },
};

type Operations = typeof operations;
export type Operation = keyof Operations;
export type Arguments<K extends Operation> = Parameters<Operations[K]>;
export type Result<K extends Operation> = Awaited<ReturnType<Operations[K]>>;

export interface Call<K extends Operation = Operation> {
  readonly operation: K;
  readonly args: Arguments<K>;
  readonly name: string;
}

export type Answer<T = unknown> =
  | { readonly value: T }
  | {
      readonly refused: Pick<SeriesError, 'phrase' | 'reason'> & Partial<Pick<SeriesError, 'line' | 'column'>>;
    }
  | { readonly failed: string };

function lineOf({ name, known, ...series }: SendableSeries, id?: string): string {
  // names and texts as a document has them are not always what a service can store
  const columns = known?.columns.map((one) => {
    return { ...one, name: fitText(one.name), ...(one.texts ? { texts: one.texts.map(fitText) } : {}) };
  });
  const beside = known && columns ? { beside: { ...known, columns } } : {};
  const points = toPoints(
    { ...series, ...beside },
    columns?.map((column) => column.name),
  );
  return JSON.stringify({ ...(id === undefined ? {} : { id }), name: name ?? null, series: points });
}

async function answerTo({ operation, args, name }: Call): Promise<Answer> {
  try {
    const run = operations[operation] as (...given: readonly unknown[]) => unknown;
    return { value: await run(...args) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof SeriesError) {
      const { phrase, reason, line, column } = error;
      return { refused: { phrase, reason, line, column } };
    }
    if (!(error instanceof Error && 'syscall' in error)) return { failed: message };
    const phrase = said`${name} cannot be read: ${message}. Check that it exists and that you have permission to read it.`;
    return { refused: { phrase, reason: 'unreadable' } };
  }
}

function buffersIn(value: unknown): ArrayBuffer[] {
  if (value instanceof Uint8Array) return [value.buffer as ArrayBuffer];
  const { series = [] } = value as Partial<Result<'read'>>;
  return [...new Set(series.flatMap(({ times, values }) => [times.buffer, values.buffer]))] as ArrayBuffer[];
}

const { words } = workerData as { readonly words?: Words };
l10n.config({ contents: words?.sentences ?? {} });
writeNumbersIn(words?.language ?? 'en');

parentPort?.on('message', (call: Call) => {
  answerTo(call)
    .then((answer) => parentPort?.postMessage(answer, 'value' in answer ? buffersIn(answer.value) : []))
    .catch((error: unknown) => parentPort?.postMessage({ failed: String(error) } satisfies Answer));
});
