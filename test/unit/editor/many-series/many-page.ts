import type { Deed, HostMessage, SeriesRow } from '../../../../src/editor/views/many-series/protocol.ts';
import { MANY_VIEW_TYPE } from '../../../../src/editor/names.ts';
import { until as untilFits } from '../until.ts';
import type { WebviewPanel } from '../workbench/webview-panel.ts';
import type { Window } from '../workbench/window.ts';

/** The page of many forecasts that was opened last, as its person sees it. */
export class ManyPage {
  readonly panel: WebviewPanel;

  constructor({ panels }: Window) {
    const panel = panels.findLast(({ viewType }) => viewType === MANY_VIEW_TYPE);
    if (!panel) throw new Error(`No page of many forecasts, only ${panels.map(({ title }) => title).join(', ')}`);
    this.panel = panel;
  }

  get head(): Extract<HostMessage, { type: 'head' }> {
    return this.#messages().findLast((message) => message.type === 'head')!;
  }

  /** All rows, once they are there. */
  async rows(): Promise<readonly SeriesRow[]> {
    this.panel.posted.splice(0);
    this.panel.says({ type: 'ready' });
    const endOf = () => this.#messages().findIndex((message) => message.type === 'rows' && message.isLast);
    const end = await untilFits(endOf, (index) => index >= 0);
    return this.#messages()
      .slice(0, end + 1)
      .flatMap((message) => (message.type === 'rows' ? message.rows : []));
  }

  async names(): Promise<string[]> {
    return (await this.rows()).map(({ name }) => name).toSorted();
  }

  open(id: string): void {
    this.panel.says({ type: 'open', id });
  }

  /** Does something with the series of these names. */
  async do(deed: Deed, ...names: readonly string[]): Promise<void> {
    const ids = (await this.rows()).filter(({ name }) => names.includes(name)).map(({ id }) => id);
    this.panel.says({ type: 'deed', deed, ids });
  }

  #messages(): HostMessage[] {
    return this.panel.posted as HostMessage[];
  }
}

/** Waits until something is there. @throws Error where nothing is within half a minute */
export async function until<T>(look: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  return (await untilFits(look, (found) => found !== undefined && found !== false)) as T;
}
