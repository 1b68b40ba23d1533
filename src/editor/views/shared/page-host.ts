import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { inBackground } from '../../ui/background.ts';
import { type Bundle, fillPanel } from './page.ts';
import { dispatch, type Handlers, isRecord, type PageState, type StateMessage } from './protocol.ts';

/** A page as data and what the person can do to it. It knows nothing of panels, so that a test needs none. */
export interface Page<S extends PageState, I extends { readonly type: string }> extends vscode.Disposable {
  /** What is shown now; the page calls `changed` of its maker whenever this is another. */
  readonly state: S;
  readonly intents: Handlers<I>;
}

/** A kind of page, with the page that is made of each of its refs. */
export interface PageKind<S extends PageState, I extends { readonly type: string }, P extends Page<S, I>> {
  readonly viewType: string;
  readonly bundle: Bundle;
  /** What is kept over a reload of the window; a page that kept anything else is closed. */
  readonly ref: z.ZodMiniType<S['ref']>;
  readonly intent: z.ZodMiniType<I>;
  /** Two pages of the same key are one. */
  readonly keyOf: (ref: S['ref']) => string;
  /** @param title what the tab of the page said before a reload of the window */
  readonly make: (ref: S['ref'], changed: () => void, title?: string) => P;
}

interface Services {
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
}

interface Open<P> {
  readonly page: P;
  readonly panel: vscode.WebviewPanel;
}

const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('problem'), message: z.string() }),
  z.object({ type: z.literal('intent'), intent: z.unknown() }),
]);

/**
 * All pages of a kind, one for each ref: opened, brought back after a reload of the window, sent their state and told what
 * the person wants. A page that was hidden is built anew when it is seen again, and then sent all of its state.
 */
export class PageHost<S extends PageState, I extends { readonly type: string }, P extends Page<S, I>>
  implements vscode.Disposable, vscode.WebviewPanelSerializer
{
  readonly #kind: PageKind<S, I, P>;
  readonly #services: Services;
  readonly #open = new Set<Open<P>>();
  readonly #serializer: vscode.Disposable;

  constructor(kind: PageKind<S, I, P>, services: Services) {
    this.#kind = kind;
    this.#services = services;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(kind.viewType, this);
  }

  /**
   * The page of a ref, which comes to the front.
   * @param make where more is known of a page that is not open yet
   */
  open(ref: S['ref'], make = this.#kind.make): P {
    const known = this.#of(ref);
    if (known) {
      known.panel.reveal();
      return known.page;
    }
    const panel = vscode.window.createWebviewPanel(this.#kind.viewType, '', vscode.ViewColumn.Active, {});
    return this.#attach(ref, panel, make);
  }

  /** The page of a ref, where it is open. */
  find(ref: S['ref']): P | undefined {
    return this.#of(ref)?.page;
  }

  /** All that are open. */
  get pages(): readonly P[] {
    return [...this.#open].map(({ page }) => page);
  }

  /** @returns whether it was open */
  close(ref: S['ref']): boolean {
    const known = this.#of(ref);
    known?.panel.dispose();
    return known !== undefined;
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const ref = this.#kind.ref.safeParse(isRecord(kept) ? kept['ref'] : undefined);
    const known = ref.success ? this.#of(ref.data) : undefined;
    // opened anew before this tab of it was seen
    known?.panel.reveal();
    if (ref.success && !known) {
      this.#attach(ref.data, panel, (now, changed) => this.#kind.make(now, changed, panel.title));
    } else panel.dispose();
    await Promise.resolve();
  }

  /** Leaves the pages alone: what is closed while the window reloads does not come back. */
  dispose(): void {
    this.#serializer.dispose();
  }

  #attach(ref: S['ref'], panel: vscode.WebviewPanel, make: PageKind<S, I, P>['make']): P {
    const { log, extensionUri } = this.#services;
    // nothing is sent before the page says that it is there
    let sent: S | undefined;
    let isReady = false;
    let isAwaited = false;
    const post = () => {
      isAwaited = false;
      const { state } = page;
      if (panel.title !== state.title) panel.title = state.title;
      const parts = isReady && this.#open.has(open) ? changedParts(sent, state) : {};
      if (Object.keys(parts).length === 0) return;
      sent = state;
      inBackground(log, panel.webview.postMessage({ type: 'state', parts } satisfies StateMessage<S>));
    };
    const page = make(ref, () => {
      if (!isAwaited) queueMicrotask(post);
      isAwaited = true;
    });
    const open = { page, panel };
    this.#open.add(open);
    const listener = panel.webview.onDidReceiveMessage((received: unknown) => {
      const { data: message } = Message.safeParse(received);
      if (message?.type === 'ready') {
        isReady = true;
        sent = undefined;
        post();
      } else if (message?.type === 'problem') log.error(`${this.#kind.viewType}: ${message.message}`);
      else if (message) {
        const intent = this.#kind.intent.safeParse(message.intent);
        if (intent.success) dispatch(intent.data, page.intents);
      }
    });
    panel.onDidDispose(() => {
      this.#open.delete(open);
      listener.dispose();
      page.dispose();
    });
    panel.title = page.state.title;
    fillPanel(panel, extensionUri, this.#kind.bundle);
    return page;
  }

  #of(ref: S['ref']): Open<P> | undefined {
    const key = this.#kind.keyOf(ref);
    return [...this.#open].find(({ page }) => this.#kind.keyOf(page.state.ref) === key);
  }
}

/** The parts of a state that are others than before. */
function changedParts<S extends object>(before: S | undefined, state: S): Partial<S> {
  const changed = Object.entries(state).filter(([name, part]) => !before || before[name as keyof S] !== part);
  return Object.fromEntries(changed) as Partial<S>;
}
