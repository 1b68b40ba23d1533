import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { CHART_VIEW_TYPE } from '../../names.ts';
import { inBackground } from '../../ui/background.ts';

const Open = z.catch(z.record(z.string(), z.string()), {});
const KEY = 'forecasts.openCharts';

/**
 * The charts whose tabs came back after a reload but were not looked at yet: VS Code brings the panel of a tab back only
 * when it is seen, so that until then a chart that is opened would get a second tab.
 */
export class UnseenCharts {
  readonly #state: vscode.Memento;
  readonly #log: Pick<vscode.LogOutputChannel, 'error'>;
  /** Titles by the keys of the predictions. */
  readonly #unseen: Map<string, string>;
  readonly #open = new Map<string, () => string>();

  constructor(state: vscode.Memento, log: Pick<vscode.LogOutputChannel, 'error'>) {
    this.#state = state;
    this.#log = log;
    this.#unseen = new Map(Object.entries(Open.parse(state.get(KEY))));
  }

  /** A panel of this prediction is there. */
  seen(key: string, title: () => string): void {
    this.#unseen.delete(key);
    this.#open.set(key, title);
    this.#save();
  }

  closed(key: string): void {
    this.#open.delete(key);
    this.#save();
  }

  /**
   * Closes the unseen tab of a prediction that is opened anew, where it can be told from others.
   * @param shown titles of the panels that are there
   */
  replace(key: string, title: string, shown: readonly string[]): void {
    const old = this.#unseen.get(key);
    if (old === undefined) return;
    this.#unseen.delete(key);
    const isUnclear = [...this.#unseen.values(), ...shown].includes(old);
    if (isUnclear) return;
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const stale = tabs.filter(
      ({ label, input }) =>
        (label === old || label === title) &&
        input instanceof vscode.TabInputWebview &&
        input.viewType.endsWith(CHART_VIEW_TYPE),
    );
    if (stale.length === 1) inBackground(this.#log, vscode.window.tabGroups.close(stale[0], true));
  }

  #save(): void {
    const open = [...this.#open].map(([key, title]) => [key, title()] as const);
    inBackground(this.#log, this.#state.update(KEY, Object.fromEntries([...this.#unseen, ...open])));
  }
}
