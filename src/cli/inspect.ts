import { readFileSync } from 'node:fs';
import { isoInstant } from '../calendar/format.ts';
import { formatDuration } from '../calendar/duration.ts';
import { printable } from '../contract/texts.ts';
import { ThreadReader } from '../reading/thread/reader.ts';
import { readArguments } from './program.ts';
import { type Choice, type LayoutChoice, type ReadSeries, type SeriesDocument, SeriesError } from '../reading/types.ts';

/** Prints what the extension would read from files; ends with 1 where it would refuse one, with 2 for a wrong call. */

const USAGE = 'Usage: npm run --silent inspect -- FILE [--sheet NAME] [--json] | --json --answers FILE...';

function asPlain(series: ReadSeries): object {
  const { id, name, summary, keys = {}, frequency, times, values, timeKind, aggregate } = series;
  const { valueColumn = null, timeColumn = null, points, gaps, duplicates, missing } = series;
  const at = (time: number | undefined) => (timeKind === 'row' || time === undefined ? null : isoInstant(time));
  return {
    ...{ id, name, valueColumn, timeColumn, keys: Object.keys(keys) },
    ...{ frequency: frequency ? formatDuration(frequency) : null, start: at(times[0]), end: at(times.at(-1)) },
    ...{ points, gaps, duplicates, missing },
    sum: values.reduce((sum, value) => (Number.isNaN(value) ? sum : sum + value), 0),
    aggregate: aggregate ? { step: formatDuration(aggregate.step), by: aggregate.by } : null,
    closed: frequency?.open !== undefined,
    summary,
  };
}

const asJson = ({ series, problems, choices, format }: SeriesDocument): object => ({
  series: series.map(asPlain),
  problems: problems.map(({ line, column, endColumn, place, message, severity, kind, series: of }) => {
    return { line, message, severity, kind, column, endColumn, place, series: of };
  }),
  choices: choices.map(({ question }) => question),
  format,
});

function asText({ series, problems, problemCount, choices, format }: SeriesDocument): string {
  const delimiter = format.delimiter === undefined ? '' : `, delimiter ${JSON.stringify(format.delimiter)}`;
  return [
    `${format.kind}, ${format.encoding}${delimiter}${format.dateFormat ? `, times ${format.dateFormat}` : ''}`,
    ...series.map(({ summary }) => summary),
    ...problems.map(({ line, place = `line ${line}`, severity, message }) => `${place}: ${severity}: ${message}`),
    ...(problemCount > problems.length ? [`and ${problemCount - problems.length} more problems`] : []),
    ...choices.map(({ question, options }) => `${question} ${options.map(({ label }) => label).join(' | ')}`),
  ].join('\n');
}

function contentOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new SeriesError('unreadable', `${file} cannot be read (${cause}). Check its name and your permissions.`);
  }
}

/** Reads in a thread, as a document may take all memory that there is. */
type Read = (layout: LayoutChoice) => Promise<SeriesDocument>;
const readIn = (reader: ThreadReader, file: string): Read => {
  const content = contentOf(file);
  return (layout) => reader.read({ content }, { fileName: file.replace(/^.*[\\/]/, ''), missing: 'report', layout });
};

const DEEPEST = 2;

/** What is read with an answer; of columns of values all have been read. */
async function answered(
  document: Pick<SeriesDocument, 'series' | 'choices'>,
  { kind }: Choice,
  layout: LayoutChoice,
  read: Read,
) {
  if (kind !== 'value-columns') return read(layout).catch(passRefusal);
  const series = document.series.filter(({ valueColumn = '' }) => layout.valueColumns?.includes(valueColumn));
  return { series, choices: document.choices.filter((choice) => choice.kind !== kind) };
}

/** Questions with what each of their answers would give, as plain JSON. @param layout after which they are left */
const answersOf = (
  document: Pick<SeriesDocument, 'series' | 'choices'>,
  read: Read,
  layout: LayoutChoice = {},
  depth = 1,
): Promise<object[]> =>
  Promise.all(
    document.choices.map(async (choice) => ({
      ...{ kind: choice.kind, question: choice.question, suggested: choice.suggested },
      options: await Promise.all(
        choice.options.map(async (option) => {
          const own = { ...layout, ...option.layout };
          const found = await answered(document, choice, own, read);
          const deeper = depth < DEEPEST ? { choices: found ? await answersOf(found, read, own, depth + 1) : [] } : {};
          return { label: option.label, series: found?.series.map(asPlain) ?? [], ...deeper };
        }),
      ),
    })),
  );

function passRefusal(error: unknown): undefined {
  if (!(error instanceof SeriesError)) throw error;
}

async function lineOf(file: string, reader: ThreadReader): Promise<object> {
  try {
    const read = readIn(reader, file);
    const document = await read({});
    return { file, series: document.series.map(asPlain), choices: await answersOf(document, read) };
  } catch (error) {
    if (!(error instanceof SeriesError)) throw error;
    return { file, error: error.message };
  }
}

const FLAG = { type: 'boolean' } as const;
const OPTIONS = { sheet: { type: 'string' }, json: FLAG, answers: FLAG, help: FLAG } as const;

export async function inspect(args: readonly string[], write: (text: string) => void): Promise<0 | 1 | 2> {
  const print = (text: string) => write(printable(text));
  const called = readArguments(
    { args: [...args], allowPositionals: true, options: OPTIONS },
    USAGE,
    ({ values: { sheet, json, answers }, positionals: files }) => {
      if (answers && (!json || sheet !== undefined)) throw new Error('--answers goes with --json and without --sheet');
      if (files.length > 1 && !answers) throw new Error('Expected one file');
      if (!files[0]) throw new Error('Specify a file');
      return { layout: sheet === undefined ? {} : { sheet }, json, answers, files };
    },
  );
  if ('says' in called) {
    print(called.says);
    return called.code;
  }
  const { layout, json, answers, files } = called;
  const give = (value: object, text: string) => print(json ? JSON.stringify(value, undefined, 2) : text);
  const reader = new ThreadReader(new URL('../reading/thread/thread.ts', import.meta.url));
  try {
    if (!answers) {
      const document = await readIn(reader, files[0]!)(layout);
      give(asJson(document), asText(document));
      return 0;
    }
    let code: 0 | 1 = 0;
    for (const file of files) {
      const line = await lineOf(file, reader);
      if ('error' in line) code = 1;
      print(JSON.stringify(line));
    }
    return code;
  } catch (error) {
    if (!(error instanceof SeriesError)) throw error;
    give({ series: [], problems: [{ line: error.line ?? 1, message: error.message }], choices: [] }, error.message);
    return 1;
  } finally {
    reader.dispose();
  }
}

if (process.argv[1] === import.meta.filename) {
  process.exitCode = await inspect(process.argv.slice(2), (text) => process.stdout.write(`${text}\n`));
}
