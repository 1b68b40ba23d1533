import * as l10n from '@vscode/l10n';
import type { HostMessage, SeriesRow, SetRef, WebviewMessage } from '../../editor/views/many-series/protocol.ts';
import { themeColors } from '../shared/colors.ts';
import { h, setAttribute } from '../shared/dom.ts';
import { createGrid } from './grid.ts';
import { ROW } from './list.ts';
import { showLevels } from './levels.ts';
import { filtered, type Order, sorted } from './order.ts';
import { type Selection, within } from './selection.ts';
import type { ManyState } from './state.ts';
import { toolbar } from './toolbar.ts';
import { inDigits } from '../../calendar/digits.ts';

/** The page of many forecasts. */
export interface ManyPage {
  head(message: Extract<HostMessage, { type: 'head' }>): void;
  rows(message: Extract<HostMessage, { type: 'rows' }>): void;
  /** As in another theme. */
  recolor(): void;
  /** As in another size. */
  paint(): void;
}

export interface Outside {
  readonly post: (message: WebviewMessage) => void;
  readonly save: (state: SetRef & ManyState) => void;
}

/** How long after the last scrolling or row what is shown is kept, in milliseconds; what a person does is kept at once. */
const KEEP_AFTER = 200;

/** Makes the page inside an element. @param before what was chosen of it */
export function createManyPage(root: HTMLElement, before: ManyState, { post, save }: Outside): ManyPage {
  let all: readonly SeriesRow[] = [];
  let coming: SeriesRow[] = [];
  let isEmpty = true;
  let shown: readonly SeriesRow[] = [];
  let { order, top: restored } = before;
  let selection: Selection = { ids: new Set(before.selected), anchor: undefined };
  let ref: SetRef | undefined;
  let isLoading = true;
  let keeping: ReturnType<typeof setTimeout> | undefined;

  const title = h('h1', {});
  const tools = h('div.tools', {});
  const problem = h('div.problem', { attributes: { role: 'alert', hidden: true } });
  const levels = h('div.levels', { attributes: { hidden: true } });
  const count = h('p.count', { attributes: { role: 'status' } });
  const filter = h('input.filter', {
    attributes: {
      type: 'search',
      placeholder: l10n.t('Filter by name, model or state'),
      'aria-label': l10n.t('Filter by name, model or state'),
    },
    on: {
      input: () => {
        grid.element.scrollTop = 0;
        arrange();
        keep();
      },
      keydown: (event) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        grid.element.focus();
      },
    },
  });
  filter.value = before.filter;
  const grid = createGrid(themeColors(), {
    open: (row) => {
      post({ type: 'open', id: row.id });
    },
    select: (next) => {
      selection = next;
      tell();
      keep();
    },
    sort: (next: Order) => {
      order = next;
      arrange();
      keep();
    },
    scrolled: keepSoon,
  });
  root.replaceChildren(h('header', {}, h('div.top', {}, title, tools), problem, levels, h('div.line', {}, filter, count)), grid.element); // prettier-ignore
  root.addEventListener('keydown', (event) => {
    if (event.key !== 'f' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    filter.select();
  });

  /** Filters and sorts what is there, and shows it. */
  function arrange(isWhole = false): void {
    shown = sorted(filtered(all, filter.value), order);
    if (isWhole) selection = within(selection, new Set(all.map(({ id }) => id)));
    grid.show(shown, order, selection);
    tell();
    keepSoon();
  }

  function tell(): void {
    const series = inDigits(all.length);
    const some = inDigits(shown.length);
    const selected = shown.filter(({ id }) => selection.ids.has(id)).length;
    const failed = all.filter(({ hasFailed }) => hasFailed).length;
    const words = [
      shown.length === all.length ? l10n.t('{0} series', series) : l10n.t('{0} of {1} series', some, series),
      ...(selected > 0 ? [l10n.t('{0} selected', inDigits(selected))] : []),
      ...(failed > 0 ? [l10n.t('{0} failed', inDigits(failed))] : []),
    ];
    count.textContent = isLoading && all.length === 0 ? l10n.t('Loading…') : words.join(' · ');
    for (const button of tools.querySelectorAll('button')) button.disabled = shown.length === 0;
  }

  function keepSoon(): void {
    clearTimeout(keeping);
    keeping = setTimeout(keep, KEEP_AFTER);
  }

  /** A page that is hidden ends at once, and what waits with it. */
  function keep(): void {
    clearTimeout(keeping);
    if (!ref || isLoading) return;
    const top = grid.element.scrollTop;
    save({ ...ref, order, filter: filter.value, top, selected: [...selection.ids] });
  }

  /** The rows that a button is for: of those that are shown the selected ones, or all. */
  const chosen = (): string[] => {
    const ids = shown.map(({ id }) => id);
    const selected = ids.filter((id) => selection.ids.has(id));
    return selected.length > 0 ? selected : ids;
  };

  return {
    head(message) {
      ({ ref, isLoading } = message);
      title.textContent = message.title;
      const open = () => {
        grid.openActive();
      };
      tools.replaceChildren(
        toolbar(message.deeds, open, (deed) => {
          post({ type: 'deed', deed, ids: chosen() });
        }),
      );
      const actions = message.actions.map(({ id, label }) => {
        const click = () => {
          post({ type: 'action', id });
        };
        return h('button.button', { attributes: { type: 'button' }, on: { click } }, label);
      });
      showLevels(levels, message.levels);
      setAttribute(problem, 'hidden', message.problem === undefined);
      problem.replaceChildren(h('p', {}, message.problem ?? ''), ...actions);
      setAttribute(grid.element, 'aria-busy', isLoading ? 'true' : undefined);
      tell();
    },
    rows({ rows, isFirst, isLast }) {
      if (isFirst) {
        coming = [];
        isEmpty = all.length === 0;
      }
      coming.push(...rows);
      // a list that is there changes at once, an empty one fills as they come
      if (!isEmpty && !isLast) return;
      all = [...coming];
      arrange(isLast);
      if (restored > 0 && shown.length * ROW > restored) {
        grid.element.scrollTop = restored;
        restored = 0;
      }
      // the list is not so long any more: one that comes later stays where the person is
      if (isLast) restored = 0;
    },
    recolor() {
      grid.recolor(themeColors());
    },
    paint() {
      grid.paint();
    },
  };
}
