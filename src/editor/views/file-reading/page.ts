import * as vscode from 'vscode';
import type { LayoutChoice } from '../../../reading/types.ts';
import type { App } from '../../app.ts';
import { chosenSeries, fileNameOf, openDocument, type OpenedDocument, rememberChoice } from '../../files/document.ts';
import { COMMANDS } from '../../names.ts';
import { Cancelled, sentenceOf } from '../../ui/say.ts';
import { type Owner, Page, PageHost } from '../shared/page-host.ts';
import type { Handlers } from '../shared/protocol.ts';
import type { Reading, ReadingEvent, ReadingState } from './view.ts';
import { acceptedLayout, ReadingIntent, ReadingRef, readingViewer, reduce, startOf } from './view.ts';

const DEBOUNCE = 150;

/** The page "How This File Is Read": each change is read at once; what is accepted is remembered for the file and its header. */
class ReadingPage extends Page<ReadingState, ReadingIntent> {
  readonly #uri: vscode.Uri;
  readonly #viewOf: ReturnType<typeof readingViewer>;
  #waiting: PromiseWithResolvers<LayoutChoice> | undefined;
  #reading: Reading;

  constructor(owner: Owner, ref: ReadingRef) {
    const uri = vscode.Uri.parse(ref.uri);
    const fileName = fileNameOf(uri);
    const [viewOf, reading] = [readingViewer(), startOf(ref.tried ?? {})];
    const title = vscode.l10n.t('Interpretation: {0}', fileName);
    super(owner, { ref, fileName, title, purpose: vscode.l10n.t('Forecast'), ...viewOf(reading) });
    [this.#uri, this.#viewOf, this.#reading] = [uri, viewOf, reading];
    const following = this.app.files.subscribe(uri, {
      onRead: ({ document, layout }) => this.#follow(() => this.#take({ type: 'read', document, layout })),
      onFailure: (error) => this.#follow(() => this.#fail(error)),
    });
    this.disposables.push(following, new vscode.Disposable(() => this.#waiting?.reject(new Cancelled())));
  }

  readonly intents: Handlers<ReadingIntent> = {
    change: ({ change }) => this.#take(change),
    retry: () => this.start(() => this.#read()),
    lines: ({ first, last }) => {
      const selection = new vscode.Range(first - 1, 0, last, 0);
      const options = { selection, viewColumn: vscode.ViewColumn.Beside };
      this.start(() => vscode.commands.executeCommand('vscode.open', this.#uri, options));
    },
    accept: () => this.#accept(),
  };

  /** Waits until the person accepts the reading. @throws Cancelled if the page is closed, or someone else waits */
  settle(purpose: string): Promise<LayoutChoice> {
    this.#waiting?.reject(new Cancelled());
    this.#waiting = Promise.withResolvers();
    this.set({ purpose });
    return this.#waiting.promise;
  }

  /** Takes up how the file was read as it changed, or reads it as the person tries it. */
  #follow(take: () => void): void {
    if (this.state.ref.tried) this.start(() => this.#read());
    else take();
  }

  #take(event: ReadingEvent): void {
    const before = this.#reading;
    this.#reading = reduce(before, event);
    if (this.#reading === before) return;
    const isNew = event.type !== 'read' && this.#reading.layout !== before.layout;
    if (isNew) this.#reading = { ...this.#reading, isReading: true };
    this.set(this.#viewOf(this.#reading));
    if (!isNew) return;
    this.set({ ref: { ...this.state.ref, tried: this.#reading.layout } });
    const timer = setTimeout(() => this.start(() => this.#read()), DEBOUNCE);
    this.keep('loading', { dispose: () => clearTimeout(timer) });
  }

  #fail(error: unknown): void {
    this.#take({ type: 'failed', problem: sentenceOf(error) });
  }

  #read(): Promise<void> {
    const { layout } = this.#reading;
    const read = async (signal: AbortSignal) => {
      const { document } = await openDocument(this.app.reader, this.#uri, { layout, missing: 'report' }, signal);
      if (!signal.aborted) this.#take({ type: 'read', document, layout });
    };
    return this.latest('loading', read, (error) => this.#fail(error));
  }

  #accept(): void {
    const { document, isReading, problem } = this.#reading;
    if (!document || isReading || problem !== undefined) return;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.set({ ref: { uri: this.state.ref.uri } });
    const [uri, accepted] = [this.#uri, acceptedLayout(this.#reading)];
    const before = chosenSeries({ document }, this.app.choices.recall(uri, document.shape));
    rememberChoice(this.app, { uri, document, layout: accepted }, before);
    if (waiting) waiting.resolve(accepted);
    else this.start(() => vscode.commands.executeCommand(COMMANDS.forecast, this.#uri));
  }
}

export class ReadingPages extends PageHost<ReadingRef, ReadingIntent, undefined, ReadingPage> {
  constructor(app: () => App) {
    const keyOf = ({ uri }: ReadingRef) => uri;
    const kind = { viewType: 'forecasts.reading', bundle: 'reading', ref: ReadingRef, intent: ReadingIntent } as const;
    super({ ...kind, keyOf, page: ReadingPage }, app);
  }

  /** Lets the person check how a document is read. @param purpose label of the button @throws Cancelled if the page is closed; SeriesError */
  async settle(opened: OpenedDocument, purpose: string): Promise<OpenedDocument> {
    const ref = { uri: opened.uri.toString() };
    const layout = await this.open(ref).settle(purpose);
    this.close(ref);
    return opened.again({ layout });
  }
}
