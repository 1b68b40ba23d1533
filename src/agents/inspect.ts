import * as z from 'zod/mini';
import { frequencyCode } from '../calendar/duration.ts';
import { isoInstant } from '../calendar/format.ts';
import { zoneOf } from '../calendar/zone.ts';
import type { ReadSeries } from '../reading/types.ts';
import { knownAheadText } from './forecast.ts';
import { file, ofFile } from './inputs.ts';
import { openQuestions, placed, questionText, readingOf } from './source.ts';
import { tool } from './tool.ts';
import { listed, nameOf, quoted } from './words.ts';

const MOST_SERIES = 25;
const MOST_PROBLEMS = 10;
const words = z.optional(z.string());

export const inspectFile = tool(
  {
    name: 'inspect_series_file',
    title: 'Inspect Series File',
    description:
      'Reads a CSV, TSV, JSON, NDJSON, Excel, or Parquet file with time series and reports its series, their frequency, range, and number of points, gaps, duplicates, and cells that are not numbers, which columns are known in advance, and which question a person would be asked about the file. Use it first for an unfamiliar file. Changes nothing.',
    input: z.strictObject({ ...ofFile, file }),
    output: z.object({
      file: z.string(),
      series_count: z.int(),
      series: z.array(
        z.object({
          ...{ id: z.string(), name: z.string(), frequency: words, start: words, end: words },
          ...{ points: z.int(), gaps: z.int(), missing: z.int(), duplicates: z.int() },
        }),
      ),
      problem_count: z.int(),
      questions: z.array(z.looseObject({ question: z.string() })),
    }),
  },
  async ({ read, signal }, input) => {
    const missing = input.treat_as_missing ? 'treat-as-missing' : 'report';
    const { fileName, document } = await read(input.file, { ...readingOf(input), missing }, signal);
    const { series, problems, problemCount, choices, columns } = document;
    const questions = openQuestions(choices);
    const shown = series.slice(0, MOST_SERIES);
    const faults = listed(problems, MOST_PROBLEMS, (problem) => `- ${placed(problem)}`, problemCount);
    const parts = [
      `${fileName}: ${series.length === 1 ? 'one series' : `${series.length} series`}${columns.length > 0 ? `; columns ${columns.slice(0, 40).map(nameOf).join(', ')}` : ''}.`,
      ...listed(series, MOST_SERIES, (one) => `- ${quoted(one.id)}: ${nameOf(one.summary)}; ${rangeText(one)}`),
      ...(faults.length > 0 ? [`Problems (${problemCount}):`, ...faults] : ['No problems were found.']),
      ...(choices.some(({ kind }) => kind === 'totals')
        ? ['Total rows are left out. To include them: "layout": {"totals":"take"}.']
        : []),
      ...knownAheadText(shown),
      ...questions.map(
        (choice) => `Open question; ask the person unless they already answered it: ${questionText(choice)}`,
      ),
    ];
    const data = {
      file: fileName,
      series_count: series.length,
      series: shown.map((one) => ({
        ...one,
        frequency: one.frequency && frequencyCode(one.frequency),
        ...(one.timeKind === 'row' ? {} : spanOf(one)),
      })),
      problem_count: problemCount,
      questions: questions.map(({ question, options }) => ({ question, answers: options })),
    };
    return { text: parts.join('\n'), data };
  },
);

function spanOf({ times, timeZone = 'UTC' }: ReadSeries): { readonly start: string; readonly end: string } {
  const zone = zoneOf(timeZone);
  return { start: isoInstant(times[0], zone), end: isoInstant(times[times.length - 1], zone) };
}

function rangeText({ values }: ReadSeries): string {
  const known = values.filter((value) => !Number.isNaN(value));
  const low = known.reduce((least, value) => Math.min(least, value), Infinity);
  const high = known.reduce((most, value) => Math.max(most, value), -Infinity);
  return `from ${low} to ${high}, last ${known.at(-1)}`;
}
