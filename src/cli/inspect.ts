import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isoInstant } from '../calendar/format.ts';
import { formatDuration } from '../calendar/duration.ts';
import { printable } from '../contract/texts.ts';
import { ThreadReader } from '../reading/thread/reader.ts';
import { type Choice, type LayoutChoice, type ReadSeries, type SeriesDocument, SeriesError } from '../reading/types.ts';

/**
 * `npm run --silent inspect -- FILE [--sheet NAME] [--json]`: prints what the extension would read from a file, and exits
 * with 1 where it would refuse it, with 2 where it is called in a wrong way. With `--json --answers` and any number of
 * files it prints a line of JSON a file, with what each answer to a question would give.
 */

const USAGE = 'Usage: npm run --silent inspect -- FILE [--sheet NAME] [--json] | --json --answers FILE...';

/** A series as plain JSON: where it comes from, its grid and its counts. */
function asPlain(series: ReadSeries): object {
  const { id, name, summary, keys, frequency, times, values, timeKind, aggregate } = series;
  const { valueColumn = null, timeColumn = null, points, gaps, duplicates, missing } = series;
  const at = (time: number | undefined) => (timeKind === 'row' || time === undefined ? null : isoInstant(time));
  return {
    id,
    name,
    valueColumn,
    timeColumn,
    keys: Object.keys(keys ?? {}),
    frequency: frequency ? formatDuration(frequency) : null,
    start: at(times[0]),
    end: at(times.at(-1)),
    points,
    gaps,
    duplicates,
    missing,
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
type Read = (file: string, layout: LayoutChoice, content?: Uint8Array) => Promise<SeriesDocument>;
const readIn =
  (reader: ThreadReader): Read =>
  (file, layout, content = contentOf(file)) =>
    reader.read({ content }, { fileName: file.replace(/^.*[\\/]/, ''), missing: 'report', layout });

/** Questions are followed this far: an option, and those of the questions that it leaves. */
const DEEPEST = 2;

/** What a document gives, with its questions and what each of their answers would give, as plain JSON. */
async function answersOf(read: (layout: LayoutChoice) => Promise<SeriesDocument>): Promise<object> {
  const known = new Map<string, Promise<SeriesDocument | undefined>>();
  const readOnce = (layout: LayoutChoice): Promise<SeriesDocument | undefined> => {
    const key = JSON.stringify(Object.entries(layout).sort(([a], [b]) => (a < b ? -1 : 1)));
    const answer = known.get(key) ?? read(layout).catch(passRefusal);
    known.set(key, answer);
    return answer;
  };
  const choicesOf = (choices: readonly Choice[], layout: LayoutChoice, depth: number): Promise<object[]> =>
    Promise.all(
      choices.map(async ({ kind, question, suggested, options }) => ({
        kind,
        question,
        suggested,
        options: await Promise.all(
          options.map(async (option) => {
            const answered = { ...layout, ...option.layout };
            const document = await readOnce(answered);
            const left = document?.choices ?? [];
            const deeper = depth < DEEPEST ? { choices: await choicesOf(left, answered, depth + 1) } : {};
            return { label: option.label, series: document?.series.map(asPlain) ?? [], ...deeper };
          }),
        ),
      })),
    );
  const document = await read({});
  return { series: document.series.map(asPlain), choices: await choicesOf(document.choices, {}, 1) };
}

/** An option that cannot be read gives nothing. */
function passRefusal(error: unknown): undefined {
  if (!(error instanceof SeriesError)) throw error;
}

/** A line of JSON for each file. @returns 1 where one of them is refused */
async function inspectAnswers(files: readonly string[], read: Read, print: (text: string) => void): Promise<0 | 1> {
  let code: 0 | 1 = 0;
  for (const file of files) {
    try {
      const content = contentOf(file);
      print(JSON.stringify({ file, ...(await answersOf((layout) => read(file, layout, content))) }));
    } catch (error) {
      if (!(error instanceof SeriesError)) throw error;
      print(JSON.stringify({ file, error: error.message }));
      code = 1;
    }
  }
  return code;
}

/** What the program is called with. @throws Error where it is none of it */
function readArguments(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      sheet: { type: 'string' },
      json: { type: 'boolean' },
      answers: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const { sheet, json, answers, help } = values;
  if (sheet?.trim() === '') throw new Error('--sheet is empty');
  if (answers && (!json || sheet !== undefined)) throw new Error('--answers goes with --json and without --sheet');
  if (positionals.length > 1 && !answers) throw new Error('Expected one file');
  if (!positionals[0] && !help) throw new Error('Specify a file');
  return { json, sheet, answers, files: help ? [] : positionals };
}

/** Prints to standard output; returns the exit code. */
export async function inspect(args: readonly string[], write: (text: string) => void): Promise<0 | 1 | 2> {
  const print = (text: string) => {
    write(printable(text));
  };
  let given: ReturnType<typeof readArguments>;
  try {
    given = readArguments(args);
  } catch (error) {
    print(`${error instanceof Error ? error.message.split(/\.\s/)[0] : String(error)}. ${USAGE}`);
    return 2;
  }
  const { json, sheet, answers, files } = given;
  const [file] = files;
  const give = (value: object, text: string) => {
    print(json ? JSON.stringify(value, undefined, 2) : text);
  };
  const reader = new ThreadReader(new URL('../reading/thread/thread.ts', import.meta.url));
  const read = readIn(reader);
  try {
    if (file === undefined) {
      print(USAGE);
      return 0;
    }
    if (answers) return await inspectAnswers(files, read, print);
    const document = await read(file, sheet === undefined ? {} : { sheet });
    give(asJson(document), asText(document));
    return 0;
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
