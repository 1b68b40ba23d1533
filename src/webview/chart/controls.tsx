import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { Change, ChartControls, CompareView, SentIntent } from '../../editor/views/chart/protocol.ts';
import { Button, Field, figureOf, Labeled, Link, MenuButton, percentageOf } from '../shared/elements.tsx';
import { Popup, PopupButton, Select, Table, type TableRow } from '../shared/elements.tsx';
import { Swatch } from './chart-tab.tsx';

const MOST_INTERVALS = 10;

type ControlsProps = Readonly<{ controls: ChartControls | null; isComparing: boolean; send: Send }>;
type Send = (intent: SentIntent) => void;

/** The row in which a forecast is changed in place; it stays in the page while forecasts change. */
export function Controls({ controls, isComparing, send }: ControlsProps) {
  if (!controls) return null;
  const { horizon, model, intervals, columns, back, canCompare } = controls;
  const change = (what: Change) => send({ type: 'change', change: what });
  return (
    <div class="controls" role="group" aria-label={l10n.t('Change the forecast')}>
      {horizon && <Horizon horizon={horizon} change={change} />}
      {model && <Model model={model} change={change} />}
      {intervals && <Levels intervals={intervals} change={change} />}
      {columns && <Covariates columns={columns} change={change} test={() => send({ type: 'test-columns' })} />}
      <div class="control ways">
        {back !== undefined && (
          <Button title={back} run={() => send({ type: 'back' })}>
            {l10n.t('Back')}
          </Button>
        )}
        {canCompare && (
          <Button aria-pressed={isComparing} run={() => send({ type: 'compare', do: isComparing ? 'close' : 'open' })}>
            {l10n.t('Compare')}
          </Button>
        )}
      </div>
    </div>
  );
}

type ControlProps<K extends keyof ChartControls> = Required<Pick<ChartControls, K>> & {
  readonly change: (what: Change) => void;
};

function Horizon({ horizon: { steps, most, unit, picks }, change }: ControlProps<'horizon'>) {
  const take = (wanted: number) => {
    if (!Number.isSafeInteger(wanted) || wanted < 1 || wanted > most || wanted === steps) return false;
    change({ horizon: wanted });
    return true;
  };
  const items = picks.map((pick) => ({ label: pick.label, run: () => take(pick.steps) }));
  const field = { min: 1, max: most, shown: String(steps), take: (typed: string) => take(Number(typed)) };
  return (
    <Labeled id="horizon" label={l10n.t('Horizon')}>
      <Field class="number" type="number" id="horizon" aria-label={l10n.t('Steps ahead')} {...field} />
      <div class="unit">
        <MenuButton key={unit} name={unit} aria-label={l10n.t('{0}: suggestions', unit)} items={items} />
      </div>
    </Labeled>
  );
}

function Model({ model: { id, choices }, change }: ControlProps<'model'>) {
  const options = (isTuned: boolean) =>
    choices.filter((choice) => choice.isTuned === isTuned).map((choice) => [choice.id, choice.label] as const);
  const groups = [[l10n.t('Fine-tuned models'), options(true)]] as const;
  return (
    <Labeled id="model" label={l10n.t('Model')}>
      <Select id="model" value={id} options={options(false)} groups={groups} choose={(model) => change({ model })} />
    </Labeled>
  );
}

function Levels({ intervals, change }: ControlProps<'intervals'>) {
  const shown = intervals.join(', ');
  const take = (typed: string) => {
    const wanted = readLevels(typed);
    if (!wanted || wanted.join(', ') === shown) return false;
    change({ intervals: wanted });
    return true;
  };
  const about = { id: 'levels', 'aria-describedby': 'levels-about', spellcheck: false, size: 10 };
  return (
    <Labeled id="levels" label={l10n.t('Intervals')}>
      <Field class="levels" type="text" {...about} {...{ shown, take }} />%
      <span class="sr-only" id="levels-about">
        {l10n.t('In percent, separated by commas.')}
      </span>
    </Labeled>
  );
}

export function readLevels(text: string): number[] | undefined {
  const parts = text.split(/[;,\s%]+/).filter(Boolean);
  const numbers = [...new Set(parts.map(Number))].sort((a, b) => a - b);
  const isFit =
    numbers.length >= 1 && numbers.length <= MOST_INTERVALS && numbers.every((level) => level > 0 && level < 100);
  return isFit ? numbers : undefined;
}

/** A choice that is not made use of yet stays while the covariates are the same ones. */
export function Covariates({
  columns: { choices, worth, canTest },
  change,
  test,
}: ControlProps<'columns'> & { readonly test: () => void }) {
  const used = choices.filter(({ isUsed }) => isUsed).map(({ name }) => name);
  const all = choices.map(({ name }) => name);
  const names = JSON.stringify(all);
  const state = JSON.stringify([names, used]);
  const [ticked, setTicked] = useState({ state, names: used });
  const [asked, setAsked] = useState<string>();
  const now = ticked.state === state ? ticked.names : used;
  const tick = (name: string, isTicked: boolean) =>
    setTicked({ state, names: all.filter((one) => (one === name ? isTicked : now.includes(one))) });
  const open = () => {
    if (!canTest || asked === names) return;
    setAsked(names);
    test();
  };
  return (
    <div class="control known popup-button">
      <PopupButton
        popup="columns"
        name={l10n.t('Covariates: {0} of {1}', used.length, choices.length)}
        onClick={open}
      />
      <Popup class="panel" role="group" id="columns" aria-label={l10n.t('Covariates')}>
        {choices.map(({ name, about }, index) => (
          <label key={name} class="tick">
            <input
              type="checkbox"
              aria-describedby={`column-${String(index)}`}
              checked={now.includes(name)}
              onChange={({ currentTarget }) => tick(name, currentTarget.checked)}
            />
            {name}
            <span class="far" id={`column-${String(index)}`} aria-hidden="true">
              {about}
            </span>
          </label>
        ))}
        {canTest && asked === names && (
          <p class="worth" role="status">
            {l10n.t('Testing which covariates help…')}
          </p>
        )}
        {worth !== undefined && <p class="worth">{worth}</p>}
        <Button
          class="button"
          popovertarget="columns"
          popovertargetaction="hide"
          disabled={choices.every(({ name, isUsed }) => now.includes(name) === isUsed)}
          run={() => change({ covariates: now })}
        >
          {l10n.t('Forecast with These')}
        </Button>
      </Popup>
    </div>
  );
}

type CompareProps = Readonly<{ view: CompareView | null; send: Send }>;

export function CompareTable({ view, send }: CompareProps) {
  if (!view) return null;
  const { rows, about } = view;
  const columns = [l10n.t('Forecast'), l10n.t('Total'), 'MASE', 'sMAPE', l10n.t('80% coverage'), ''];
  const table = rows.map((row, at) => rowOf(row, at, send));
  return (
    <section class="compare" aria-label={l10n.t('Comparison')}>
      <div class="compare-rows">
        <Table label={l10n.t('Forecasts compared')} columns={columns} rows={table} />
      </div>
      <div class="differences" role="status">
        {rows.map(({ id, difference }) => difference !== undefined && <p key={id}>{difference}</p>)}
      </div>
      <div class="compare-add">
        <Add view={view} send={send} />
        <Button hidden={rows.filter(({ line }) => line).length < 2} run={() => send({ type: 'compare', do: 'save' })}>
          {l10n.t('Save All as CSV…')}
        </Button>
        <p class="note">{about}</p>
      </div>
    </section>
  );
}

function rowOf(row: CompareView['rows'][number], index: number, send: Send): TableRow {
  const { id, label, isMain, isBest, state, sentence, scores = {}, total } = row;
  const { mase, smape, coverage80 } = scores;
  const name = (
    <>
      {isMain ? <Swatch kind="forecast" /> : <Swatch kind="other" color={index - 1} />}
      {isMain || state !== 'done' ? (
        <span>{label}</span>
      ) : (
        <Link run={() => send({ type: 'compare', do: 'main', id })} title={l10n.t('Make this the main forecast')}>
          {label}
        </Link>
      )}
      {isBest && <span class="best">{l10n.t('best')}</span>}
      {state === 'pending' && <span class="muted">{l10n.t('in progress…')}</span>}
      {sentence !== undefined && <span class="trouble">{sentence}</span>}
    </>
  );
  const remove = !isMain && (
    <Button aria-label={l10n.t('Remove {0}', label)} run={() => send({ type: 'compare', do: 'remove', id })}>
      ×
    </Button>
  );
  const cells = [
    total ?? '–',
    figureOf(mase, 2),
    percentageOf(smape, 1),
    percentageOf(coverage80 && coverage80 * 100, 0),
  ];
  return { key: id, 'aria-current': isMain ? 'true' : undefined, cells: [name, ...cells, remove] };
}

function Add({ view: { models, predictions, rows, most }, send }: CompareProps & { readonly view: CompareView }) {
  const isFull = rows.length >= most;
  const options = (kind: 'model' | 'prediction', choices: CompareView['models']) =>
    choices.map(({ id, label }) => [`${kind} ${id}`, label] as const);
  return (
    <Select
      aria-label={l10n.t('Add a forecast to compare')}
      disabled={isFull || models.length + predictions.length === 0}
      value=""
      options={[['', isFull ? l10n.t('Up to {0}', most) : l10n.t('Add a forecast…')]]}
      groups={[
        [l10n.t('Models'), options('model', models)],
        [l10n.t('Stored predictions'), options('prediction', predictions)],
      ]}
      choose={(chosen: string) => {
        const [kind = '', ...id] = chosen.split(' ');
        send({ type: 'compare', do: kind === 'model' ? 'add-model' : 'add-prediction', id: id.join(' ') });
      }}
    />
  );
}
