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
  /** The page calls `changed` whenever this changes. */
  readonly state: S;
  readonly intents: Handlers<I>;
  /** Called where it is opened again. */
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
  /** What is kept over a reload of the window. */
  readonly ref: z.ZodMiniType<R>;
  /** By which a page is unique; absent: all of its ref. */
  readonly keyOf?: (ref: R) => string;
  /** @param title of the tab before a reload of the window */
  readonly make: (ref: R, changed: () => void, known?: K, title?: string) => P;
}

export type HostServices = Pick<App, 'extensionUri' | 'log'>;

interface Open<P> {
  readonly page: P;
  readonly panel: vscode.WebviewPanel;
}

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

function load(panel: vscode.WebviewPanel, bundle: Bundle, extensionUri: vscode.Uri): Loading {
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
  to: vscode.WebviewPanel | Loading,
  { viewType, bundle, intent }: Shell<I>,
  { log, extensionUri }: HostServices,
  make: (changed: () => void) => P,
): P {
  const loading = 'panel' in to ? to : load(to, bundle, extensionUri);
  const { panel } = loading;
  let sent: S | undefined;
  let isAwaited = false;
  const post = () => {
    isAwaited = false;
    const { state } = page;
    if (panel.title !== state.title) panel.title = state.title;
    const parts = loading.isReady ? changedParts(sent, state) : {};
    if (Object.keys(parts).length === 0) return;
    sent = state;
    inBackground(log, panel.webview.postMessage({ type: 'state', parts } satisfies StateMessage<S>));
  };
  let isClosed = false;
  const page = make(() => {
    if (!isAwaited)
      queueMicrotask(() => {
        if (!isClosed) post();
      });
    isAwaited = true;
  });
  loading.onMessage = (message) => {
    if (message.type === 'ready') {
      sent = undefined;
      post();
    } else if (message.type === 'problem') log.error(`${viewType}: ${message.message}`);
    else {
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
  readonly #open = new Set<Open<P>>();
  readonly #serializer: vscode.Disposable;
  #expected: Loading | undefined;

  constructor(kind: PageKind<R, I, K, P>, services: HostServices) {
    this.#kind = kind;
    this.#services = services;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(kind.viewType, this);
  }

  open(ref: R, known?: K, showing: Showing = {}): P {
    const open = this.#of(ref);
    if (open) {
      open.page.show?.(ref, known);
      open.panel.reveal(undefined, showing.preserveFocus);
      return open.page;
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
    return this.#of(ref)?.page;
  }

  get pages(): readonly P[] {
    return [...this.#open].map(({ page }) => page);
  }

  get front(): R | undefined {
    return [...this.#open].find(({ panel }) => panel.active)?.page.state.ref;
  }

  isInSight(ref: R): boolean {
    return this.#of(ref)?.panel.visible ?? false;
  }

  close(ref: R): boolean {
    const known = this.#of(ref);
    known?.panel.dispose();
    return known !== undefined;
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const ref = this.#kind.ref.safeParse(isRecord(kept) ? kept['ref'] : undefined);
    const known = ref.success ? this.#of(ref.data) : undefined;
    // reopened before its restored tab was visible
    known?.panel.reveal();
    if (ref.success && !known) {
      this.#attach(ref.data, panel, undefined, panel.title);
    } else panel.dispose();
    await Promise.resolve();
  }

  /** Leaves the panels open, so that they are restored after a reload of the window. */
  dispose(): void {
    this.#serializer.dispose();
    for (const { page } of this.#open) page.dispose();
  }

  #load(title: string, { viewColumn = vscode.ViewColumn.Active, preserveFocus = false }: Showing = {}): Loading {
    const { viewType, bundle } = this.#kind;
    const panel = vscode.window.createWebviewPanel(viewType, title, { viewColumn, preserveFocus }, {});
    return load(panel, bundle, this.#services.extensionUri);
  }

  #attach(ref: R, to: vscode.WebviewPanel | Loading, known?: K, title?: string): P {
    const panel = 'panel' in to ? to.panel : to;
    const page = showIn(to, this.#kind, this.#services, (changed) => this.#kind.make(ref, changed, known, title));
    const open = { page, panel };
    this.#open.add(open);
    panel.onDidDispose(() => this.#open.delete(open));
    return page;
  }

  /** VS Code restores a tab's panel only when it becomes visible: one of the same title is closed, so there are not two. */
  #closeUnseen({ title }: vscode.WebviewPanel): void {
    if ([...this.#open].filter(({ panel }) => panel.title === title).length > 1) return;
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const [unseen, ...others] = tabs.filter(
      ({ label, input }) =>
        label === title && input instanceof vscode.TabInputWebview && input.viewType.endsWith(this.#kind.viewType),
    );
    if (unseen && others.length === 0) inBackground(this.#services.log, vscode.window.tabGroups.close(unseen, true));
  }

  #of(ref: R): Open<P> | undefined {
    const { keyOf = JSON.stringify } = this.#kind;
    return [...this.#open].find(({ page }) => keyOf(page.state.ref) === keyOf(ref));
  }
}

function changedParts<S extends object>(before: S | undefined, state: S): Partial<S> {
  const changed = Object.entries(state).filter(([name, part]) => !before || before[name as keyof S] !== part);
  return Object.fromEntries(changed) as Partial<S>;
}

type Bundle = 'webview' | 'model' | 'many' | 'reading';

export function fillPanel(panel: vscode.WebviewPanel, extensionUri: vscode.Uri, bundle: Bundle): void {
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  const { webview } = panel;
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  panel.iconPath = {
    light: vscode.Uri.joinPath(extensionUri, 'media', 'chart-light.svg'),
    dark: vscode.Uri.joinPath(extensionUri, 'media', 'chart-dark.svg'),
  };
  webview.html = html({
    nonce: crypto.randomUUID().replaceAll('-', ''),
    cspSource: webview.cspSource,
    scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(dist, `${bundle}.js`)).toString(),
    styleUri: webview.asWebviewUri(vscode.Uri.joinPath(dist, `${bundle}.css`)).toString(),
    title: panel.title,
  });
}

export interface PageOptions {
  /** Random for each page, at least 128 bits; only the script that carries it may run. */
  readonly nonce: string;
  /** `webview.cspSource`: where the style sheet may come from. */
  readonly cspSource: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  readonly title: string;
}

/**
 * The HTML shell of a webview panel’s page. One script by nonce, one style sheet from the extension's own folder, nothing
 * inline and nothing remote; pictures only as `data:` or `blob:`. Every option is escaped.
 */
export function html({ nonce, cspSource, scriptUri, styleUri, title }: PageOptions): string {
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `img-src ${cspSource} data: blob:`,
    `font-src 'none'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html ${language()}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escape(styleUri)}">
<title>${escape(title)}</title>
</head>
<body>
<main id="app"></main>
<script nonce="${escape(nonce)}" src="${escape(scriptUri)}"></script>
</body>
</html>
`;
}

/** The language of the page, and its translations: a page cannot ask the editor for them. */
function language(): string {
  const words = vscode.l10n.bundle;
  if (!words) return 'lang="en"';
  return `lang="${escape(vscode.env.language)}" data-words="${escape(JSON.stringify(words))}"`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escape = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
