import * as l10n from '@vscode/l10n';
import { inDigits } from '../../calendar/digits.ts';
import { levelName } from '../../chart/format.ts';
import type { Frame, Range } from '../../chart/frame.ts';
import type { Scene, Trace } from '../../chart/scene.ts';
import { bandPieces } from '../../chart/trace.ts';
import type { BacktestView } from '../../editor/views/analysis/protocol.ts';
import { LookTab, type LookTabProps, Picture } from './look-tab.tsx';
import { Swatch } from './readout.tsx';

/** The further color of the baseline. */
const BASELINE = 1;

/** The tab that shows how the forecast did in the past. */
export const BacktestTab = ({ frame, found }: LookTabProps) => (
  <LookTab look="backtest" found={found}>
    {(view) => (
      <>
        {view.sentences.map((sentence) => (
          <p key={sentence} class="sentence">
            {sentence}
          </p>
        ))}
        <Legend view={view} />
        <Picture
          label={l10n.t('The forecasts that were made again, over the history')}
          height={260}
          scene={foldsOver(frame, view)}
        />
        <div class="columns">
          <section>
            <h2>{l10n.t('Mean absolute error by steps ahead')}</h2>
            <Picture
              label={l10n.t('Mean absolute error by steps ahead')}
              height={170}
              scene={errorsByStep(view.errors)}
            />
          </section>
          <Tables view={view} />
        </div>
      </>
    )}
  </LookTab>
);

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
        <Swatch kind="band" layers={2} />
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
    ...folds.map(({ forecast, lower, upper }): Trace => ({ kind: 'area', pieces: bandPieces(undefined, { ...forecast, bands: [] }, { lower, upper }), alpha: 0.25 })), // prettier-ignore
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
      <Table
        title={l10n.t('Errors')}
        columns={[l10n.t('Forecast'), 'MASE', 'sMAPE']}
        rows={scores.map(({ label, mase, smape }) => [label, number(mase, 2), number(smape, 1, ' %')])}
      />
      {coverage.length > 0 && (
        <Table
          title={l10n.t('Coverage of the prediction intervals')}
          columns={[l10n.t('Level'), l10n.t('Coverage')]}
          rows={coverage.map(({ level, held }) => [levelName(level), number(held, 0, ' %')])}
        />
      )}
    </div>
  );
}

const Table = ({
  title,
  columns,
  rows,
}: {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}) => (
  <section>
    <h2>{title}</h2>
    <table aria-label={title}>
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
        {rows.map(([name, ...cells]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {cells.map((cell, index) => (
              <td key={index}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
