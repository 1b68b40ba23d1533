import * as vscode from 'vscode';
import { ServiceError } from '../../../client/errors.ts';
import { isPending } from '../../../contract/operation.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import type { Connection, Session } from '../../connection/connection.ts';
import { Latest } from '../shared/latest.ts';
import { fillPanel } from '../shared/page.ts';
import { dispatch } from '../shared/protocol.ts';
import { type Deed, DEEDS, type HostMessage, readWebviewMessage, type SetRef } from './protocol.ts';
import { levelsOf, rowOf } from './rows.ts';
import { inBackground } from '../../ui/background.ts';

/** What can be done from the page of many forecasts. Each tells of a failure by itself. */
export interface ManyDeeds {
  /** The forecasts, some at a time. @throws ServiceError */
  readonly load: (ref: SetRef, signal: AbortSignal) => AsyncIterable<readonly LocalPrediction[]>;
  readonly open: (ref: SetRef, prediction: LocalPrediction) => Promise<void>;
  /** @returns the forecasts to show instead, where they are others now; `undefined` where they stay */
  readonly do: (deed: Deed, ref: SetRef, chosen: readonly LocalPrediction[], isAll: boolean) => Promise<SetRef | undefined>; // prettier-ignore
}

export interface ManyServices {
  readonly extensionUri: vscode.Uri;
  readonly connection: Connection;
  readonly log: vscode.LogOutputChannel;
  readonly deeds: ManyDeeds;
}

const RETRY = 'retry';

/** Rows that go to the page at once. */
const AT_ONCE = 2000;

/** While some are not done yet, how often they are read again, in milliseconds. */
const LOOK_AGAIN = 2000;

/** One page of many forecasts. */
export class ManyPanel {
  #ref: SetRef;
  readonly #panel: vscode.WebviewPanel;
  readonly #services: ManyServices;
  readonly #loading = new Latest();
  #predictions: readonly LocalPrediction[] = [];
  #offered: readonly Deed[] = [];
  #isLoading = false;
  #isClosed = false;
  #problem: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    ref: SetRef,
    panel: vscode.WebviewPanel,
    services: ManyServices,
    known: readonly LocalPrediction[] | undefined,
  ) {
    this.#ref = ref;
    this.#panel = panel;
    this.#services = services;
    const disposables = [
      panel.webview.onDidReceiveMessage((message: unknown) => {
        this.#receive(message);
      }),
    ];
    panel.onDidDispose(() => {
      this.#isClosed = true;
      this.#loading.end();
      clearTimeout(this.#timer);
      for (const disposable of disposables) disposable.dispose();
    });
    fillPanel(panel, services.extensionUri, 'many');
    this.#start(this.#load(known));
  }

  get ref(): SetRef {
    return this.#ref;
  }

  /** Comes to the front with these forecasts. */
  show(ref: SetRef, known: readonly LocalPrediction[]): void {
    this.#ref = ref;
    this.reveal();
    this.#start(this.#load(known));
  }

  reveal(): void {
    this.#panel.reveal();
  }

  async #load(known?: readonly LocalPrediction[]): Promise<void> {
    const signal = this.#loading.begin();
    clearTimeout(this.#timer);
    this.#problem = undefined;
    this.#isLoading = true;
    this.#showHead();
    try {
      const session = this.#session();
      this.#offered = await offeredBy(session);
      if (known) this.#predictions = known;
      else await this.#read(signal);
      if (signal.aborted) return;
      this.#isLoading = false;
      this.#showHead();
      this.#showRows();
      if (this.#predictions.some(({ status }) => isPending(status))) {
        this.#timer = setTimeout(() => {
          this.#start(this.#load());
        }, LOOK_AGAIN);
      }
    } catch (error) {
      if (signal.aborted) return;
      this.#isLoading = false;
      this.#services.log.warn(`Forecasts of ${this.#ref.label}: ${String(error)}`);
      this.#problem = error instanceof Error ? error.message : String(error);
      this.#showHead();
    }
  }

  /** Where nothing is shown yet, the first ones are as soon as they are there. */
  async #read(signal: AbortSignal): Promise<void> {
    const isFirst = this.#predictions.length === 0;
    const all: LocalPrediction[] = [];
    for await (const some of this.#services.deeds.load(this.#ref, signal)) {
      if (signal.aborted) return;
      all.push(...some);
      if (isFirst)
        this.#post({ type: 'rows', rows: some.map(rowOf), isFirst: all.length === some.length, isLast: false });
    }
    this.#predictions = all;
  }

  #session(): Session {
    const session = this.#services.connection.session(this.#ref.serviceId);
    if (session) return session;
    const where = vscode.l10n.t('These forecasts are from {0}, which is not set up any more.', this.#ref.serviceId);
    throw new ServiceError('not-found', vscode.l10n.t('{0} Add that service again to see it.', where));
  }

  #receive(message: unknown): void {
    const read = readWebviewMessage(message);
    if (!read) return;
    dispatch(read, {
      // at first, and after it was hidden
      ready: () => {
        this.#showHead();
        if (!this.#isLoading) this.#showRows();
      },
      action: ({ id }) => {
        if (id === RETRY) this.#start(this.#load());
      },
      open: ({ id }) => {
        const prediction = this.#predictions.find((one) => one.id === id);
        if (prediction) this.#start(this.#services.deeds.open(this.#ref, prediction));
      },
      deed: ({ deed, ids }) => {
        this.#start(this.#do(deed, new Set(ids)));
      },
      problem: ({ message: text }) => {
        this.#services.log.error(`Page of forecasts: ${text}`);
      },
    });
  }

  async #do(deed: Deed, ids: ReadonlySet<string>): Promise<void> {
    const chosen = this.#predictions.filter(({ id }) => ids.has(id));
    if (chosen.length === 0) return;
    const isAll = chosen.length === this.#predictions.length;
    const next = await this.#services.deeds.do(deed, this.#ref, chosen, isAll);
    if (!next || this.#isClosed) return;
    this.#ref = next;
    await this.#load();
  }

  #showHead(): void {
    const { label } = this.#ref;
    const problem = this.#problem;
    const title = titleOf(this.#ref);
    if (this.#panel.title !== title) this.#panel.title = title;
    this.#post({
      type: 'head',
      ref: this.#ref,
      title: label,
      deeds: this.#offered,
      isLoading: this.#isLoading,
      levels: levelsOf(this.#predictions),
      problem,
      actions: problem === undefined ? [] : [{ id: RETRY, label: vscode.l10n.t('Try Again') }],
    });
  }

  #showRows(): void {
    const rows = this.#predictions.map(rowOf);
    for (let at = 0; at < Math.max(1, rows.length); at += AT_ONCE) {
      const isLast = at + AT_ONCE >= rows.length;
      this.#post({ type: 'rows', rows: rows.slice(at, at + AT_ONCE), isFirst: at === 0, isLast });
    }
  }

  #start(work: PromiseLike<unknown>): void {
    inBackground(this.#services.log, work);
  }

  #post(message: HostMessage): void {
    this.#start(this.#panel.webview.postMessage(message));
  }
}

/** The title of a page’s tab. */
export const titleOf = ({ label }: SetRef): string => vscode.l10n.t('Forecasts: {0}', label);

async function offeredBy({ client }: Session): Promise<Deed[]> {
  const offers = await client.capabilities();
  return DEEDS.filter((deed) => deed !== 'dataset' || (offers.has('createDataset') && offers.has('getPrediction')));
}
