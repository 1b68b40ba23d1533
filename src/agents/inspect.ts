import * as z from 'zod/mini';
import { isoInstant } from '../calendar/format.ts';
import { zoneOf } from '../calendar/zone.ts';
import { frequencyCode } from '../calendar/duration.ts';
import type { ReadSeries } from '../reading/types.ts';
import { knownAheadText } from './covariates.ts';
import { ofFile } from './inputs.ts';
import { openQuestions, placed, questionText, readingOf } from './source.ts';
import { tool } from './tool.ts';
import { nameOf, quoted } from './words.ts';

const MOST_SERIES = 25;
const MOST_PROBLEMS = 10;

export const inspectFile = tool(
  {
    name: 'inspect_series_file',
    title: 'Inspect Series File',
    description:
      'Reads a CSV, TSV, JSON, NDJSON, Excel, or Parquet file with time series and reports its series, their frequency, range, and number of points, gaps, duplicates, and cells that are not numbers, which columns are known in advance, and which question a person would be asked about the file. Use it first for an unfamiliar file. Changes nothing.',
    input: z.strictObject({ ...ofFile, file: ofFile.file._zod.def.innerType }),
    output: z.looseObject({
      file: z.string(),
      series_count: z.int(),
      series: z.array(z.looseObject({ id: z.string(), name: z.string(), points: z.int() })),
      problem_count: z.int(),
      questions: z.array(z.looseObject({ question: z.string() })),
    }),
  },
  async (context, input, { signal }) => {
    const { fileName, document } = await context.read(
      input.file,
      { ...readingOf(input), missing: input.treat_as_missing ? 'treat-as-missing' : 'report' },
      signal,
    );
    const { series, problems, problemCount, choices, columns } = document;
    const questions = openQuestions(choices);
    const shown = series.slice(0, MOST_SERIES);
    const faults = problems.slice(0, MOST_PROBLEMS).map((problem) => `- ${placed(problem)}`);
    const parts = [
      `${fileName}: ${series.length === 1 ? 'one series' : `${series.length} series`}${columns.length > 0 ? `; columns ${columns.slice(0, 40).map(nameOf).join(', ')}` : ''}.`,
      ...shown.map((one) => `- ${quoted(one.id)}: ${nameOf(one.summary)}; ${rangeText(one)}`),
      ...(series.length > shown.length ? [`and ${series.length - shown.length} more series.`] : []),
      ...(faults.length > 0 ? [`Problems (${problemCount}):`, ...faults] : ['No problems were found.']),
      ...(problemCount > faults.length && faults.length > 0 ? [`and ${problemCount - faults.length} more.`] : []),
      ...(choices.some(({ kind }) => kind === 'totals')
        ? ['Total rows are left out. To include them: "layout": {"totals":"take"}.']
        : []),
      ...knownAheadText(shown),
      ...questions.map(
        (choice) => `Open question; ask the person unless they already answered it: ${questionText(choice)}`,
      ),
    ];
    return {
      text: parts.join('\n'),
      data: {
        file: fileName,
        series_count: series.length,
        series: shown.map((one) => ({
          id: one.id,
          name: one.name,
          ...(one.frequency ? { frequency: frequencyCode(one.frequency) } : {}),
          ...(one.timeKind === 'row' ? {} : spanOf(one)),
          points: one.points,
          gaps: one.gaps,
          missing: one.missing,
          duplicates: one.duplicates,
        })),
        problem_count: problemCount,
        questions: questions.map(({ question, options }) => ({
          question,
          answers: options.map(({ label, layout }) => ({ label, layout })),
        })),
      },
    };
  },
);

/** From the first time to the last, on the clock of the series. */
function spanOf({ times, timeZone = 'UTC' }: ReadSeries): { readonly start: string; readonly end: string } {
  const zone = zoneOf(timeZone);
  return { start: isoInstant(times[0], zone), end: isoInstant(times[times.length - 1], zone) };
}

function rangeText({ values }: ReadSeries): string {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const last = values.findLast((value) => !Number.isNaN(value));
  return `from ${low} to ${high}, last ${last}`;
}
