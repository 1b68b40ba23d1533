import * as vscode from 'vscode';
import { inDigits } from '../../../calendar/digits.ts';
import { formatDuration } from '../../../calendar/duration.ts';
import { approximateStep } from '../../../calendar/frequency.ts';
import { describeFrequency, describeOpenTime } from '../../../calendar/words.ts';
import type { ReadingProposal, ReadSeries, SeriesDocument } from '../../../reading/types.ts';
import { setting } from '../../connection/settings.ts';
import type { Card, Drawn, Grid, Question, ReadingState, ReportLine, Rows, SeriesView } from './protocol.ts';
import { type Reading, resamplingOf, stepsFor } from './reducer.ts';

const MOST_COLUMNS = 40;
const MOST_ROWS = 8;
const MOST_DRAWN = 1000;
const MOST_NAMES = 200;
const MOST_LINES = 12;

/** The state after a change of the reading. Unchanged parts keep their identity, and are not sent again. */
export function viewOf(reading: Reading, before: Reading, shown: ReadingState): ReadingState {
  const { document, roles, questions, layout, drawn, problem = null, isReading } = reading;
  const ofReading = {
    ...shown,
    isReading,
    problem,
    isChanged: Object.keys(layout).length > 0,
    questions: before.questions === questions ? shown.questions : questions.map(questionOf),
  };
  if (!document) return ofReading;
  const isSame = before.document === document;
  const series = document.series.find(({ id }) => id === drawn) ?? document.series[0];
  return {
    ...ofReading,
    isUncertain: document.isUncertain,
    rows: isSame && before.roles === roles ? shown.rows : rowsOf(reading, document),
    cards: isSame ? shown.cards : document.proposals.map((proposal, at) => cardOf(proposal, at === 0)),
    grid: series ? gridOf(reading, series) : null,
    series: isSame && shown.series?.id === series?.id ? shown.series : series ? seriesOf(document, series) : null,
    report: isSame ? shown.report : reportOf(document),
  };
}

function rowsOf({ roles }: Reading, { preview }: SeriesDocument): Rows {
  const columns = roles.slice(0, MOST_COLUMNS).map(({ column, role, reason }) => {
    return { name: column, role, reason: reason ?? null };
  });
  const cells = preview.slice(0, MOST_ROWS).map((row) => columns.map((_, at) => row[at] ?? ''));
  return { columns, cells, more: roles.length - columns.length };
}

function cardOf({ id, label, reasons, series, points, times, values }: ReadingProposal, isTaken: boolean): Card {
  const size =
    series === 1
      ? vscode.l10n.t('1 series · {0} points', inDigits(points))
      : vscode.l10n.t('{0} series · {1} points', inDigits(series), inDigits(points));
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
    rowStep: reading.rowStep ? describeFrequency(reading.rowStep) : null,
    steps: stepsFor(reading).map((step) => ({ code: formatDuration(step), label: describeFrequency(step) })),
    step: resampling ? formatDuration(resampling.step) : null,
    by: resampling?.by ?? aggregate?.by ?? 'mean',
    open: frequency?.open ? describeOpenTime(frequency.open) : null,
    closed: reading.layout.closed !== false,
  };
}

/** So many steps without a row are a gap. */
const GAP = 1.5;

function seriesOf({ series }: SeriesDocument, shown: ReadSeries): SeriesView {
  const { id, name, summary, frequency, timeZone, timeKind } = shown;
  const zone = setting('timeZone');
  const drawn = thinned(shown.times, shown.values, MOST_DRAWN);
  const isWhole = drawn.times.length === shown.times.length;
  const gap = isWhole && frequency && !frequency.open ? { gap: GAP * approximateStep(frequency) } : {};
  return {
    id,
    name,
    summary,
    drawn: { ...drawn, ...gap },
    time: {
      frequency: frequency ?? null,
      zone: zone === 'file' ? (timeZone ?? 'UTC') : zone,
      isOfRows: timeKind === 'row',
    },
    names: series.slice(0, MOST_NAMES).map((one) => ({ id: one.id, name: one.name })),
    count: series.length,
  };
}

/** About so many points at most: the lowest and the highest of each stretch; NaN for a stretch without values. */
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

function reportOf({ roles, series, problems, problemCount }: SeriesDocument): ReportLine[] {
  const columns = roles.flatMap(({ column, role, reason }) =>
    role === 'left-out' && reason !== undefined ? [{ text: vscode.l10n.t('{0}: {1}', column, reason), lines: [] }] : [],
  );
  const remarks = new Map<string, ReportLine>();
  for (const { text, lines } of series.flatMap((one) => one.remarks)) {
    if (!remarks.has(text)) remarks.set(text, { text, lines });
  }
  const faults = problems
    .filter(({ severity }) => severity !== 'info')
    .map(({ message, line }): ReportLine => ({ text: message, lines: [[line, line]] }));
  const all = [...columns, ...remarks.values(), ...faults];
  const more = all.length - MOST_LINES + (problemCount - problems.length);
  const shown = all.slice(0, MOST_LINES);
  return more > 0 ? [...shown, { text: vscode.l10n.t('{0} more', inDigits(more)), lines: [] }] : shown;
}
