import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Change, ChartControls, SentIntent } from '../../editor/views/chart/protocol.ts';
import { Button, Icon } from '../shared/elements.tsx';
import { Field } from '../shared/field.tsx';
import { MenuButton } from '../shared/menu.tsx';

interface ControlsProps {
  readonly controls: ChartControls | null;
  readonly isComparing: boolean;
  readonly send: (intent: SentIntent) => void;
}

/** Most levels that can be asked for. */
const MOST_INTERVALS = 10;

/** The row in which a forecast is changed in place; it stays in the page while forecasts change. */
export function Controls({ controls, isComparing, send }: ControlsProps) {
  if (!controls) return null;
  const { horizon, model, intervals, columns, back, canCompare } = controls;
  const change = (what: Change) => {
    send({ type: 'change', change: what });
  };
  const ask = (type: 'back' | 'test-columns') => () => {
    send({ type });
  };
  const compare = () => {
    send({ type: 'compare', do: isComparing ? 'close' : 'open' });
  };
  return (
    <div class="controls" role="group" aria-label={l10n.t('Change the forecast')}>
      {horizon && <Horizon horizon={horizon} change={change} />}
      {model && <Model model={model} change={change} />}
      {intervals && <Levels intervals={intervals} change={change} />}
      {columns && (
        <Covariates
          columns={columns}
          choose={(covariates) => {
            change({ covariates: [...covariates] });
          }}
          test={ask('test-columns')}
        />
      )}
      <div class="control ways">
        {back !== undefined && (
          <Button title={back} run={ask('back')}>
            {l10n.t('Back')}
          </Button>
        )}
        {canCompare && (
          <Button aria-pressed={isComparing} run={compare}>
            {l10n.t('Compare')}
          </Button>
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

function Levels({ intervals, change }: ChangeProps & { readonly intervals: readonly number[] }) {
  const shown = intervals.join(', ');
  const take = (typed: string) => {
    const wanted = readLevels(typed);
    if (!wanted || wanted.join(', ') === shown) return false;
    change({ intervals: wanted });
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
    numbers.length >= 1 && numbers.length <= MOST_INTERVALS && numbers.every((level) => level > 0 && level < 100);
  return isFit ? [...new Set(numbers)].sort((a, b) => a - b) : undefined;
}

/** Between the panel and the end of the page, in pixels. */
const EDGE = 12;

interface CovariatesProps {
  readonly columns: NonNullable<ChartControls['columns']>;
  /** Is told the names that are ticked. */
  readonly choose: (names: readonly string[]) => void;
  /** Is called when the ticks are opened and what each is worth can be found out. */
  readonly test: () => void;
}

/**
 * A button that opens a tick for each covariate, with what it was worth. A choice that is not made use of yet stays while
 * the covariates are the same ones.
 */
export function Covariates({ columns, choose, test }: CovariatesProps) {
  const { choices, canTest } = columns;
  const used = choices.filter(({ isUsed }) => isUsed).map(({ name }) => name);
  const state = JSON.stringify([choices.map(({ name }) => name), used]);
  const names = JSON.stringify(choices.map(({ name }) => name));
  const [isOpen, setOpen] = useState(false);
  const [ticked, setTicked] = useState<{ readonly state: string; readonly names: readonly string[] }>({
    state,
    names: used,
  });
  const [asked, setAsked] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const now = ticked.state === state ? ticked.names : used;
  const close = () => {
    setOpen(false);
    button.current!.focus();
  };
  const toggle = () => {
    setOpen(!isOpen);
    if (isOpen || !canTest || asked === names) return;
    setAsked(names);
    test();
  };
  return (
    <div
      class="control known"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation();
        close();
      }}
      onFocusOut={({ relatedTarget, currentTarget }) => {
        // a click on nothing that takes the focus leaves it open only where it is inside
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <button ref={button} type="button" class="tool" aria-expanded={isOpen} aria-controls="columns" onClick={toggle}>
        <span>{l10n.t('Covariates: {0} of {1}', used.length, choices.length)}</span>
        <Icon name="chevron" />
      </button>
      {isOpen && (
        <Panel
          columns={columns}
          ticked={now}
          isTesting={canTest && asked === names}
          tick={(next) => {
            setTicked({ state, names: next });
          }}
          choose={(chosen) => {
            close();
            choose(chosen);
          }}
        />
      )}
    </div>
  );
}

interface PanelProps extends Pick<CovariatesProps, 'columns' | 'choose'> {
  readonly ticked: readonly string[];
  readonly isTesting: boolean;
  readonly tick: (names: readonly string[]) => void;
}

/** The ticks below their button, further left where they would not end in the page. */
function Panel({ columns: { choices, worth }, ticked, isTesting, tick, choose }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const over = panel.current!.getBoundingClientRect().right - (document.documentElement.clientWidth - EDGE);
    if (over > 0) panel.current!.style.left = `${String(-over)}px`;
  }, []);
  const toggle = (name: string, isTicked: boolean) => {
    tick(choices.map((one) => one.name).filter((one) => (one === name ? isTicked : ticked.includes(one))));
  };
  return (
    <div ref={panel} class="panel" id="columns" role="group" aria-label={l10n.t('Covariates')}>
      <div class="ticks">
        {choices.map(({ name, about }, index) => {
          const id = `column-${String(index)}`;
          return (
            <div key={name} class="tick">
              <input
                type="checkbox"
                id={id}
                aria-describedby={`${id}-about`}
                checked={ticked.includes(name)}
                onChange={({ currentTarget }) => {
                  toggle(name, currentTarget.checked);
                }}
              />
              <label for={id}>{name}</label>
              <span class="far" id={`${id}-about`}>
                {about}
              </span>
            </div>
          );
        })}
      </div>
      {isTesting && (
        <p class="worth" role="status">
          {l10n.t('Looking for covariates that help…')}
        </p>
      )}
      {worth !== undefined && <p class="worth">{worth}</p>}
      <button
        type="button"
        class="button"
        disabled={choices.every(({ name, isUsed }) => ticked.includes(name) === isUsed)}
        onClick={() => {
          choose(ticked);
        }}
      >
        {l10n.t('Forecast with These')}
      </button>
    </div>
  );
}
