import * as l10n from '@vscode/l10n';
import { axesOf } from '../../chart/axes.ts';
import type { ComponentChildren } from 'preact';
import { inDigits } from '../../calendar/digits.ts';
import { type Frame, levelName, nearest, seriesTraces, type Trace } from '../../chart/frame.ts';
import type { Scene } from '../../chart/scene.ts';
import type { Analyses, Analysis, AnomaliesView, BacktestView, Found } from '../../editor/views/chart/protocol.ts';
import { Picture } from '../shared/drawing.tsx';
import {
  Buttons,
  Facts,
  factsOf,
  figureOf,
  Labeled,
  Link,
  percentageOf,
  Section,
  Select,
  Table,
} from '../shared/elements.tsx';
import { LegendItem, moveTo, type Tab, type TabContext } from './chart-tab.tsx';

/** What a tab of an analysis shows: what was found, a word while it is computed, a sentence where that failed. */
const tabOf =
  <A extends Analysis>(analysis: A, content: (view: Analyses[A], context: TabContext) => ComponentChildren) =>
  (context: TabContext) => {
    const found = context.state.analyses[analysis] as Found<Analyses[A]> | undefined;
    if (found === undefined) return null;
    if (found !== 'asked' && 'view' in found) return <>{content(found.view, context)}</>;
    const isAsked = found === 'asked';
    return (
      <p key={isAsked ? 'asked' : 'problem'} class="empty" role={isAsked ? 'status' : 'alert'}>
        {isAsked ? l10n.t('Computing…') : found.problem}
      </p>
    );
  };

const sentence = (text: string) => (
  <p key={text} class="sentence">
    {text}
  </p>
);

const Titled = (props: { title: string; columns: string[]; rows: readonly (readonly string[])[] }) => (
  <Section title={props.title}>
    <Table label={props.title} columns={props.columns} rows={props.rows.map((cells, key) => ({ key, cells }))} />
  </Section>
);

const BASELINE = { hue: 1, width: 1.5 };

export const BacktestTab = tabOf('backtest', (view, { shown: { frame } }) => {
  const { sentences, level, errors, scores, coverage } = view;
  const byStep = l10n.t('Mean absolute error by steps ahead');
  return (
    <>
      {sentences.map(sentence)}
      <div class="legend">
        <LegendItem kind="history" label={l10n.t('Observed')} />
        <LegendItem kind="forecast" label={l10n.t('Forecast')} />
        {level !== undefined && <LegendItem kind="interval" layers={2} label={levelName(level)} />}
        <LegendItem kind="naive" label={l10n.t('Seasonal naive')} />
      </div>
      <Picture label={l10n.t('Backtest forecasts over the history')} height={260} scene={foldsOver(frame, view)} />
      <div class="columns">
        <Section title={byStep}>
          <Picture label={byStep} height={170} scene={errorsByStep(errors)} />
        </Section>
        <div class="tables">
          <Titled
            title={l10n.t('Errors')}
            columns={[l10n.t('Forecast'), 'MASE', 'sMAPE']}
            rows={scores.map(({ label, mase, smape }) => [label, figureOf(mase, 2), percentageOf(smape, 1)])}
          />
          {coverage.length > 0 && (
            <Titled
              title={l10n.t('Coverage of the prediction intervals')}
              columns={[l10n.t('Level'), l10n.t('Coverage')]}
              rows={coverage.map((one) => [levelName(one.level), percentageOf(one.covered, 0)])}
            />
          )}
        </div>
      </div>
    </>
  );
});

function foldsOver({ history, time }: Frame, { folds }: BacktestView): Scene {
  const traces: Trace[] = [
    ...folds.map(
      ({ forecast: { times }, lower, upper }) => ({ kind: 'area', times, lower, upper, alpha: 0.25 }) as const,
    ),
    ...seriesTraces({ history, rules: folds.map(({ origin }) => origin) }),
    ...folds.map(({ naive }): Trace => ({ kind: 'line', line: naive, ...BASELINE })),
    ...folds.map(({ forecast }): Trace => ({ kind: 'line', line: forecast, hue: 'forecast' })),
  ];
  const last = history.times.at(-1) ?? 0;
  const first = Math.min(last, ...folds.map(({ origin }) => origin));
  const before = Math.max((last - first) * 0.8, 1);
  const range = { min: Math.max(history.times[0] ?? first, first - before), max: last + (last - first) * 0.02 };
  return { traces, range, axes: axesOf({ below: time }) };
}

function errorsByStep({ model, naive }: BacktestView['errors']): Scene {
  const times = Float64Array.from(model, (_, index) => index + 1);
  const every = Math.max(1, Math.ceil(times.length / 12));
  const steps = [...times].filter((step) => step === 1 || step % every === 0);
  return {
    traces: [
      { kind: 'line', line: { times, values: naive }, ...BASELINE },
      { kind: 'line', line: { times, values: model }, hue: 'forecast' },
    ],
    range: { min: 0.5, max: times.length + 0.5 },
    axes: axesOf({ below: steps.map((at) => ({ at, label: String(at) })), isZeroShown: true }),
  };
}

const GUTTER = 64;

export const DecompositionTab = tabOf('decomposition', ({ sentences, components }, { shown: { frame } }) => {
  const times = components.flatMap(({ history, forecast }) => [history.times[0], forecast.times.at(-1)]);
  const ends = times.filter((time) => time !== undefined);
  const range = { min: Math.min(...ends), max: Math.max(...ends) };
  return (
    <>
      {sentences.length > 0 && sentence(`${sentences.join('; ')}.`)}
      {components.map(({ label, history, forecast, isAroundZero }, index) => {
        const isLast = index === components.length - 1;
        const [time = NaN, value = NaN] = [history.times.at(-1), history.values.at(-1)];
        const join = Number.isFinite(value) ? { time, value } : undefined;
        const axes = axesOf({ below: isLast ? frame.time : undefined, isZeroShown: isAroundZero, gutter: GUTTER });
        const traces = seriesTraces({ history, forecast, join, rules: [frame.divide] });
        return (
          <Section key={label} title={label}>
            <Picture label={label} height={isLast ? 138 : 110} scene={{ traces, range, axes }} />
          </Section>
        );
      })}
    </>
  );
});

export const AnomaliesTab = tabOf('anomalies', (view, context) => {
  const { points, rarity, rarities, actions } = view;
  return (
    <>
      {sentence(view.sentence)}
      <div class="anomaly-ways">
        <Labeled id="rarity" label={l10n.t('Threshold')}>
          <Select
            id="rarity"
            value={String(rarity)}
            options={rarities.map((one) => [String(one), l10n.t('1 in {0}', inDigits(one))])}
            choose={(one) => context.send({ type: 'analyze', analysis: 'anomalies', rarity: Number(one) })}
          />
        </Labeled>
        <Buttons actions={actions} act={(id) => context.send({ type: 'action', id })} primary={-1} />
      </div>
      {points.length > 0 && <AnomalyList points={points} context={context} />}
    </>
  );
});

function AnomalyList({ points, context }: Pick<AnomaliesView, 'points'> & { readonly context: TabContext }) {
  const { times, time, value } = context.shown.frame;
  const label = l10n.t('Anomalies');
  const goTo = (moment: number) => {
    context.change({ tab: 'chart' });
    moveTo(context, nearest(times, moment));
  };
  const rows = points.map((point, key) => ({
    key,
    cells: [
      <Link run={() => goTo(point.time)} title={l10n.t('Show in the chart')}>
        {time.write(point.time)}
      </Link>,
      value.observed(point.value),
      value.predicted(point.expected),
      <Facts class="about-anomaly" facts={factsOf(point.about)} />,
    ],
  }));
  const columns = [l10n.t('Time'), l10n.t('Observed'), l10n.t('Expected'), l10n.t('Anomaly score')];
  return (
    <div class="anomaly-list" tabIndex={0} role="region" aria-label={label}>
      <Table label={label} columns={columns} rows={rows} />
    </div>
  );
}

export const analysisTabs: Readonly<Record<Analysis, Tab>> = {
  backtest: { title: l10n.t('Backtest'), component: BacktestTab },
  decomposition: { title: l10n.t('Decomposition'), component: DecompositionTab },
  anomalies: { title: l10n.t('Anomalies'), component: AnomaliesTab },
};
