import type { ManyAction, ManyState, SeriesRow } from '../../../../src/editor/many-series/protocol.ts';
import { until as untilFits } from '../until.ts';
import { act, stateOf } from '../views/panels.ts';
import type { WebviewPanel } from '../workbench/webview-panel.ts';
import type { Window } from '../workbench/window.ts';

/** The page of many forecasts that was opened last, as its person sees it. */
export class ManyPage {
  readonly panel: WebviewPanel;

  constructor({ panels }: Window) {
    const panel = panels.findLast(({ viewType }) => viewType === 'forecasts.many');
    if (!panel) throw new Error(`No page of many forecasts, only ${panels.map(({ title }) => title).join(', ')}`);
    this.panel = panel;
    panel.says({ type: 'ready' });
  }

  get state(): ManyState {
    return stateOf<ManyState>(this.panel);
  }

  /** All rows, once they are there. */
  async rows(): Promise<readonly SeriesRow[]> {
    return (await untilFits(() => this.state, ({ isLoading }) => !isLoading)).rows; // prettier-ignore
  }

  async names(): Promise<string[]> {
    return (await this.rows()).map(({ name }) => name).toSorted();
  }

  open(id: string): void {
    act(this.panel, { type: 'open', id });
  }

  /** Does something with the series of these names. */
  async do(action: ManyAction, ...names: readonly string[]): Promise<void> {
    const ids = (await this.rows()).filter(({ name }) => names.includes(name)).map(({ id }) => id);
    act(this.panel, { type: 'do', action, ids });
  }
}

/** Waits until something is there. @throws Error where nothing is within half a minute */
export async function until<T>(look: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  return (await untilFits(look, (found) => found !== undefined && found !== false)) as T;
}
