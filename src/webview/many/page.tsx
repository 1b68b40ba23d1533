import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import { inDigits } from '../../calendar/digits.ts';
import type { ManyAction, ManyState } from '../../editor/many-series/protocol.ts';
import { Button, figureOf } from '../shared/elements.tsx';
import { MenuButton } from '../shared/menu.tsx';
import { Grid } from './grid.tsx';
import { type ManyList, type ManyProps, useList } from './list.ts';

export function ManyPage(props: ManyProps) {
  const { state, send } = props;
  const { ref, problem, levels, actions } = state;
  const list = useList(props);
  const scroller = useRef<HTMLDivElement>(null);
  const filter = useRef<HTMLInputElement>(null);
  const words = l10n.t('Filter by name, model, or status');
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'f' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    filter.current!.select();
  };
  const down = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    scroller.current!.focus();
  };
  return (
    <div class="page" onKeyDown={onKeyDown}>
      <header>
        <div class="top">
          <h1>{ref.label}</h1>
          <Toolbar list={list} actions={actions} />
        </div>
        {problem !== null && (
          <div class="problem" role="alert">
            <p>{problem}</p>
            <Button class="button" run={() => send({ type: 'retry' })}>
              {l10n.t('Try Again')}
            </Button>
          </div>
        )}
        {levels && <Levels levels={levels} />}
        <div class="line">
          <input
            ref={filter}
            class="filter"
            type="search"
            placeholder={words}
            aria-label={words}
            value={list.view.filter}
            onInput={({ currentTarget }) => {
              scroller.current!.scrollTop = 0;
              list.change({ filter: currentTarget.value });
            }}
            onKeyDown={down}
          />
          <p class="count" role="status">
            {countOf(list, state)}
          </p>
        </div>
      </header>
      <Grid list={list} scroller={scroller} isLoading={state.isLoading} />
    </div>
  );
}

function countOf({ shown, ids }: ManyList, { rows: all, isLoading }: ManyState): string {
  if (isLoading && all.length === 0) return l10n.t('Loading…');
  const selected = shown.filter(({ id }) => ids.has(id)).length;
  const failed = all.filter(({ hasFailed }) => hasFailed).length;
  return [
    shown.length === all.length
      ? l10n.t('{0} series', inDigits(all.length))
      : l10n.t('{0} of {1} series', inDigits(shown.length), inDigits(all.length)),
    ...(selected > 0 ? [l10n.t('{0} selected', inDigits(selected))] : []),
    ...(failed > 0 ? [l10n.t('{0} failed', inDigits(failed))] : []),
  ].join(' · ');
}

const FILES: readonly (readonly [ManyAction, string])[] = [
  ['save-csv', l10n.t('CSV…')],
  ['save-json', l10n.t('JSON…')],
  ['save-xlsx', l10n.t('Excel…')],
];

/** The buttons for what is offered, for the selected rows, or for all that are shown where none is. */
function Toolbar({ list, actions }: { readonly list: ManyList; readonly actions: readonly ManyAction[] }) {
  const isIdle = list.shown.length === 0;
  const button = (label: string, run: () => void) => (
    <Button disabled={isIdle} run={run}>
      {label}
    </Button>
  );
  const offered = (action: ManyAction, label: string) =>
    actions.includes(action) && button(label, () => list.do(action));
  const items = FILES.flatMap(([action, label]) =>
    actions.includes(action) ? [{ label, run: () => list.do(action) }] : [],
  );
  return (
    <div class="toolbar" role="toolbar" aria-label={l10n.t('With the selected series')}>
      {button(l10n.t('Open Chart'), () => list.open())}
      {offered('again', l10n.t('Forecast Again…'))}
      {items.length > 0 && <MenuButton name={l10n.t('Save')} items={items} disabled={isIdle} />}
      {offered('dataset', l10n.t('Create Dataset…'))}
      {offered('tune', l10n.t('Fine-Tune…'))}
    </div>
  );
}

/** Says that forecasts add up, and how they did on each level beside those by themselves. */
export function Levels({ levels }: { readonly levels: NonNullable<ManyState['levels']> }) {
  const about = l10n.t(
    'Mean scaled error on a holdout of one horizon; below 1 is better than the usual change over a season. In parentheses: the error when each series is forecast separately.',
  );
  const labelOf = (series: number, index: number): string => {
    const count = inDigits(series);
    if (index === levels.length - 1) return l10n.t('{0} series', count);
    if (series === 1) return index === 0 ? l10n.t('grand total') : l10n.t('1 total');
    return l10n.t('{0} totals', count);
  };
  return (
    <div class="levels">
      <span title={about}>
        {l10n.t(
          'Series and totals add up at every step. Error of each level, in parentheses when forecast separately:',
        )}
      </span>
      {levels.map(({ series, mase, mase_alone: alone }, index) => (
        <span key={index}>
          {labelOf(series, index)} <b>{figureOf(mase, 2)}</b> ({figureOf(alone, 2)})
        </span>
      ))}
    </div>
  );
}
