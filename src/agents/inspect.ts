import { isoInstant } from '../calendar/format.ts';
import { zoneOf } from '../calendar/zone.ts';
import { frequencyCode } from '../calendar/duration.ts';
import type { ReadSeries } from '../reading/types.ts';
import type { AgentContext, Answer, Call } from './context.ts';
import type { InspectFile } from './inputs.ts';
import { knownAheadText } from './covariates.ts';
import { nameOf, quoted } from './words.ts';
import { openQuestions, questionText, readingOf } from './source.ts';

const MOST_SERIES = 25;
const MOST_PROBLEMS = 10;

/**
 * Reports what a file holds: its series, their frequency and range, its problems, and the questions a person would be
 * asked.
 */
export async function inspectFile(context: AgentContext, input: InspectFile, { signal }: Call): Promise<Answer> {
  const { fileName, document } = await context.read(
    input.file,
    { ...readingOf(input), missing: input.treat_as_missing ? 'treat-as-missing' : 'report' },
    signal,
  );
  const { series, problems, problemCount, choices, columns } = document;
  const questions = openQuestions(choices);
  const shown = series.slice(0, MOST_SERIES);
  const faults = problems
    .slice(0, MOST_PROBLEMS)
    .map(({ line, place = `line ${line}`, message }) => `- ${place}: ${message}`);
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
}

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
