import * as vscode from 'vscode';
import { inDigits } from '../../../calendar/digits.ts';
import { formatDuration } from '../../../calendar/duration.ts';
import { approximateStep } from '../../../calendar/frequency.ts';
import { describeFrequency, describeOpenTime } from '../../../calendar/words.ts';
import { axisLabels, timeFormat } from '../../../chart/format.ts';
import { rowTicks, timeTicks, valueTicks } from '../../../chart/ticks.ts';
import type { ReadingProposal, ReadSeries, SeriesDocument } from '../../../reading/types.ts';
import { setting } from '../../connection/settings.ts';
import type { Axes, Card, Drawn, Grid, Question, ReadingState, ReportLine, Rows, SeriesView } from './protocol.ts';
import { type Reading, resamplingOf, stepsFor } from './reducer.ts';

/** Columns and rows of the table: what is further away tells no more of how the file is read. */
const MOST_COLUMNS = 40;
const MOST_ROWS = 8;
/** Points of a line that is no wider than a screen. */
const MOST_DRAWN = 1000;
/** Series that a list lets one choose from. */
const MOST_NAMES = 200;
const MOST_LINES = 12;

/** The parts of the page's state that come from how the file is read. */
export function viewOf(reading: Reading, before: Reading | undefined, shown: ReadingState): ReadingState {
  const { document } = reading;
  const isSame = before?.document === document;
  const [first] = document?.series ?? [];
  const series = document?.series.find(({ id }) => id === reading.drawn) ?? first;
  return {
    ...shown,
    isReading: reading.isReading,
    isUncertain: document?.isUncertain ?? false,
    isChanged: Object.keys(reading.layout).length > 0,
    problem: reading.problem ?? null,
    rows: isSame && before?.roles === reading.roles ? shown.rows : document ? rowsOf(reading, document) : null,
    cards: isSame ? shown.cards : (document?.proposals ?? []).map((proposal, at) => cardOf(proposal, at === 0)),
    questions: before?.questions === reading.questions ? shown.questions : reading.questions.map(questionOf),
    grid: series && document ? gridOf(reading, series) : null,
    series: isSame && shown.series?.id === series?.id ? shown.series : series ? seriesOf(document!, series) : null,
    report: isSame ? shown.report : document ? reportOf(document) : [],
  };
}

function rowsOf({ roles }: Reading, { preview }: SeriesDocument): Rows {
  const columns = roles.slice(0, MOST_COLUMNS).map(({ column, role, reason }) => {
    return { name: column, role, reason: reason ?? null };
  });
  const cells = preview.slice(0, MOST_ROWS).map((row) => columns.map((_, at) => row[at] ?? ''));
  return { columns, cells, more: roles.length - columns.length };
}

const count = (value: number): string => inDigits(value);

function cardOf({ id, label, reasons, series, points, times, values }: ReadingProposal, isTaken: boolean): Card {
  const size =
    series === 1
      ? vscode.l10n.t('1 series · {0} points', count(points))
      : vscode.l10n.t('{0} series · {1} points', count(series), count(points));
  return { id, label, size, reasons, drawn: { times, values }, isTaken };
}

const questionOf = ({ choice, answer }: Reading['questions'][number]): Question => ({
  kind: choice.kind,
  text: choice.question,
  options: choice.options.map(({ label, detail }) => (detail === undefined ? label : `${label} (${detail})`)),
  answer,
});

function gridOf(reading: Reading, { frequency, aggregate }: ReadSeries): Grid {
  const resampling = resamplingOf(reading);
  return {
    pace: reading.pace ? describeFrequency(reading.pace) : null,
    steps: stepsFor(reading).map((step) => ({ code: formatDuration(step), label: describeFrequency(step) })),
    step: resampling ? formatDuration(resampling.step) : null,
    by: resampling?.by ?? aggregate?.by ?? 'mean',
    open: frequency?.open ? describeOpenTime(frequency.open) : null,
    closed: reading.layout.closed !== false,
  };
}

function seriesOf({ series }: SeriesDocument, drawn: ReadSeries): SeriesView {
  const { id, name, summary } = drawn;
  return {
    id,
    name,
    summary,
    drawn: thinned(...withGaps(drawn), MOST_DRAWN),
    axes: axesOf(drawn),
    names: series.slice(0, MOST_NAMES).map((one) => ({ id: one.id, name: one.name })),
    count: series.length,
  };
}

/** Labels that stand beside each other on the narrowest page. */
const TIME_TICKS = 8;
const VALUE_TICKS = 4;

function axesOf({ times, values, frequency, timeZone, timeKind }: ReadSeries): Axes {
  const { low, high } = rangeOf(values);
  const [first = 0, last = first] = [times[0], times.at(-1)];
  const shown = setting('timeZone');
  const zone = shown === 'file' ? (timeZone ?? 'UTC') : shown;
  const format = timeFormat([first, times[1] ?? first, last], frequency, zone, timeKind === 'row');
  const ticks = format.rows
    ? rowTicks(first, last, TIME_TICKS)
    : timeTicks({ min: first, max: last }, TIME_TICKS, format);
  const levels = valueTicks(low, high, VALUE_TICKS);
  const labels = axisLabels(levels);
  return {
    low,
    high,
    times: ticks.map(({ time, label, context }) => ({
      at: (time - first) / (last - first || 1),
      label: context === undefined ? label : `${label} ${context}`,
    })),
    values: levels.map((level, at) => ({ at: (level - low) / (high - low), label: labels[at] ?? '' })),
  };
}

/** The lowest and the highest value; a span of 1 where they are one. */
function rangeOf(values: Float64Array): { low: number; high: number } {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (!(low <= high)) return { low: 0, high: 1 };
  return low < high ? { low, high } : { low, high: low + 1 };
}

/** A step and a half without a row is a gap, but for time that is closed. */
const GAP = 1.5;

/** Points with a missing one in each gap, so that the line breaks there. */
function withGaps({ times, values, frequency }: ReadSeries): [Float64Array, Float64Array] {
  if (!frequency || frequency.open) return [times, values];
  const longest = GAP * approximateStep(frequency);
  const gaps = times.reduce((count, time, at) => (at > 0 && time - times[at - 1] > longest ? count + 1 : count), 0);
  const wider = times.length + gaps;
  const [broken, shown] = [new Float64Array(wider), new Float64Array(wider)];
  let to = 0;
  times.forEach((time, at) => {
    if (at > 0 && time - times[at - 1] > longest) {
      broken[to] = (time + times[at - 1]) / 2;
      shown[to++] = NaN;
    }
    broken[to] = time;
    shown[to++] = values[at];
  });
  return [broken, shown];
}

/** At most about so many points: the lowest and the highest of each stretch, and a break where it has none. */
export function thinned(times: Float64Array, values: Float64Array, most: number): Drawn {
  if (times.length <= most) return { times: times.slice(), values: values.slice() };
  const stretch = Math.ceil((2 * times.length) / most);
  const kept: number[] = [];
  for (let from = 0; from < times.length; from += stretch) {
    let low = from;
    let high = from;
    for (let at = from; at < Math.min(times.length, from + stretch); at++) {
      if (!(values[at] >= values[low])) low = Number.isNaN(values[at]) ? low : at;
      if (!(values[at] <= values[high])) high = Number.isNaN(values[at]) ? high : at;
    }
    kept.push(...(low === high ? [low] : low < high ? [low, high] : [high, low]));
  }
  return { times: Float64Array.from(kept, (at) => times[at]), values: Float64Array.from(kept, (at) => values[at]) };
}

/** What was left out and why, what was done with rows, and how many problems there are of each kind. */
function reportOf({ roles, series, problems, problemCount }: SeriesDocument): ReportLine[] {
  const columns = roles.flatMap(({ column, role, reason }) =>
    role === 'left-out' && reason !== undefined ? [{ text: vscode.l10n.t('{0}: {1}', column, reason), lines: [] }] : [],
  );
  const remarks = new Map<string, ReportLine>();
  for (const { text, lines } of series.flatMap((one) => one.remarks)) {
    if (!remarks.has(text)) remarks.set(text, { text, lines });
  }
  const told = problems
    .filter(({ severity }) => severity !== 'info')
    .map(({ message, line }): ReportLine => ({ text: message, lines: [[line, line]] }));
  const all = [...columns, ...remarks.values(), ...told];
  const more = all.length - MOST_LINES + (problemCount - problems.length);
  const shown = all.slice(0, MOST_LINES);
  return more > 0 ? [...shown, { text: vscode.l10n.t('{0} more', count(more)), lines: [] }] : shown;
}
