import * as vscode from 'vscode';
import type { LayoutChoice } from '../../../reading/types.ts';
import type { App } from '../../app.ts';
import { rememberLayout } from '../../files/choose-series.ts';
import { fileNameOf, openDocument, type OpenedDocument } from '../../files/document.ts';
import { COMMANDS, READING_VIEW_TYPE } from '../../names.ts';
import { Cancelled, inBackground } from '../../ui/say.ts';
import { Latest } from '../shared/latest.ts';
import { type Page, PageHost } from '../shared/page-host.ts';
import type { Handlers } from '../shared/protocol.ts';
import { ReadingIntent, ReadingRef, type ReadingState } from './protocol.ts';
import { acceptedLayout, type Reading, type ReadingEvent, reduce, startOf } from './reducer.ts';
import { viewOf } from './view.ts';

type Services = Pick<App, 'log' | 'files' | 'choices' | 'reader'>;

export class ReadingPages extends PageHost<ReadingState, ReadingIntent, ReadingPage> {
  constructor(services: Services & Pick<App, 'extensionUri'>) {
    const make = (ref: ReadingRef, changed: () => void) => new ReadingPage(ref, services, changed);
    const keyOf = ({ uri }: ReadingRef) => uri;
    super(
      { viewType: READING_VIEW_TYPE, bundle: 'reading', ref: ReadingRef, intent: ReadingIntent, keyOf, make },
      services,
    );
  }

  /**
   * Lets the person check how a document is read before it is used.
   * @param purpose label of the button that accepts
   * @throws Cancelled if the page is closed; SeriesError
   */
  async settle(opened: OpenedDocument, purpose: string): Promise<OpenedDocument> {
    const ref = { uri: opened.uri.toString() };
    const { promise, resolve, reject } = Promise.withResolvers<LayoutChoice>();
    const cancel = () => {
      reject(new Cancelled());
    };
    this.open(ref).wait({ purpose, accept: resolve, cancel });
    const layout = await promise;
    this.close(ref);
    return opened.again({ layout });
  }
}

const DEBOUNCE = 150;

interface Waiting {
  readonly purpose: string;
  readonly accept: (layout: LayoutChoice) => void;
  readonly cancel: () => void;
}

/** The page "How This File Is Read": each change is read at once and remembered for the file and its header. */
class ReadingPage implements Page<ReadingState, ReadingIntent> {
  readonly #uri: vscode.Uri;
  readonly #services: Services;
  readonly #changed: () => void;
  readonly #latest = new Latest();
  readonly #file: vscode.Disposable;
  /** Whether a layout that the person chose is not read yet. */
  #isPending = false;
  #timer: NodeJS.Timeout | undefined;
  #waiting: Waiting | undefined;
  #reading: Reading = startOf({});
  state: ReadingState;

  constructor(ref: ReadingRef, services: Services, changed: () => void) {
    this.#uri = vscode.Uri.parse(ref.uri);
    this.#services = services;
    this.#changed = changed;
    const fileName = fileNameOf(this.#uri);
    this.state = { ...EMPTY, ref, fileName, title: vscode.l10n.t('Interpretation: {0}', fileName) };
    this.#file = services.files.subscribe(this.#uri, {
      onRead: ({ document, layout }) => {
        if (!this.#isPending) this.#take({ type: 'read', document, layout });
      },
      onFailure: (error) => {
        if (!this.#isPending) this.#fail(error);
      },
    });
  }

  readonly intents: Handlers<ReadingIntent> = {
    change: ({ change }) => {
      this.#take(change);
    },
    retry: () => {
      this.#start(this.#read());
    },
    lines: ({ first, last }) => {
      const selection = new vscode.Range(first - 1, 0, last, 0);
      const options = { selection, viewColumn: vscode.ViewColumn.Beside };
      this.#start(vscode.commands.executeCommand('vscode.open', this.#uri, options));
    },
    accept: () => {
      this.#accept();
    },
  };

  /** Waits until the person accepts the reading; an earlier caller is canceled. */
  wait(waiting: Waiting): void {
    this.#waiting?.cancel();
    this.#waiting = waiting;
    this.state = { ...this.state, purpose: waiting.purpose };
    this.#changed();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#file.dispose();
    this.#latest.end();
    this.#waiting?.cancel();
  }

  #take(event: ReadingEvent): void {
    const before = this.#reading;
    this.#reading = reduce(before, event);
    if (this.#reading === before) return;
    const isNew = event.type !== 'read' && this.#reading.layout !== before.layout;
    if (isNew) this.#reading = { ...this.#reading, isReading: true };
    this.state = viewOf(this.#reading, before, this.state);
    this.#changed();
    if (!isNew) return;
    this.#isPending = true;
    this.#latest.end();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#start(this.#read());
    }, DEBOUNCE);
  }

  #fail(error: unknown): void {
    this.#take({ type: 'failed', problem: error instanceof Error ? error.message : String(error) });
  }

  /** Reads the file as the person chose, and remembers the layout if that succeeds. */
  async #read(): Promise<void> {
    const { layout } = this.#reading;
    const { reader } = this.#services;
    const signal = this.#latest.begin();
    try {
      const { document } = await openDocument(reader, this.#uri, { layout, missing: 'report' }, signal);
      if (signal.aborted) return;
      this.#isPending = false;
      this.#take({ type: 'read', document, layout });
      rememberLayout(this.#services, this.#uri, document, layout);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  #accept(): void {
    const { document, isReading, problem } = this.#reading;
    if (!document || isReading || problem !== undefined) return;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    const accepted = acceptedLayout(this.#reading);
    rememberLayout(this.#services, this.#uri, document, accepted);
    if (waiting) waiting.accept(accepted);
    else this.#start(vscode.commands.executeCommand(COMMANDS.forecast, this.#uri));
  }

  #start(work: PromiseLike<unknown>): void {
    inBackground(this.#services.log, work);
  }
}

const EMPTY: Omit<ReadingState, 'ref' | 'title' | 'fileName'> = {
  purpose: vscode.l10n.t('Forecast'),
  isReading: true,
  isUncertain: false,
  isChanged: false,
  problem: null,
  rows: null,
  cards: [],
  questions: [],
  grid: null,
  series: null,
  report: [],
};
