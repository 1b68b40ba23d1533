import type * as vscode from 'vscode';

const KEY = 'forecasts.showsJobData';

/** Whether the view of datasets shows what was stored only for forecasts or a training; kept over reloads. */
export class JobData {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  get isShown(): boolean {
    return this.#state.get(KEY) === true;
  }

  async show(isShown: boolean): Promise<void> {
    await this.#state.update(KEY, isShown ? true : undefined);
  }
}
