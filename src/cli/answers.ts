import { formatDuration } from '../calendar/duration.ts';
import { isoInstant } from '../calendar/format.ts';
import { SeriesError, type Choice, type LayoutChoice, type ReadSeries, type SeriesDocument } from '../reading/types.ts';

/** Questions are followed this far: an option, and those of the questions that it leaves. */
const DEEPEST = 2;

interface Answered {
  readonly series: readonly object[];
  readonly choices: readonly object[];
}

/** What a document gives, with its questions and what each of their answers would give, as plain JSON. */
export async function answersOf(read: (layout: LayoutChoice) => Promise<SeriesDocument>): Promise<Answered> {
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

/** A series by what it is: where it comes from, its grid and its counts. */
function asPlain(series: ReadSeries): object {
  const { name, valueColumn, timeColumn, keys, frequency, times, values, timeKind, aggregate } = series;
  const { points, gaps, duplicates } = series;
  const at = (time: number | undefined) => (timeKind === 'row' || time === undefined ? null : isoInstant(time));
  return {
    name,
    valueColumn: valueColumn ?? null,
    timeColumn: timeColumn ?? null,
    keys: Object.keys(keys ?? {}),
    frequency: frequency ? formatDuration(frequency) : null,
    start: at(times[0]),
    end: at(times.at(-1)),
    points,
    gaps,
    duplicates,
    sum: values.reduce((sum, value) => (Number.isNaN(value) ? sum : sum + value), 0),
    aggregate: aggregate ? { step: formatDuration(aggregate.step), by: aggregate.by } : null,
    closed: frequency?.open !== undefined,
  };
}
