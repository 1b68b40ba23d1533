import * as vscode from 'vscode';
import type { LayoutChoice, SeriesDocument } from '../../../reading/types.ts';
import { fileNameOf } from '../../files/document.ts';
import type { FileListener } from '../../files/series-file.ts';
import { COMMANDS } from '../../names.ts';
import { inBackground } from '../../ui/background.ts';
import { Latest } from '../shared/latest.ts';
import type { Page } from '../shared/page-host.ts';
import type { Handlers } from '../shared/protocol.ts';
import type { ReadingIntent, ReadingRef, ReadingState } from './protocol.ts';
import { acceptedLayout, type Reading, type ReadingEvent, reduce, startOf } from './reducer.ts';
import { viewOf } from './view.ts';

/** What the page needs of the editor. */
export interface ReadingServices {
  readonly log: vscode.LogOutputChannel;
  /** Reads the file in a thread. @throws SeriesError; the signal's reason when aborted */
  readonly read: (uri: vscode.Uri, layout: LayoutChoice, signal: AbortSignal) => Promise<SeriesDocument>;
  /** Tells how the file is read, in the way that was chosen for it, now and after each of its changes. */
  readonly follow: (uri: vscode.Uri, listener: FileListener) => vscode.Disposable;
  /** Keeps how the file is read. */
  readonly remember: (uri: vscode.Uri, document: SeriesDocument, layout: LayoutChoice) => Promise<void>;
}

/** Changes within so many milliseconds are read once: as long as a click takes. */
const TOGETHER = 150;

/** Callers that wait for the person to look at how a file is read. */
export interface Waiting {
  /** What is done next, as a button says it. */
  readonly purpose: string;
  readonly accept: (layout: LayoutChoice) => void;
  readonly cancel: () => void;
}

/** The page "How This File Is Read": each change is read at once and remembered for the file and its header. */
export class ReadingPage implements Page<ReadingState, ReadingIntent> {
  readonly #uri: vscode.Uri;
  readonly #services: ReadingServices;
  readonly #changed: () => void;
  readonly #reading = new Latest();
  readonly #file: vscode.Disposable;
  /** Whether a layout that the person chose is to be read. */
  #isPending = false;
  #timer: NodeJS.Timeout | undefined;
  #waiting: Waiting | undefined;
  #now: Reading;
  state: ReadingState;

  constructor(ref: ReadingRef, services: ReadingServices, changed: () => void) {
    this.#uri = vscode.Uri.parse(ref.uri);
    this.#services = services;
    this.#changed = changed;
    this.#now = startOf({});
    const fileName = fileNameOf(this.#uri);
    this.state = { ...EMPTY, ref, fileName, title: vscode.l10n.t('Reading: {0}', fileName) };
    this.#file = services.follow(this.#uri, {
      onRead: ({ document, layout }) => {
        if (!this.#isPending) this.#take({ type: 'read', document, layout });
      },
      onFailure: (error) => {
        if (!this.#isPending) this.#take({ type: 'failed', problem: sentenceOf(error) });
      },
    });
  }

  readonly intents: Handlers<ReadingIntent> = {
    role: (intent) => { this.#take(intent); },
    proposal: (intent) => { this.#take(intent); },
    step: (intent) => { this.#take(intent); },
    by: (intent) => { this.#take(intent); },
    closed: (intent) => { this.#take(intent); },
    answer: (intent) => { this.#take(intent); },
    series: (intent) => { this.#take(intent); },
    reset: (intent) => { this.#take(intent); },
    retry: () => { this.#read(); },
    lines: ({ first, last }) => { this.#start(showLines(this.#uri, first, last)); },
    accept: () => { this.#accept(); },
  }; // prettier-ignore

  /** Lets somebody wait until the person accepts the reading; who waited before is told that it was cancelled. */
  wait(waiting: Waiting): void {
    this.#waiting?.cancel();
    this.#waiting = waiting;
    this.state = { ...this.state, purpose: waiting.purpose };
    this.#changed();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#file.dispose();
    this.#reading.end();
    this.#waiting?.cancel();
  }

  #take(event: ReadingEvent): void {
    const before = this.#now;
    this.#now = reduce(before, event);
    if (this.#now === before) return;
    const isNew = event.type !== 'read' && this.#now.layout !== before.layout;
    if (isNew) this.#now = reduce(this.#now, { type: 'reads' });
    this.state = viewOf(this.#now, before, this.state);
    this.#changed();
    if (!isNew) return;
    // what is being read is of no use any more
    this.#isPending = true;
    this.#reading.end();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#read();
    }, TOGETHER);
  }

  /** Reads the file as the person chose, which is kept once it gives something. */
  #read(): void {
    const { layout } = this.#now;
    const signal = this.#reading.begin();
    const reading = async (): Promise<void> => {
      try {
        const document = await this.#services.read(this.#uri, layout, signal);
        if (signal.aborted) return;
        this.#isPending = false;
        this.#take({ type: 'read', document, layout });
        await this.#services.remember(this.#uri, document, layout);
      } catch (error) {
        if (signal.aborted) return;
        this.#take({ type: 'failed', problem: sentenceOf(error) });
      }
    };
    this.#start(reading());
  }

  #accept(): void {
    const { document, isReading, problem } = this.#now;
    if (!document || isReading || problem !== undefined) return;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    const accepted = acceptedLayout(this.#now);
    const remembered = this.#services.remember(this.#uri, document, accepted);
    if (waiting) waiting.accept(accepted);
    else this.#start(remembered.then(() => vscode.commands.executeCommand(COMMANDS.forecast, this.#uri)));
  }

  #start(work: PromiseLike<unknown>): void {
    inBackground(this.#services.log, work);
  }
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Shows lines of the file in an editor beside the page. */
async function showLines(uri: vscode.Uri, first: number, last: number): Promise<void> {
  const selection = new vscode.Range(first - 1, 0, last, 0);
  await vscode.commands.executeCommand('vscode.open', uri, { selection, viewColumn: vscode.ViewColumn.Beside });
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
