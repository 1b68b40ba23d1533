import { inDigits } from '../../calendar/digits.ts';
import * as l10n from '@vscode/l10n';
import type { BacktestView } from '../../editor/views/analysis/protocol.ts';
import type { Frame, Range } from '../../chart/frame.ts';
import { levelName } from '../../chart/format.ts';
import { h } from '../shared/dom.ts';
import { swatch } from './docked.ts';
import { type LookTab, createDrawing, lookTab } from './look-tab.ts';

/** The tab that shows how the forecast did in the past. */
export function createBacktestTab(frame: Frame, ask: () => void): LookTab<BacktestView> {
  const drawing = createDrawing(frame);
  return lookTab<BacktestView>('backtest', drawing, ask, (view) => {
    const { sentences, folds, level, scores, errors, coverage, naiveLabel } = view;
    const band = level === undefined ? [] : [h('span.item', {}, swatch('band', 2), levelName(level))];
    const legend = h(
      'div.legend',
      {},
      h('span.item', {}, swatch('history'), l10n.t('Observed')),
      h('span.item', {}, swatch('forecast'), l10n.t('Forecast')),
      ...band,
      h('span.item', {}, swatch('naive'), naiveLabel),
    );
    const range = rangeOf(frame, view);
    const over = drawing.add({
      label: l10n.t('The forecasts that were made again, over the history'),
      height: 260,
      range,
      lines: [
        { points: frame.history, look: 'history', gap: frame.gap },
        ...folds.map(({ naive }) => ({ points: naive, look: 'naive' as const })),
        ...folds.map(({ forecast }) => ({ points: forecast, look: 'forecast' as const })),
      ],
      areas: folds.filter(({ lower }) => lower.some(Number.isFinite)).map(({ forecast: { times }, lower, upper }) => ({ times, lower, upper })), // prettier-ignore
      rules: folds.map(({ origin }) => origin),
    });
    const steps = Float64Array.from(errors.model, (_, index) => index + 1);
    const ahead = drawing.add({
      label: l10n.t('Mean absolute error by steps ahead'),
      height: 170,
      range: { min: 0.5, max: steps.length + 0.5 },
      lines: [
        { points: { times: steps, values: errors.naive }, look: 'naive' },
        { points: { times: steps, values: errors.model }, look: 'forecast' },
      ],
      isZeroShown: true,
      ticks: stepTicks(steps.length),
    });
    return [
      ...sentences.map((sentence) => h('p.sentence', {}, sentence)),
      legend,
      over,
      h('div.columns', {}, titled(l10n.t('Mean absolute error by steps ahead'), ahead), tables(scores, coverage)),
    ];
  });
}

const titled = (title: string, ...content: HTMLElement[]) => h('section', {}, h('h2', {}, title), ...content);

function tables(scores: BacktestView['scores'], coverage: BacktestView['coverage']): HTMLElement {
  const percent = (value: number | undefined) => (value === undefined ? '–' : `${inDigits(value, 1)} %`);
  return h(
    'div.tables',
    {},
    table(
      l10n.t('Errors'),
      [l10n.t('Forecast'), 'MASE', 'sMAPE'],
      scores.map(({ label, mase, smape }) => [label, mase === undefined ? '–' : inDigits(mase, 2), percent(smape)]),
    ),
    ...(coverage.length > 0
      ? [
          table(
            l10n.t('What came inside the bands'),
            [l10n.t('Band'), l10n.t('Held')],
            coverage.map(({ level, held }) => [levelName(level), `${String(Math.round(held))} %`]),
          ),
        ]
      : []),
  );
}

function table(title: string, columns: readonly string[], rows: readonly (readonly string[])[]): HTMLElement {
  const head = columns.map((column) => h('th', { attributes: { scope: 'col' } }, column));
  const lines = rows.map(([name = '', ...cells]) =>
    h('tr', {}, h('th', { attributes: { scope: 'row' } }, name), ...cells.map((cell) => h('td', {}, cell))),
  );
  return titled(
    title,
    h('table', { attributes: { 'aria-label': title } }, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...lines)),
  );
}

/** From some horizons before the first fold to the end of the history. */
function rangeOf({ history }: Frame, { folds }: BacktestView): Range {
  const last = history.times.at(-1) ?? 0;
  const first = Math.min(last, ...folds.map(({ origin }) => origin));
  const before = Math.max((last - first) * 0.8, 1);
  return { min: Math.max(history.times[0] ?? first, first - before), max: last + (last - first) * 0.02 };
}

function stepTicks(count: number): { at: number; label: string }[] {
  const every = Math.max(1, Math.ceil(count / 12));
  const steps = Array.from({ length: count }, (_, index) => index + 1);
  return steps.filter((step) => step === 1 || step % every === 0).map((at) => ({ at, label: String(at) }));
}
