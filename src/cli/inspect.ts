import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isoInstant } from '../calendar/format.ts';
import { formatDuration } from '../calendar/duration.ts';
import { printable } from '../contract/texts.ts';
import { ThreadReader } from '../reading/thread/reader.ts';
import { SeriesError, type LayoutChoice, type SeriesDocument } from '../reading/types.ts';
import { answersOf } from './answers.ts';

/**
 * `npm run --silent inspect -- FILE [--sheet NAME] [--json]`: prints what the extension would read from a file, and exits
 * with 1 where it would refuse it, with 2 where it is called in a wrong way. With `--json --answers` and any number of
 * files it prints a line of JSON a file, with what each answer to a question would give.
 */

const USAGE = 'Usage: npm run --silent inspect -- FILE [--sheet NAME] [--json] | --json --answers FILE...';

function asJson(document: SeriesDocument): object {
  return {
    series: document.series.map((series) => ({
      id: series.id,
      name: series.name,
      valueColumn: series.valueColumn ?? null,
      timeColumn: series.timeColumn ?? null,
      frequency: series.frequency ? formatDuration(series.frequency) : null,
      start: series.timeKind === 'row' ? null : isoInstant(series.times[0] ?? NaN),
      end: series.timeKind === 'row' ? null : isoInstant(series.times.at(-1) ?? NaN),
      points: series.points,
      gaps: series.gaps,
      duplicates: series.duplicates,
      missing: series.missing,
      summary: series.summary,
    })),
    problems: document.problems.map(({ line, column, endColumn, place, message, severity, kind, series }) => ({
      line,
      message,
      severity,
      kind,
      column,
      endColumn,
      place,
      series,
    })),
    choices: document.choices.map(({ question }) => question),
    format: document.format,
  };
}

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
