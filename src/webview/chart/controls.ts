import * as l10n from '@vscode/l10n';
import { type Change, type ChartControls, MOST_BANDS } from '../../editor/views/analysis/protocol.ts';
import { h, setAttribute } from '../shared/dom.ts';
import { createColumnTicks } from './columns.ts';
import { menuButton } from '../shared/menu.ts';

/** What the person does with the controls. */
export interface ControlActions {
  change(change: Change): void;
  back(): void;
  compare(isOpen: boolean): void;
  /** What each column is worth is to be found out. */
  testColumns(): void;
}

/** The row in which a forecast is changed in place. */
export interface Controls {
  readonly element: HTMLElement;
  /** Shows what can be changed, or nothing. What has the focus keeps it. */
  show(controls: ChartControls | undefined): void;
  /** Whether other forecasts lie over this one. */
  setComparing(isOpen: boolean): void;
}

/** Makes the row; it stays in the page while forecasts change. */
export function createControls({ change, back, compare, testColumns }: ControlActions): Controls {
  let current: ChartControls | undefined;
  let isComparing = false;

  const steps = h('input.number', {
    attributes: { type: 'number', min: 1, 'aria-label': l10n.t('Steps ahead'), id: 'horizon' },
    on: {
      change: () => {
        const horizon = Number(steps.value);
        const { steps: before = 0, most = 1 } = current?.horizon ?? {};
        if (Number.isSafeInteger(horizon) && horizon >= 1 && horizon <= most) {
          if (horizon !== before) change({ horizon });
        } else steps.value = String(before);
      },
    },
  });
  const showSteps = shownIn(steps);
  const unit = h('div.unit');
  const horizon = h('div.control', {}, h('label', { attributes: { for: 'horizon' } }, l10n.t('Horizon')), steps, unit);

  const select = h('select', {
    attributes: { id: 'model' },
    on: {
      change: () => {
        change({ model: select.value });
      },
    },
  });
  const model = h('div.control', {}, h('label', { attributes: { for: 'model' } }, l10n.t('Model')), select);

  const levels = h('input.levels', {
    attributes: { type: 'text', id: 'levels', size: 10, 'aria-describedby': 'levels-about', spellcheck: 'false' },
    on: {
      change: () => {
        const bands = readBands(levels.value);
        const before = bandsText(current?.bands ?? []);
        if (bands && bandsText(bands) !== before) change({ bands });
        else levels.value = before;
      },
    },
  });
  const showLevels = shownIn(levels);
  const aboutLevels = h(
    'span.sr-only',
    { attributes: { id: 'levels-about' } },
    l10n.t('In per cent, separated by commas.'),
  );
  const bands = h(
    'div.control',
    {},
    h('label', { attributes: { for: 'levels' } }, l10n.t('Bands')),
    levels,
    '%',
    aboutLevels,
  );

  const columns = createColumnTicks((covariates) => {
    change({ covariates });
  }, testColumns);

  const backButton = h('button.tool', { attributes: { type: 'button' }, on: { click: back } }, l10n.t('Back'));
  const compareButton = h(
    'button.tool',
    {
      attributes: { type: 'button', 'aria-pressed': 'false' },
      on: {
        click: () => {
          compare(!isComparing);
        },
      },
    },
    l10n.t('Compare'),
  );
  const buttons = h('div.control.ways', {}, backButton, compareButton);
  const label = l10n.t('Change the forecast');
  const element = h(
    'div.controls',
    { attributes: { role: 'group', 'aria-label': label, hidden: true } },
    horizon,
    model,
    bands,
    columns.element,
    buttons,
  );

  function showHorizon(now: ChartControls['horizon']) {
    horizon.hidden = !now;
    if (!now) return;
    showSteps(String(now.steps));
    steps.max = String(now.most);
    const picks = now.picks.map((pick) => ({
      label: pick.label,
      run: () => {
        if (pick.steps !== current?.horizon?.steps) change({ horizon: pick.steps });
      },
    }));
    const isSame = unit.dataset['picks'] === JSON.stringify([now.unit, now.picks]);
    if (isSame) return;
    unit.dataset['picks'] = JSON.stringify([now.unit, now.picks]);
    const button = menuButton(now.unit, picks);
    setAttribute(button.querySelector('button')!, 'aria-label', l10n.t('{0}: quick picks', now.unit));
    unit.replaceChildren(button);
  }

  function showModel(now: ChartControls['model']) {
    model.hidden = !now;
    if (!now) return;
    const options = (isTuned: boolean) =>
      now.choices
        .filter((choice) => choice.isTuned === isTuned)
        .map(({ id, label }) => h('option', { attributes: { value: id } }, label));
    const tuned = options(true);
    const group = h('optgroup', { attributes: { label: l10n.t('Fine-tuned models') } }, ...tuned);
    select.replaceChildren(...options(false), ...(tuned.length > 0 ? [group] : []));
    select.value = now.id;
  }

  return {
    element,
    show(controls) {
      current = controls;
      element.hidden = !controls;
      if (!controls) return;
      showHorizon(controls.horizon);
      showModel(controls.model);
      columns.show(controls.columns);
      bands.hidden = !controls.bands;
      showLevels(bandsText(controls.bands ?? []));
      backButton.hidden = controls.back === undefined;
      setAttribute(backButton, 'title', controls.back);
      compareButton.hidden = !controls.canCompare;
    },
    setComparing(isOpen) {
      isComparing = isOpen;
      setAttribute(compareButton, 'aria-pressed', String(isOpen));
    },
  };
}

/** Says what is so in an input, but not over what is being typed. */
function shownIn(input: HTMLInputElement): (text: string) => void {
  let isTyped = false;
  input.addEventListener('input', () => {
    isTyped = true;
  });
  for (const end of ['change', 'blur'])
    input.addEventListener(end, () => {
      isTyped = false;
    });
  return (text) => {
    if (!isTyped) input.value = text;
  };
}

const bandsText = (bands: readonly number[]): string => bands.join(', ');

/** Bands in per cent as people type them; `undefined` where a number is none. */
export function readBands(text: string): number[] | undefined {
  const numbers = text
    .split(/[;,\s%]+/)
    .filter((part) => part !== '')
    .map(Number);
  const isFit = numbers.length >= 1 && numbers.length <= MOST_BANDS && numbers.every((band) => band > 0 && band < 100);
  return isFit ? [...new Set(numbers)].sort((a, b) => a - b) : undefined;
}
