import * as vscode from 'vscode';
import { inDigits } from '../../../calendar/digits.ts';
import { formatDuration } from '../../../calendar/duration.ts';
import { approximateStep } from '../../../calendar/frequency.ts';
import { describeFrequency, describeOpenTime } from '../../../calendar/words.ts';
import type { ReadingProposal, ReadSeries, SeriesDocument } from '../../../reading/types.ts';
import { setting } from '../../connection/settings.ts';
import { memo } from '../shared/memo.ts';
import type { ReadingRef } from './protocol.ts';
import { type Reading, resamplingOf, stepsFor } from './reducer.ts';

const MOST_COLUMNS = 40;
const MOST_ROWS = 8;
const MOST_DRAWN = 1000;
const MOST_NAMES = 200;
const MOST_LINES = 12;

export interface ReadingState extends ReturnType<ReturnType<typeof readingViewer>> {
  readonly ref: ReadingRef;
  readonly title: string;
  readonly fileName: string;
  readonly purpose: string;
}

/** What a page shows of a reading. Parts whose inputs are the same keep their identity, and are not sent again. */
export function readingViewer() {
  const parts = { rows: memo(rowsOf), cards: memo(cardsOf), series: memo(seriesOf), report: memo(reportOf) };
  const questions = memo((all: Reading['questions']) => all.map(questionOf));
  return (reading: Reading) => {
    const { document, roles, layout, drawn, problem, isReading } = reading;
    const series = document?.series.find(({ id }) => id === drawn) ?? document?.series[0];
    return {
      isReading,
      /** Whether proposals compete, so the person is asked to check. */
      isUncertain: document?.isUncertain ?? false,
      isChanged: Object.keys(layout).length > 0,
      problem: problem ?? null,
      questions: questions(reading.questions),
      rows: document ? parts.rows(roles, document.preview) : null,
      cards: parts.cards(document?.proposals),
      grid: series ? gridOf(reading, series) : null,
      series: document && series ? parts.series(document, series) : null,
      report: parts.report(document),
    };
  };
}

function rowsOf(roles: Reading['roles'], preview: SeriesDocument['preview']) {
  const columns = roles.slice(0, MOST_COLUMNS).map(({ column, role, reason }) => {
    return { name: column, role, reason: reason ?? null };
  });
  const cells = preview.slice(0, MOST_ROWS).map((row) => columns.map((_, at) => row[at] ?? ''));
  return { columns, cells, more: roles.length - columns.length };
}

const cardsOf = (proposals: readonly ReadingProposal[] = []) =>
  proposals.map(({ id, label, reasons, series, points, times, values }, at) => {
    const size =
      series === 1
        ? vscode.l10n.t('1 series · {0} points', inDigits(points))
        : vscode.l10n.t('{0} series · {1} points', inDigits(series), inDigits(points));
    return { id, label, size, reasons, drawn: { times, values }, isTaken: at === 0 };
  });

const questionOf = ({ choice, answer }: Reading['questions'][number]) => ({
  kind: choice.kind,
  text: choice.question,
  options: choice.options.map(({ label, detail }) => (detail === undefined ? label : `${label} (${detail})`)),
  answer,
});

/** Steps as ISO 8601 durations, and in words. */
function gridOf(reading: Reading, { frequency, aggregate }: ReadSeries) {
  const { rowStep, layout } = reading;
  const resampling = resamplingOf(reading);
  return {
    /** `null` if irregular. */
    rowStep: rowStep ? describeFrequency(rowStep) : null,
    steps: stepsFor(reading).map((step) => ({ code: formatDuration(step), label: describeFrequency(step) })),
    step: resampling ? formatDuration(resampling.step) : null,
    by: resampling?.by ?? aggregate?.by ?? 'mean',
    /** `Mon–Sat`; `null` if no time is closed. */
    open: frequency?.open ? describeOpenTime(frequency.open) : null,
    closed: layout.closed !== false,
  };
}

const GAP = 1.5;

function seriesOf({ series }: SeriesDocument, shown: ReadSeries) {
  const { id, name, summary, frequency, timeZone, timeKind } = shown;
  const zone = setting('timeZone');
  const drawn = thinned(shown.times, shown.values, MOST_DRAWN);
  const isWhole = drawn.times.length === shown.times.length;
  const gap = isWhole && frequency && !frequency.open ? GAP * approximateStep(frequency) : undefined;
  return {
    id,
    name,
    summary,
    drawn: { ...drawn, gap },
    time: {
      frequency,
      zone: zone === 'file' ? (timeZone ?? 'UTC') : zone,
      isOfRows: timeKind === 'row',
    },
    names: series.slice(0, MOST_NAMES).map((one) => ({ id: one.id, name: one.name })),
    count: series.length,
  };
}

/** About so many points at most: the lowest and the highest of each stretch; NaN for a stretch without values. */
export function thinned(times: Float64Array, values: Float64Array, most: number) {
  if (times.length <= most) return { times: times.slice(), values: values.slice() };
  const kept: number[] = [];
  const stretch = Math.ceil((2 * times.length) / most);
  for (let from = 0; from < times.length; from += stretch) {
    let [low, high] = [from, from];
    for (let at = from; at < Math.min(times.length, from + stretch); at++) {
      if (!(values[at] >= values[low]) && !Number.isNaN(values[at])) low = at;
      if (!(values[at] <= values[high]) && !Number.isNaN(values[at])) high = at;
    }
    kept.push(...new Set([Math.min(low, high), Math.max(low, high)]));
  }
  return { times: Float64Array.from(kept, (at) => times[at]), values: Float64Array.from(kept, (at) => values[at]) };
}

type ReportLine = Pick<ReadSeries['remarks'][number], 'text' | 'lines'>;

function reportOf(document: SeriesDocument | undefined): ReportLine[] {
  if (!document) return [];
  const { roles, series, problems, problemCount } = document;
  const columns = roles.flatMap(({ column, role, reason }) =>
    role === 'left-out' && reason !== undefined ? [{ text: vscode.l10n.t('{0}: {1}', column, reason), lines: [] }] : [],
  );
  const remarks = new Map<string, ReportLine>();
  for (const { text, lines } of series.flatMap((one) => one.remarks))
    if (!remarks.has(text)) remarks.set(text, { text, lines });
  const faults = problems
    .filter(({ severity }) => severity !== 'info')
    .map(({ message, line }): ReportLine => ({ text: message, lines: [[line, line]] }));
  const all = [...columns, ...remarks.values(), ...faults];
  const more = all.length - MOST_LINES + (problemCount - problems.length);
  const shown = all.slice(0, MOST_LINES);
  return more > 0 ? [...shown, { text: vscode.l10n.t('{0} more', inDigits(more)), lines: [] }] : shown;
}
