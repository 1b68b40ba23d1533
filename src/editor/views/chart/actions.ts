import * as vscode from 'vscode';
import type { LocalPrediction } from '../../../contract/local.ts';
import type { Source } from '../../connection/memory.ts';
import { COMMANDS } from '../../names.ts';
import { dispatch } from '../shared/protocol.ts';
import { deliver, type ToWorkbook } from './deliver.ts';
import { AGAIN, LAY_OVER, OTHER_MODEL, RETRY, SET_TOKEN, STOP_KEEPING } from './status.ts';
import { USE_MODEL } from '../../../chart/figures.ts';
import { type PredictionRef, readWebviewMessage } from './protocol.ts';
import { CHANGE_STEPS, SHOW_READING, TAKE_TOTALS } from '../../../chart/types.ts';
import { inBackground } from '../../ui/background.ts';
import { showFailure } from '../../ui/failure.ts';
import type { WorkMessage } from '../analysis/protocol.ts';
import type { ChartView } from '../../../chart/types.ts';

/** The chart on whose page the person acts. */
export interface ActionHost {
  readonly ref: () => PredictionRef;
  readonly prediction: () => LocalPrediction | undefined;
  readonly view: () => ChartView | undefined;
  readonly source: () => Source | undefined;
  /** The page is there. */
  readonly ready: () => void;
  readonly reload: () => void;
  /** Forecasts with what the file says of the future now, and lays that over the chart. */
  readonly supposeFile: () => void;
  /** Forecasts the file anew with its rows of totals. */
  readonly takeTotals: () => void;
  /** Asks for other steps of the file, and forecasts it at them. */
  readonly changeSteps: () => void;
  readonly work: (message: WorkMessage) => void;
  readonly toWorkbook: ToWorkbook;
}

/** The commands that the menu of a chart calls on its prediction. */
export const MENU_COMMANDS: ReadonlyMap<string, string> = new Map([
  ['insert', COMMANDS.insertForecast],
  ['request', COMMANDS.export],
  ['forecast-again', COMMANDS.forecastAgain],
  ['keep', COMMANDS.keepUpToDate],
  ['rename', COMMANDS.rename],
  ['pin', COMMANDS.pin],
  ['copy-id', COMMANDS.copyId],
]);

/** What the person does on the page of a chart. */
export class PanelActions {
  readonly #host: ActionHost;
  readonly #log: vscode.LogOutputChannel;

  constructor(host: ActionHost, log: vscode.LogOutputChannel) {
    this.#host = host;
    this.#log = log;
  }

  /** Does what the page asks for. */
  receive(message: unknown): void {
    const read = readWebviewMessage(message);
    if (!read) return;
    const work = (wanted: WorkMessage) => {
      this.#host.work(wanted);
    };
    dispatch(read, {
      ready: () => {
        this.#host.ready();
      },
      state: () => undefined,
      copied: () => {
        vscode.window.setStatusBarMessage(vscode.l10n.t('Picture copied'), 3000);
      },
      action: ({ id }) => {
        const command = MENU_COMMANDS.get(id);
        if (command !== undefined) this.#start(vscode.commands.executeCommand(command, { ...this.#host.ref() }));
        if (id === RETRY) this.#host.reload();
        else if (id === SET_TOKEN) this.#start(vscode.commands.executeCommand(COMMANDS.setToken));
        else if (id === AGAIN) this.#again({});
        else if (id === OTHER_MODEL) this.#again({ isOtherModel: true });
        else if (id === TAKE_TOTALS && this.#host.source()?.uri !== undefined) this.#host.takeTotals();
        else if (id === CHANGE_STEPS) this.#host.changeSteps();
        else if (id === SHOW_READING) this.#onFile(COMMANDS.showReading);
        else if (id === STOP_KEEPING) this.#onFile(COMMANDS.keepUpToDate);
        else if (id === LAY_OVER) this.#host.supposeFile();
        else if (id.startsWith(USE_MODEL)) this.#again({ model: id.slice(USE_MODEL.length) });
      },
      lines: ({ first, last }) => {
        this.#start(this.#showLines(first, last));
      },
      export: (wanted) => {
        const chart = this.#host.view();
        const prediction = this.#host.prediction();
        const { toWorkbook } = this.#host;
        if (wanted.kind === 'file') {
          this.#start(vscode.commands.executeCommand(COMMANDS.export, { ...this.#host.ref(), as: 'file' }));
        } else if (chart && prediction) {
          this.#start(deliver({ log: this.#log, toWorkbook }, chart, prediction, this.#host.source(), wanted));
        }
      },
      change: work,
      back: work,
      look: work,
      odd: work,
      compare: work,
      'test-columns': work,
      suppose: work,
      problem: ({ message: text }) => {
        this.#log.error(`Chart page: ${text}`);
      },
    });
  }

  /** What the person asked for on the page; a failure is told. */
  #start(work: PromiseLike<unknown>): void {
    const log = this.#log;
    inBackground(
      log,
      work.then(undefined, (error: unknown) => showFailure({ log }, error)),
    );
  }

  #again(changes: { readonly isOtherModel?: boolean; readonly model?: string }): void {
    this.#start(vscode.commands.executeCommand(COMMANDS.forecastAgain, { ...this.#host.ref(), ...changes }));
  }

  #onFile(command: string): void {
    const uri = this.#host.source()?.uri;
    if (uri !== undefined) this.#start(vscode.commands.executeCommand(command, vscode.Uri.parse(uri)));
  }

  /** Shows lines of the file that the forecast was made from. */
  async #showLines(first: number, last: number): Promise<void> {
    const uri = this.#host.source()?.uri;
    if (uri === undefined) return;
    const selection = new vscode.Range(first - 1, 0, last, 0);
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(uri), { selection });
  }
}
