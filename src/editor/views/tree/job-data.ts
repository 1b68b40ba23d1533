import * as vscode from 'vscode';
import { CONTEXTS } from '../../names.ts';
import { inBackground } from '../../ui/background.ts';

const KEY = 'forecasts.showsJobData';

/** Whether the view of datasets shows what was stored only for forecasts or a training; kept over reloads. */
export class JobData {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento, log: vscode.LogOutputChannel) {
    this.#state = state;
    inBackground(log, this.#tell());
  }

  get isShown(): boolean {
    return this.#state.get(KEY) === true;
  }

  async show(isShown: boolean): Promise<void> {
    await this.#state.update(KEY, isShown ? true : undefined);
    await this.#tell();
  }

  async #tell(): Promise<void> {
    await vscode.commands.executeCommand('setContext', CONTEXTS.jobData, this.isShown);
  }
}
