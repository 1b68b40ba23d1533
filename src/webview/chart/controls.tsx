import * as l10n from '@vscode/l10n';
import { type Change, type ChartControls, MOST_BANDS } from '../../editor/views/analysis/protocol.ts';
import { Field } from '../shared/field.tsx';
import { MenuButton } from '../shared/menu.tsx';
import { Covariates } from './covariates.tsx';
import type { ChartState } from './state.ts';

/** The row in which a forecast is changed in place; it stays in the page while forecasts change. */
export function Controls({ state }: { readonly state: Pick<ChartState, 'offer' | 'comparison' | 'host'> }) {
  const { value: offer } = state.offer;
  if (!offer) return null;
  const { horizon, model, bands, columns, back, canCompare } = offer;
  const isComparing = state.comparison.value !== undefined;
  const change = (what: Change) => {
    state.host.post({ type: 'change', change: what });
  };
  const post = (type: 'back' | 'test-columns') => () => {
    state.host.post({ type });
  };
  const compare = () => {
    state.host.post({ type: 'compare', do: isComparing ? 'close' : 'open' });
  };
  return (
    <div class="controls" role="group" aria-label={l10n.t('Change the forecast')}>
      {horizon && <Horizon horizon={horizon} change={change} />}
      {model && <Model model={model} change={change} />}
      {bands && <Levels bands={bands} change={change} />}
      {columns && (
        <Covariates
          columns={columns}
          choose={(covariates) => {
            change({ covariates });
          }}
          test={post('test-columns')}
        />
      )}
      <div class="control ways">
        {back !== undefined && (
          <button type="button" class="tool" title={back} onClick={post('back')}>
            {l10n.t('Back')}
          </button>
        )}
        {canCompare && (
          <button type="button" class="tool" aria-pressed={isComparing} onClick={compare}>
            {l10n.t('Compare')}
          </button>
        )}
      </div>
    </div>
  );
}

interface ChangeProps {
  readonly change: (what: Change) => void;
}

function Horizon({ horizon, change }: ChangeProps & { readonly horizon: NonNullable<ChartControls['horizon']> }) {
  const { steps, most, unit, picks } = horizon;
  const take = (typed: string) => {
    const wanted = Number(typed);
    if (!Number.isSafeInteger(wanted) || wanted < 1 || wanted > most) return false;
    if (wanted !== steps) change({ horizon: wanted });
    return true;
  };
  const items = picks.map((pick) => ({
    label: pick.label,
    run: () => {
      if (pick.steps !== steps) change({ horizon: pick.steps });
    },
  }));
  return (
    <div class="control">
      <label for="horizon">{l10n.t('Horizon')}</label>
      <Field
        class="number"
        type="number"
        id="horizon"
        min={1}
        max={most}
        aria-label={l10n.t('Steps ahead')}
        shown={String(steps)}
        take={take}
      />
      <div class="unit">
        <MenuButton key={unit} name={unit} label={l10n.t('{0}: quick picks', unit)} items={items} />
      </div>
    </div>
  );
}

function Model({ model, change }: ChangeProps & { readonly model: NonNullable<ChartControls['model']> }) {
  const options = (isTuned: boolean) =>
    model.choices
      .filter((choice) => choice.isTuned === isTuned)
      .map(({ id, label }) => (
        <option key={id} value={id} selected={id === model.id}>
          {label}
        </option>
      ));
  const tuned = options(true);
  return (
    <div class="control">
      <label for="model">{l10n.t('Model')}</label>
      <select
        id="model"
        value={model.id}
        onChange={({ currentTarget }) => {
          change({ model: currentTarget.value });
        }}
      >
        {options(false)}
        {tuned.length > 0 && <optgroup label={l10n.t('Fine-tuned models')}>{tuned}</optgroup>}
      </select>
    </div>
  );
}

function Levels({ bands, change }: ChangeProps & { readonly bands: readonly number[] }) {
  const shown = bands.join(', ');
  const take = (typed: string) => {
    const wanted = readLevels(typed);
    if (!wanted || wanted.join(', ') === shown) return false;
    change({ bands: wanted });
    return true;
  };
  return (
    <div class="control">
      <label for="levels">{l10n.t('Intervals')}</label>
      <Field
        class="levels"
        type="text"
        id="levels"
        size={10}
        aria-describedby="levels-about"
        spellcheck={false}
        shown={shown}
        take={take}
      />
      %
      <span class="sr-only" id="levels-about">
        {l10n.t('In per cent, separated by commas.')}
      </span>
    </div>
  );
}

/** Levels of intervals in per cent as people type them; `undefined` where a number is none. */
export function readLevels(text: string): number[] | undefined {
  const numbers = text
    .split(/[;,\s%]+/)
    .filter((part) => part !== '')
    .map(Number);
  const isFit =
    numbers.length >= 1 && numbers.length <= MOST_BANDS && numbers.every((level) => level > 0 && level < 100);
  return isFit ? [...new Set(numbers)].sort((a, b) => a - b) : undefined;
}
