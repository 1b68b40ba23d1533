import { parentPort, workerData } from '#platform/thread';
import * as l10n from '@vscode/l10n';
import { writeNumbersIn } from '../../calendar/digits.ts';
import { fitText } from '../../contract/texts.ts';
import { answerCalls } from '../../platform/calls.ts';
import { joined } from '../../platform/joined.ts';
import { said } from '../phrase.ts';
import { type DocumentFormat, type ReadOptions, SeriesError } from '../types.ts';
import { toPoints, type SendableSeries } from '../points.ts';
import { type Layout, writtenRows, type WritableSeries } from '../writing/write.ts';
import { readSource, type SourceOfDocument } from './read-source.ts';

export interface Words {
  readonly language: string;
  readonly sentences: Readonly<Record<string, string>>;
}

const encoder = new TextEncoder();
const AT_ONCE = 1_000_000;

/** In UTF-8. Neither one text of all stands in memory, nor thousands of small buffers, whose room is not given back. */
function encoded(texts: Iterable<string>): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let some = '';
  for (const text of texts) {
    some += text;
    if (some.length < AT_ONCE) continue;
    parts.push(encoder.encode(some));
    some = '';
  }
  return joined([...parts, encoder.encode(some)]);
}

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
  async read(source: SourceOfDocument, options: ReadOptions) {
    try {
      return await readSource(source, options);
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      const words = said`${options.fileName} cannot be read: ${error.message}. Check that it exists and that you have permission to read it.`;
      throw new SeriesError('unreadable', words);
    }
  },
  send: (fields: Readonly<Record<string, unknown>>, series: readonly SendableSeries[]) =>
    encoded(bodyParts(fields, series)),
  sendLines: (series: readonly SendableSeries[], ids?: readonly string[]) => encoded(lines(series, ids)),
  write: (series: readonly WritableSeries[], layout: Layout, format: DocumentFormat) =>
    encoded(writtenRows(series, layout, format)),
  writeWorkbook: async (series: readonly WritableSeries[], format: DocumentFormat) =>
    (await import('../binary/write-workbook.ts')).writeXlsx(series, format),
  holidays: async (place: string, years: readonly [first: number, last: number]) =>
    (await import('../holidays/library.ts')).holidaysOf(place, ...years),
  places: async () => (await import('../holidays/library.ts')).allPlaces(),
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

export interface Thrown {
  readonly message: string;
  readonly refused?: Pick<SeriesError, 'phrase' | 'reason'> & Partial<Pick<SeriesError, 'line' | 'column'>>;
}

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

function thrownOf(error: unknown): Thrown {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof SeriesError)) return { message };
  const { phrase, reason, line, column } = error;
  return { message, refused: { phrase, reason, line, column } };
}

function buffersIn(value: unknown): ArrayBuffer[] {
  if (value instanceof Uint8Array) return [value.buffer as ArrayBuffer];
  const { series = [] } = value as Partial<Result<'read'>>;
  return [...new Set(series.flatMap(({ times, values }) => [times.buffer, values.buffer]))] as ArrayBuffer[];
}

const { words } = workerData as { readonly words?: Words };
l10n.config({ contents: words?.sentences ?? {} });
writeNumbersIn(words?.language ?? 'en');

answerCalls<Call>(
  parentPort,
  ({ operation, args }) => (operations[operation] as (...given: readonly unknown[]) => unknown)(...args),
  thrownOf,
  buffersIn,
);
