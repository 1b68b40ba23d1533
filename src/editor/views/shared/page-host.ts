import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { inBackground, showFailure } from '../../ui/say.ts';
import type { App, Showing } from '../../app.ts';
import { dispatch, type Handlers, isRecord, type PageState, type StateMessage } from './protocol.ts';

interface Typed {
  readonly type: string;
}

/** A page as data. It knows nothing of panels. `K`: what may be known of it when it is opened. */
export interface Page<S extends PageState, I extends Typed, K = undefined> extends vscode.Disposable {
  readonly state: S;
  readonly intents: Handlers<I>;
  show?(ref: S['ref'], known?: K): void;
}

/** Work of which only the latest counts: a new run aborts the former one. */
export class Latest {
  #current = new AbortController();

  begin(): AbortSignal {
    this.#current.abort();
    this.#current = new AbortController();
    return this.#current.signal;
  }

  end(): void {
    this.#current.abort();
  }
}

/** A page that works in the background, and shows its failures. */
export abstract class WorkingPage<
  S extends PageState,
  I extends Typed,
  A extends Pick<App, 'log'> = App,
> implements Page<S, I> {
  abstract readonly intents: Handlers<I>;
  protected readonly app: A;
  protected readonly loading = new Latest();
  protected readonly disposables: vscode.Disposable[] = [new vscode.Disposable(() => this.loading.end())];
  readonly #changed: () => void;
  state: S;

  constructor(app: A, changed: () => void, state: S) {
    this.app = app;
    this.#changed = changed;
    this.state = state;
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  protected set(parts: Partial<S>): void {
    this.state = { ...this.state, ...parts };
    this.#changed();
  }

  protected start(work: PromiseLike<unknown> | undefined): void {
    inBackground(
      this.app.log,
      work?.then(undefined, (error: unknown) => showFailure(this.app, error)),
    );
  }
}

interface Shell<I> {
  readonly viewType: string;
  readonly bundle: Bundle;
  readonly intent: z.ZodMiniType<I>;
}

interface PageKind<R, I extends Typed, K, P extends Page<PageState<R>, I, K>> extends Shell<I> {
  readonly ref: z.ZodMiniType<R>;
  readonly keyOf?: (ref: R) => string;
  /** @param title of the tab before a reload of the window */
  readonly make: (ref: R, changed: () => void, known?: K, title?: string) => P;
}

export type HostServices = Pick<App, 'extensionUri' | 'log'>;

interface Loading {
  readonly panel: vscode.WebviewPanel;
  isReady: boolean;
  onMessage: (message: z.output<typeof Message>) => void;
}

const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('problem'), message: z.string() }),
  z.object({ type: z.literal('intent'), intent: z.unknown() }),
]);

/** Loads a panel, whose page may be made later. */
export function load(
  panel: vscode.WebviewPanel,
  { bundle }: Pick<Shell<unknown>, 'bundle'>,
  { extensionUri }: HostServices,
) {
  const loading: Loading = { panel, isReady: false, onMessage: () => undefined };
  const listener = panel.webview.onDidReceiveMessage((received: unknown) => {
    const { data: message } = Message.safeParse(received);
    if (message?.type === 'ready') loading.isReady = true;
    if (message) loading.onMessage(message);
  });
  panel.onDidDispose(() => listener.dispose());
  fillPanel(panel, extensionUri, bundle);
  return loading;
}

/**
 * Shows a page in a panel: sends the changed parts of its state and passes on the person's intents. A hidden page is
 * rebuilt when it becomes visible, and gets its whole state.
 * @param make creates the page, which calls back when its state changes
 */
export function showIn<S extends PageState, I extends Typed, P extends Page<S, I>>(
  loading: Loading,
  { viewType, intent }: Shell<I>,
  { log }: HostServices,
  make: (changed: () => void) => P,
): P {
  const { panel } = loading;
  let sent: Partial<S> = {};
  let [isAwaited, isClosed] = [false, false];
  const post = () => {
    isAwaited = false;
    if (isClosed) return;
    const { state } = page;
    if (panel.title !== state.title) panel.title = state.title;
    const changed = Object.entries(state).filter(([name, part]) => sent[name as keyof S] !== part);
    if (!loading.isReady || changed.length === 0) return;
    sent = state;
    const parts = Object.fromEntries(changed) as Partial<S>;
    inBackground(log, panel.webview.postMessage({ type: 'state', parts } satisfies StateMessage<S>));
  };
  const page = make(() => {
    if (!isAwaited) queueMicrotask(post);
    isAwaited = true;
  });
  loading.onMessage = (message) => {
    if (message.type === 'problem') log.error(`${viewType}: ${message.message}`);
    else if (message.type === 'ready') {
      sent = {};
      post();
    } else {
      const wanted = intent.safeParse(message.intent);
      if (wanted.success) dispatch(wanted.data, page.intents);
    }
  };
  panel.onDidDispose(() => {
    isClosed = true;
    page.dispose();
  });
  post();
  return page;
}

/** All pages of a kind, one for each ref. They are restored after a reload of the window. */
export class PageHost<R, I extends Typed, K, P extends Page<PageState<R>, I, K>>
  implements vscode.Disposable, vscode.WebviewPanelSerializer
{
  readonly #kind: PageKind<R, I, K, P>;
  readonly #services: HostServices;
  readonly #open = new Map<P, vscode.WebviewPanel>();
  readonly #serializer: vscode.Disposable;
  #expected: Loading | undefined;

  constructor(kind: PageKind<R, I, K, P>, services: HostServices) {
    this.#kind = kind;
    this.#services = services;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(kind.viewType, this);
  }

  open(ref: R, known?: K, showing: Showing = {}): P {
    const open = this.find(ref);
    if (open) {
      open.show?.(ref, known);
      this.#open.get(open)?.reveal(undefined, showing.preserveFocus);
      return open;
    }
    const loading = (Object.keys(showing).length === 0 && this.#expected) || this.#load('', showing);
    this.#expected = undefined;
    const page = this.#attach(ref, loading, known);
    this.#closeUnseen(loading.panel);
    return page;
  }

  /** Loads a panel while its page is being made. @returns closes it if no page was opened */
  expect(title: string): vscode.Disposable {
    const loading = this.#load(title);
    this.#expected?.panel.dispose();
    this.#expected = loading;
    const forget = () => {
      if (this.#expected !== loading) return false;
      this.#expected = undefined;
      return true;
    };
    loading.panel.onDidDispose(forget);
    return new vscode.Disposable(() => {
      if (forget()) loading.panel.dispose();
    });
  }

  find(ref: R): P | undefined {
    const { keyOf = JSON.stringify } = this.#kind;
    return this.pages.find(({ state }) => keyOf(state.ref) === keyOf(ref));
  }

  get pages(): readonly P[] {
    return [...this.#open.keys()];
  }

  get front(): R | undefined {
    return this.pages.find((page) => this.#open.get(page)?.active)?.state.ref;
  }

  isInSight(ref: R): boolean {
    return this.#panelOf(ref)?.visible ?? false;
  }

  close(ref: R): boolean {
    const panel = this.#panelOf(ref);
    panel?.dispose();
    return panel !== undefined;
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const { data: ref } = this.#kind.ref.safeParse(isRecord(kept) ? kept['ref'] : undefined);
    const known = ref === undefined ? undefined : this.#panelOf(ref);
    // reopened before its restored tab was visible
    known?.reveal();
    if (ref === undefined || known) panel.dispose();
    else this.#attach(ref, load(panel, this.#kind, this.#services), undefined, panel.title);
    await Promise.resolve();
  }

  /** Leaves the panels open, so that they are restored after a reload of the window. */
  dispose(): void {
    this.#serializer.dispose();
    for (const page of this.pages) page.dispose();
  }

  #load(title: string, { viewColumn = vscode.ViewColumn.Active, preserveFocus = false }: Showing = {}): Loading {
    const panel = vscode.window.createWebviewPanel(this.#kind.viewType, title, { viewColumn, preserveFocus }, {});
    return load(panel, this.#kind, this.#services);
  }

  #attach(ref: R, loading: Loading, known?: K, title?: string): P {
    const { panel } = loading;
    const page = showIn(loading, this.#kind, this.#services, (changed) => this.#kind.make(ref, changed, known, title));
    this.#open.set(page, panel);
    panel.onDidDispose(() => this.#open.delete(page));
    return page;
  }

  /** VS Code restores a tab's panel only when it becomes visible: one of the same title is closed, so there are not two. */
  #closeUnseen({ title }: vscode.WebviewPanel): void {
    if (this.pages.filter((page) => page.state.title === title).length > 1) return;
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const [unseen, ...others] = tabs.filter(
      ({ label, input }) =>
        label === title && input instanceof vscode.TabInputWebview && input.viewType.endsWith(this.#kind.viewType),
    );
    if (unseen && others.length === 0) inBackground(this.#services.log, vscode.window.tabGroups.close(unseen, true));
  }

  #panelOf(ref: R): vscode.WebviewPanel | undefined {
    const page = this.find(ref);
    return page && this.#open.get(page);
  }
}

type Bundle = 'webview' | 'model' | 'many' | 'reading';

/**
 * Writes the HTML of a page. One script by a nonce, which is random for each page and at least 128 bits; one style sheet
 * from the extension’s own folder; nothing inline and nothing remote; pictures only as `data:` or `blob:`.
 */
export function fillPanel(panel: vscode.WebviewPanel, extensionUri: vscode.Uri, bundle: Bundle): void {
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  const { webview } = panel;
  const { cspSource } = webview;
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  panel.iconPath = {
    light: vscode.Uri.joinPath(extensionUri, 'media', 'chart-light.svg'),
    dark: vscode.Uri.joinPath(extensionUri, 'media', 'chart-dark.svg'),
  };
  const nonce = crypto.randomUUID().replaceAll('-', '');
  const addressOf = (name: string) => escape(webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString());
  // a page cannot ask the editor for its language and translations
  const words = vscode.l10n.bundle;
  const language = words ? `${escape(vscode.env.language)}" data-words="${escape(JSON.stringify(words))}` : 'en';
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `img-src ${cspSource} data: blob:`,
    `font-src 'none'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  webview.html = `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${addressOf(`${bundle}.css`)}">
<title>${escape(panel.title)}</title>
</head>
<body>
<main id="app"></main>
<script nonce="${nonce}" src="${addressOf(`${bundle}.js`)}"></script>
</body>
</html>
`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escape = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
