import * as vscode from 'vscode';
import { ServiceError } from '../../../client/errors.ts';
import { readPredictions } from '../../../client/poller.ts';
import { isOngoing } from '../../../contract/operation.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import type { Session } from '../../connection/connection.ts';
import type { Note } from '../../connection/memory.ts';
import { touches } from '../../connection/settings.ts';
import { Latest } from '../shared/latest.ts';
import { fillPanel } from '../shared/page.ts';
import { noticeOf, panelStatus, panelTitle } from './status.ts';
import { viewOf } from './view-of.ts';
import { titleOf } from '../../../chart/chart-view.ts';
import type { HostMessage, PredictionRef } from './protocol.ts';
import type { PanelServices } from './deeds.ts';
import { ChartWork } from './work.ts';
import { PanelActions } from './actions.ts';
import { inBackground } from '../../ui/background.ts';

/** What a panel begins with. */
export interface PanelStart {
  readonly known?: LocalPrediction | undefined;
  /** Ids of the predictions that it showed before. */
  readonly former?: readonly string[] | undefined;
  /** Shows another prediction in this panel. */
  readonly turn: (panel: ChartPanel, ref: PredictionRef, known: LocalPrediction | undefined) => void;
}

/** One chart. It asks the service until the prediction is done, and only while it is open. */
export class ChartPanel {
  #ref: PredictionRef;
  readonly #panel: vscode.WebviewPanel;
  readonly #services: PanelServices;
  readonly #loading = new Latest();
  readonly #disposables: vscode.Disposable[];
  readonly #work: ChartWork;
  readonly #actions: PanelActions;
  #file: vscode.Disposable | undefined;
  #prediction: LocalPrediction | undefined;
  #problem: unknown;
  #isReady = false;
  #isCurrent = true;

  constructor(
    ref: PredictionRef,
    panel: vscode.WebviewPanel,
    services: PanelServices,
    { known, former = [], turn }: PanelStart,
  ) {
    this.#ref = ref;
    this.#panel = panel;
    this.#services = services;
    this.#work = new ChartWork(
      {
        ref: () => this.#ref,
        prediction: () => this.#prediction,
        session: () => this.#session(),
        isInUse: () => this.#ref.serviceId === services.connection.current.id,
        post: (message) => {
          this.#post(message);
        },
        turnTo: (other, prediction) => {
          turn(this, other, prediction);
        },
      },
      services,
      former,
    );
    this.#actions = new PanelActions(
      {
        ref: () => this.#ref,
        prediction: () => this.#prediction,
        view: () => this.#view(),
        source: () => this.#note()?.source,
        toWorkbook: services.toWorkbook,
        ready: () => {
          this.#isReady = true;
          this.#show();
        },
        reload: () => {
          this.#start(this.#load());
        },
        work: (wanted) => {
          this.#work.receive(wanted);
        },
        takeTotals: () => {
          const uri = this.#note()?.source?.uri;
          if (uri !== undefined) this.#start(services.deeds.takeTotals(vscode.Uri.parse(uri)));
        },
        changeSteps: () => {
          const uri = this.#note()?.source?.uri;
          if (uri !== undefined) this.#start(services.deeds.changeSteps(vscode.Uri.parse(uri)));
        },
        supposeFile: () => {
          const name = this.#note()?.source?.fileName ?? '';
          this.#work.suppose(vscode.l10n.t('As in {0} now', name), this.#work.changedAhead());
        },
      },
      services.log,
    );
    this.#disposables = [
      panel.webview.onDidReceiveMessage((message: unknown) => {
        this.#actions.receive(message);
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (touches(event, 'timeZone')) this.#show();
      }),
      services.kept.onDidChange(() => {
        this.#show();
      }),
      services.connection.onDidChange(() => {
        if (!this.#prediction || isOngoing(this.#prediction)) this.#start(this.#load());
      }),
    ];
    panel.onDidDispose(() => {
      this.#isReady = false;
      this.#work.dispose();
      this.#loading.end();
      this.#file?.dispose();
      for (const disposable of this.#disposables) disposable.dispose();
    });
    fillPanel(panel, services.extensionUri, 'webview');
    this.#begin(known);
  }

  get ref(): PredictionRef {
    return this.#ref;
  }

  get prediction(): LocalPrediction | undefined {
    return this.#prediction;
  }

  get title(): string {
    return this.#panel.title;
  }

  get isActive(): boolean {
    return this.#panel.active;
  }

  get isVisible(): boolean {
    return this.#panel.visible;
  }

  /** Shows another prediction, as that of the same series made again. What was shown stays until it is there. */
  turnTo(ref: PredictionRef, known: LocalPrediction | undefined): void {
    this.#work.turned(this.#ref, ref);
    this.#ref = ref;
    this.#begin(known);
  }

  #begin(known: LocalPrediction | undefined): void {
    this.#prediction = undefined;
    this.#problem = undefined;
    this.#isCurrent = true;
    this.#file?.dispose();
    const source = this.#note()?.source;
    this.#file =
      source &&
      this.#services.follow(source, {
        onChange: (isCurrent) => {
          this.#isCurrent = isCurrent;
          this.#showTitle();
          if (this.#services.kept.has(source.uri)) this.#show();
          else this.#showNotice();
        },
        onSeries: (series) => {
          this.#work.came(series);
          if (this.#isCurrent) this.#showNotice();
        },
      });
    if (known?.status === 'COMPLETED' && known.input_series) {
      this.#loading.end();
      this.#take(known);
    } else this.#start(this.#load(known));
  }

  /** Lays other forecasts of the series over this one. */
  compareWith(others: readonly LocalPrediction[]): Promise<void> {
    return this.#work.compareWith(others);
  }

  /** Follows nothing any more, as where the window goes; the page stays. */
  rest(): void {
    this.#loading.end();
    this.#file?.dispose();
  }

  reveal(preserveFocus: boolean): void {
    this.#panel.reveal(undefined, preserveFocus);
  }

  dispose(): void {
    this.#panel.dispose();
  }

  async #load(known?: LocalPrediction): Promise<void> {
    const signal = this.#loading.begin();
    this.#problem = undefined;
    try {
      const session = this.#session();
      const { predictionId } = this.#ref;
      if (known) this.#take(known);
      else this.#show();
      if (!known || (!isOngoing(known) && !known.input_series)) {
        const { jobs } = await readPredictions(session.client, new Set([predictionId]), signal);
        const [found] = jobs;
        if (signal.aborted) return;
        if (!found)
          throw new ServiceError(
            'not-found',
            vscode.l10n.t('{0} does not have this prediction any more.', session.info.name),
          );
        this.#take(found);
      }
      if (this.#prediction && isOngoing(this.#prediction)) this.#follow(session, signal);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** Shows each change until the prediction has ended. */
  #follow({ predictions }: Session, signal: AbortSignal): void {
    const end = predictions.watch(this.#ref.predictionId, {
      onChange: (now) => {
        this.#problem = undefined;
        this.#take(now);
      },
      onProblem: (problem) => {
        this.#fail(problem);
      },
    });
    signal.addEventListener('abort', end);
  }

  #fail(problem: unknown): void {
    this.#services.log.warn(`Chart of ${this.#ref.predictionId}: ${String(problem)}`);
    this.#problem = problem;
    this.#show();
  }

  #session(): Session {
    const session = this.#services.connection.session(this.#ref.serviceId);
    if (session) return session;
    throw new ServiceError(
      'not-found',
      vscode.l10n.t(
        'This chart is from {0}, which is not set up any more. Add that service again to see it.',
        this.#ref.serviceId,
      ),
    );
  }

  #take(prediction: LocalPrediction): void {
    this.#prediction = prediction;
    this.#showTitle();
    this.#show();
  }

  #note(): Note | undefined {
    return this.#services.memory.recall(this.#ref.serviceId, this.#ref.predictionId);
  }

  #view() {
    return this.#prediction && viewOf(this.#prediction, this.#ref, this.#services, this.#isCurrent);
  }

  #showTitle(): void {
    if (!this.#prediction) return;
    const title = panelTitle(titleOf(this.#prediction, this.#note()?.label), this.#isCurrent);
    if (this.#panel.title !== title) this.#panel.title = title;
  }

  #show(): void {
    if (!this.#isReady) return;
    const status = panelStatus(this.#prediction, this.#problem);
    const chart = this.#view();
    // of one that FAILED the series stays in sight, below what is said of it
    const isKept = this.#problem === undefined && this.#prediction?.status === 'FAILED' && chart;
    if (isKept && chart.history.times.length > 0) this.#post({ type: 'show', ref: this.#ref, chart });
    if (status || !chart) {
      const title = this.#note()?.label ?? this.#panel.title;
      this.#post({ type: 'status', ref: this.#ref, title, status: status ?? { kind: 'loading' } });
    } else {
      this.#post({ type: 'show', ref: this.#ref, chart });
      this.#showNotice();
      if (this.#prediction?.prediction_series) this.#start(this.#work.show(this.#prediction));
      else this.#work.hide();
    }
  }

  #showNotice(): void {
    if (this.#isReady && this.#prediction && !panelStatus(this.#prediction, this.#problem))
      this.#post({
        type: 'notice',
        notice: noticeOf(this.#note()?.source, this.#isCurrent, this.#work.changedAhead()),
      });
  }

  #start(work: PromiseLike<unknown>): void {
    inBackground(this.#services.log, work);
  }

  #post(message: HostMessage): void {
    if (this.#isReady) this.#start(this.#panel.webview.postMessage(message));
  }
}
