import { readFileSync } from 'node:fs';
import { isoInstant } from '../calendar/format.ts';
import { formatDuration } from '../calendar/frequency.ts';
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

function contentOf(file: string) {
  try {
    return readFileSync(file);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new SeriesError('unreadable', `${file} cannot be read (${cause}). Check its name and your permissions.`);
  }
}

type Read = (layout: LayoutChoice) => Promise<SeriesDocument>;

const DEEPEST = 2;

type Found = Pick<SeriesDocument, 'series' | 'choices'>;

/** What is read with an answer; of columns of values all have been read. */
async function answered(document: Found, { kind }: Choice, layout: LayoutChoice, read: Read) {
  if (kind !== 'value-columns')
    return read(layout).catch((error: unknown) => {
      if (!(error instanceof SeriesError)) throw error;
      return undefined;
    });
  const series = document.series.filter(({ valueColumn = '' }) => layout.valueColumns?.includes(valueColumn));
  return { series, choices: document.choices.filter((choice) => choice.kind !== kind) };
}

/** Questions with what each of their answers would give, as plain JSON. @param layout after which they are left */
const answersOf = (document: Found, read: Read, layout: LayoutChoice = {}, depth = 1): Promise<object[]> =>
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
  // in a thread, as a document may take all memory that there is
  const reader = new ThreadReader(new URL('../reading/thread/thread.ts', import.meta.url));
  let code: 0 | 1 = 0;
  try {
    for (const file of files) {
      try {
        const content = contentOf(file);
        const fileName = file.replace(/^.*[\\/]/, '');
        const read: Read = (layout) => reader.read({ content }, { fileName, missing: 'report', layout });
        const document = await read(layout);
        const { series } = document;
        if (!answers) give(asJson(document), asText(document));
        else print(JSON.stringify({ file, series: series.map(asPlain), choices: await answersOf(document, read) }));
      } catch (error) {
        if (!(error instanceof SeriesError)) throw error;
        code = 1;
        const { line = 1, message } = error;
        if (answers) print(JSON.stringify({ file, error: message }));
        else give({ series: [], problems: [{ line, message }], choices: [] }, message);
      }
    }
  } finally {
    reader.dispose();
  }
  return code;
}

if (process.argv[1] === import.meta.filename) {
  process.exitCode = await inspect(process.argv.slice(2), (text) => process.stdout.write(`${text}\n`));
}
