import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { isoInstant } from '../../calendar/format.ts';
import { formatDuration } from '../../calendar/frequency.ts';
import { printable } from '../../contract/texts.ts';
import { ThreadReader } from '../../reading/thread/reader.ts';
import { command, flag, type Read, text } from '../program.ts';
import { type Choice, type LayoutChoice, type ReadSeries, type SeriesDocument } from '../../reading/types.ts';
import { SeriesError } from '../../reading/types.ts';

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

type ReadAs = (layout: LayoutChoice) => Promise<SeriesDocument>;

const DEEPEST = 2;

type Found = Pick<SeriesDocument, 'series' | 'choices'>;

async function answered(document: Found, { kind }: Choice, layout: LayoutChoice, read: ReadAs) {
  if (kind !== 'value-columns')
    return read(layout).catch((error: unknown) => {
      if (!(error instanceof SeriesError)) throw error;
      return undefined;
    });
  const series = document.series.filter(({ valueColumn = '' }) => layout.valueColumns?.includes(valueColumn));
  return { series, choices: document.choices.filter((choice) => choice.kind !== kind) };
}

/** Questions with what each of their answers would give, as plain JSON. @param layout after which they are left */
const answersOf = (document: Found, read: ReadAs, layout: LayoutChoice, depth = 1): Promise<object[]> =>
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

const OPTIONS = {
  sheet: text('<name>', 'sheet of a workbook'),
  json: flag('print JSON'),
  answers: flag('print a line of JSON per file, with what each answer to a question would give'),
};

export const inspectCommand = () =>
  command('inspect', 'Prints what the extension would read from files.', OPTIONS, inspect).argument('<files...>');

async function inspect({ sheet, json, answers }: Read<typeof OPTIONS>, { args: files }: Command): Promise<void> {
  const print = (text: string) => console.log(printable(text));
  const give = (value: object, text: string) => print(json ? JSON.stringify(value, undefined, 2) : text);
  const layout = sheet === undefined ? {} : { sheet };
  const reader = new ThreadReader(new URL('../../reading/thread/thread.ts', import.meta.url));
  try {
    for (const file of files) {
      try {
        const content = contentOf(file);
        const fileName = file.replace(/^.*[\\/]/, '');
        const read: ReadAs = (as) => reader.read({ content }, { fileName, missing: 'report', layout: as });
        const document = await read(layout);
        const { series } = document;
        if (!answers) give(asJson(document), asText(document));
        else
          print(
            JSON.stringify({ file, series: series.map(asPlain), choices: await answersOf(document, read, layout) }),
          );
      } catch (error) {
        if (!(error instanceof SeriesError)) throw error;
        process.exitCode = 1;
        const { line = 1, message } = error;
        if (answers) print(JSON.stringify({ file, error: message }));
        else give({ series: [], problems: [{ line, message }], choices: [] }, message);
      }
    }
  } finally {
    reader.dispose();
  }
}

if (process.argv[1] === import.meta.filename) await inspectCommand().parseAsync();
