import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { inDigits } from '../../calendar/digits.ts';
import { levelName } from '../../chart/format.ts';
import type { Frame, Range } from '../../chart/frame.ts';
import { drawScene, type Scene } from '../../chart/scene.ts';
import { type Trace, intervalPieces, joined } from '../../chart/trace.ts';
import type { Analyses, Analysis, AnomaliesView, BacktestView, Found } from '../../editor/views/chart/protocol.ts';
import { Drawing } from '../shared/drawing.tsx';
import { Button, Link } from '../shared/elements.tsx';
import { Swatch } from './readout.tsx';
import type { Sight } from './view.ts';

/** What was found of an analysis: a word while it is computed, a sentence where that failed. */
function Analyzed<V>({
  found,
  children,
}: {
  readonly found: Found<V> | undefined;
  readonly children: (view: V) => ComponentChildren;
}) {
  if (found === undefined) return null;
  if (found === 'asked') {
    return (
      <p class="empty" role="status">
        {l10n.t('Being computed…')}
      </p>
    );
  }
  if ('view' in found) return <>{children(found.view)}</>;
  return (
    <p key="problem" class="empty" role="alert">
      {found.problem}
    </p>
  );
}

/** A tab of an analysis. */
const tabOf =
  <A extends Analysis>(analysis: A, content: (view: Analyses[A], sight: Sight) => ComponentChildren) =>
  (sight: Sight) => (
    <Analyzed found={sight.state.analyses[analysis] as Found<Analyses[A]> | undefined}>
      {(view) => content(view, sight)}
    </Analyzed>
  );

/** A picture of a scene. @param height in pixels */
export const Picture = ({
  label,
  height,
  scene,
}: {
  readonly label: string;
  readonly height: number;
  readonly scene: Scene;
}) => (
  <div class="small" style={{ height: `${String(height)}px` }}>
    <Drawing
      label={label}
      paint={(pen, place, colors) => {
        drawScene(pen, scene, place, colors);
      }}
    />
  </div>
);

const Sentences = ({ sentences }: { readonly sentences: readonly string[] }) => (
  <>
    {sentences.map((sentence) => (
      <p key={sentence} class="sentence">
        {sentence}
      </p>
    ))}
  </>
);

/** A table whose rows begin with their names. */
const Table = ({
  label,
  columns,
  rows,
}: {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
}) => (
  <table aria-label={label}>
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(([name, ...cells], row) => (
        <tr key={row}>
          <th scope="row">{name}</th>
          {cells.map((cell, index) => (
            <td key={index}>{cell}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

/** The further color of the baseline. */
const BASELINE = 1;

/** The tab that shows how the forecast did in the past. */
export const BacktestTab = tabOf('backtest', (view, { shown: { frame } }) => (
  <>
    <Sentences sentences={view.sentences} />
    <Legend view={view} />
    <Picture
      label={l10n.t('The forecasts that were made again, over the history')}
      height={260}
      scene={foldsOver(frame, view)}
    />
    <div class="columns">
      <section>
        <h2>{l10n.t('Mean absolute error by steps ahead')}</h2>
        <Picture label={l10n.t('Mean absolute error by steps ahead')} height={170} scene={errorsByStep(view.errors)} />
      </section>
      <Tables view={view} />
    </div>
  </>
));

const Legend = ({ view: { level, naiveLabel } }: { readonly view: BacktestView }) => (
  <div class="legend">
    <span class="item">
      <Swatch kind="history" />
      {l10n.t('Observed')}
    </span>
    <span class="item">
      <Swatch kind="forecast" />
      {l10n.t('Forecast')}
    </span>
    {level !== undefined && (
      <span class="item">
        <Swatch kind="interval" layers={2} />
        {levelName(level)}
      </span>
    )}
    <span class="item">
      <Swatch kind="naive" />
      {naiveLabel}
    </span>
  </div>
);

function foldsOver(frame: Frame, view: BacktestView): Scene {
  const { folds } = view;
  const traces: Trace[] = [
    ...folds.map(({ forecast, lower, upper }): Trace => ({
      kind: 'area',
      pieces: intervalPieces(undefined, { ...forecast, intervals: [] }, { lower, upper }),
      alpha: 0.25,
    })),
    ...folds.map(({ origin }): Trace => ({ kind: 'rule', at: origin })),
    { kind: 'line', line: { ...frame.history, gap: frame.gap }, hue: 'history' },
    ...folds.map(({ naive }): Trace => ({ kind: 'line', line: naive, hue: BASELINE, width: 1.5 })),
    ...folds.map(({ forecast }): Trace => ({ kind: 'line', line: forecast, hue: 'forecast' })),
  ];
  return { traces, range: rangeOf(frame, view), axes: { below: frame.time } };
}

function errorsByStep({ model, naive }: BacktestView['errors']): Scene {
  const times = Float64Array.from(model, (_, index) => index + 1);
  const every = Math.max(1, Math.ceil(times.length / 12));
  const steps = [...times].filter((step) => step === 1 || step % every === 0);
  return {
    traces: [
      { kind: 'line', line: { times, values: naive }, hue: BASELINE, width: 1.5 },
      { kind: 'line', line: { times, values: model }, hue: 'forecast' },
    ],
    range: { min: 0.5, max: times.length + 0.5 },
    axes: { below: steps.map((at) => ({ at, label: String(at) })), isZeroShown: true },
  };
}

/** From some horizons before the first fold to the end of the history. */
function rangeOf({ history }: Frame, { folds }: BacktestView): Range {
  const last = history.times.at(-1) ?? 0;
  const first = Math.min(last, ...folds.map(({ origin }) => origin));
  const before = Math.max((last - first) * 0.8, 1);
  return { min: Math.max(history.times[0] ?? first, first - before), max: last + (last - first) * 0.02 };
}

function Tables({ view: { scores, coverage } }: { readonly view: BacktestView }) {
  const number = (value: number | undefined, digits: number, unit = '') =>
    value === undefined ? '–' : `${inDigits(value, digits)}${unit}`;
  return (
    <div class="tables">
      <section>
        <h2>{l10n.t('Errors')}</h2>
        <Table
          label={l10n.t('Errors')}
          columns={[l10n.t('Forecast'), 'MASE', 'sMAPE']}
          rows={scores.map(({ label, mase, smape }) => [label, number(mase, 2), number(smape, 1, ' %')])}
        />
      </section>
      {coverage.length > 0 && (
        <section>
          <h2>{l10n.t('Coverage of the prediction intervals')}</h2>
          <Table
            label={l10n.t('Coverage of the prediction intervals')}
            columns={[l10n.t('Level'), l10n.t('Coverage')]}
            rows={coverage.map(({ level, held }) => [levelName(level), number(held, 0, ' %')])}
          />
        </section>
      )}
    </div>
  );
}

/** Room for the labels of values, in pixels: components below each other have one axis of time. */
const GUTTER = 64;

/** The tab that shows the components of the series and its forecast: small charts on one axis of time. */
export const DecompositionTab = tabOf('decomposition', ({ sentences, parts }, { shown: { frame } }) => (
  <>
    {sentences.length > 0 && <Sentences sentences={[`${sentences.join('; ')}.`]} />}
    {parts.map(({ label }, index) => (
      <section key={label}>
        <h2>{label}</h2>
        <Picture
          label={label}
          height={index === parts.length - 1 ? 138 : 110}
          scene={componentOf(frame, parts, index)}
        />
      </section>
    ))}
  </>
));

/** A component with that of the forecast tied on; only the last one has labels of time below. */
function componentOf(frame: Frame, parts: Analyses['decomposition']['parts'], index: number): Scene {
  const { history, forecast, isAroundZero } = parts[index]!;
  const times = parts.flatMap((part) => [part.history.times[0] ?? Infinity, part.forecast.times.at(-1) ?? -Infinity]);
  const value = history.values.at(-1);
  const join = value !== undefined && Number.isFinite(value) ? { time: history.times.at(-1)!, value } : undefined;
  return {
    traces: [
      ...(frame.divide === undefined ? [] : [{ kind: 'rule', at: frame.divide } as const]),
      { kind: 'line', line: history, hue: 'history' },
      { kind: 'line', line: joined(forecast, join), hue: 'forecast' },
    ],
    range: { min: Math.min(...times), max: Math.max(...times.filter(Number.isFinite)) },
    axes: {
      ...(index === parts.length - 1 && { below: frame.time }),
      isZeroShown: isAroundZero,
      gutter: GUTTER,
    },
  };
}

/** The tab that lists the observations that were not expected. */
export const AnomaliesTab = tabOf('anomalies', (view, sight) => {
  const { send } = sight;
  const { sentence, points, rarity, rarities, canMark, canLeaveOut } = view;
  const button = (words: string, what: 'leave-out' | 'mark') => (
    <Button
      class="button secondary"
      run={() => {
        send({ type: 'anomalies', do: what });
      }}
    >
      {words}
    </Button>
  );
  return (
    <>
      <Sentences sentences={[sentence]} />
      <div class="anomaly-ways">
        <div class="control">
          <label for="rarity">{l10n.t('By chance')}</label>
          <select
            id="rarity"
            value={rarity}
            onChange={({ currentTarget }) => {
              send({ type: 'analyze', analysis: 'anomalies', rarity: Number(currentTarget.value) });
            }}
          >
            {rarities.map((one) => (
              <option key={one} value={one}>
                {l10n.t('1 in {0}', inDigits(one))}
              </option>
            ))}
          </select>
        </div>
        {canLeaveOut && points.length > 0 && button(l10n.t('Forecast without Them'), 'leave-out')}
        {canMark && points.length > 0 && button(l10n.t('Mark in the File'), 'mark')}
      </div>
      {points.length > 0 && <AnomalyList points={points} {...sight} />}
    </>
  );
});

/** The anomalies, each of which leads to its place in the chart. */
function AnomalyList({ points, shown, change, target }: Sight & Pick<AnomaliesView, 'points'>) {
  const { time, value } = shown.frame;
  const label = l10n.t('Anomalies');
  const goTo = (moment: number) => () => {
    change({ tab: 'chart' });
    target.value = { time: moment };
  };
  return (
    <div class="anomaly-list" tabIndex={0} role="region" aria-label={label}>
      <Table
        label={label}
        columns={[l10n.t('Time'), l10n.t('Observed'), l10n.t('Expected'), l10n.t('Anomaly score')]}
        rows={points.map((point) => [
          <Link run={goTo(point.time)} title={l10n.t('Show in the chart')}>
            {time.write(point.time)}
          </Link>,
          value.observed(point.value),
          value.predicted(point.expected),
          point.about,
        ])}
      />
    </div>
  );
}
