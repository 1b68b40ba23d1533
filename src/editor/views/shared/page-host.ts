import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { escape } from '../../../chart/svg-pen.ts';
import { attempt, inBackground } from '../../ui/say.ts';
import type { App, Showing } from '../../app.ts';
import { type Handlers, isRecord, type PageState, type StateMessage } from './protocol.ts';

interface Typed {
  readonly type: string;
}

export interface Owner {
  readonly app: App;
  readonly changed: () => void;
}

/** A page as data. It knows nothing of panels, works in the background, and shows its failures. */
export abstract class Page<S extends PageState, I extends Typed> implements vscode.Disposable {
  abstract readonly intents: Handlers<I>;
  protected readonly app: App;
  protected readonly disposables: vscode.Disposable[] = [];
  readonly #kept = new Map<string, { dispose(): unknown }>();
  readonly #changed: () => void;
  #isClosed = false;
  state: S;

  constructor({ app, changed }: Owner, state: S) {
    this.app = app;
    this.#changed = changed;
    this.state = state;
  }

  show?(ref: S['ref'], known?: unknown): void;

  dispose(): void {
    this.#isClosed = true;
    for (const disposable of this.disposables) disposable.dispose();
    for (const name of this.#kept.keys()) this.end(name);
  }

  protected set(parts: Partial<S>): void {
    this.state = { ...this.state, ...parts };
    this.#changed();
  }

  protected start(work: () => unknown): void {
    inBackground(this.app.log, attempt(this.app, work));
  }

  /** Runs work of which only the latest of its name counts. @param failed shows a failure, unless it was aborted */
  protected async latest(
    name: string,
    work: (signal: AbortSignal) => Promise<void>,
    failed?: (error: unknown) => void,
  ) {
    if (this.#isClosed) return;
    const controller = new AbortController();
    this.keep(name, { dispose: () => controller.abort() });
    try {
      await work(controller.signal);
    } catch (error) {
      if (controller.signal.aborted) return;
      this.app.log.warn(`${this.state.title}, ${name}: ${String(error)}`);
      failed?.(error);
    }
  }

  /** Keeps what ends with the page, or with the next one of its name; of a closed page it ends at once. */
  protected keep(name: string, one: { dispose(): unknown }): void {
    this.end(name);
    if (this.#isClosed) one.dispose();
    else this.#kept.set(name, one);
  }

  protected later(name: string, work: () => unknown, wait: number): void {
    const timer = setTimeout(() => this.start(work), wait);
    this.keep(name, { dispose: () => clearTimeout(timer) });
  }

  protected end(name: string): void {
    this.#kept.get(name)?.dispose();
    this.#kept.delete(name);
  }
}

type Hosted<R, I extends Typed> = Pick<Page<PageState<R>, I>, 'state' | 'intents' | 'show' | 'dispose'>;

interface Shell<I> {
  readonly viewType: string;
  readonly bundle: 'webview' | 'model' | 'many' | 'reading';
  readonly intent: z.ZodMiniType<I>;
}

interface PageKind<R, I extends Typed, K, P extends Hosted<R, I>> extends Shell<I> {
  readonly ref: z.ZodMiniType<R>;
  readonly keyOf?: (ref: R) => string;
  readonly page: new (owner: Owner, ref: R, known?: K, title?: string) => P;
}

const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('problem'), message: z.string() }),
  z.object({ type: z.literal('intent'), intent: z.unknown() }),
]);

/** Shows a page, which may be made later: sends what changed of its state, all after it was hidden, and passes on intents. */
export class PagePanel<I extends Typed, P extends Hosted<unknown, I>> implements vscode.Disposable {
  readonly panel: vscode.WebviewPanel;
  readonly #app: App;
  #sent: Readonly<Record<string, unknown>> = {};
  #isReady = false;
  #isAwaited = false;
  isClosed = false;
  page: P | undefined;

  constructor(panel: vscode.WebviewPanel, { viewType, bundle, intent }: Shell<I>, app: App) {
    this.panel = panel;
    this.#app = app;
    panel.webview.onDidReceiveMessage((received: unknown) => {
      const { data: message } = Message.safeParse(received);
      if (message?.type === 'problem') app.log.error(`${viewType}: ${message.message}`);
      else if (message?.type === 'ready') {
        this.#isReady = true;
        this.#sent = {};
        this.#post();
      } else if (message && this.page) {
        // unknown intents, as from another version, are ignored
        const { data: wanted } = intent.safeParse(message.intent);
        if (wanted) (this.page.intents[wanted.type as I['type']] as (intent: I) => void)(wanted);
      }
    });
    panel.onDidDispose(() => {
      this.isClosed = true;
      this.page?.dispose();
    });
    fillPanel(panel, app.extensionUri, bundle);
  }

  show(make: (owner: Owner) => P): P {
    const changed = () => {
      if (!this.#isAwaited) queueMicrotask(() => this.#post());
      this.#isAwaited = true;
    };
    this.page = make({ app: this.#app, changed });
    this.#post();
    return this.page;
  }

  dispose(): void {
    if (!this.page) this.panel.dispose();
  }

  #post(): void {
    this.#isAwaited = false;
    if (this.isClosed || !this.page) return;
    const { state } = this.page;
    if (this.panel.title !== state.title) this.panel.title = state.title;
    const changed = Object.entries(state).filter(([name, part]) => this.#sent[name] !== part);
    if (!this.#isReady || changed.length === 0) return;
    this.#sent = { ...state };
    const message: StateMessage<PageState> = { type: 'state', parts: Object.fromEntries(changed) };
    inBackground(this.#app.log, this.panel.webview.postMessage(message));
  }
}

export class PageHost<R, I extends Typed, K, P extends Hosted<R, I>>
  implements vscode.Disposable, vscode.WebviewPanelSerializer
{
  readonly #kind: PageKind<R, I, K, P>;
  protected readonly app: () => App;
  readonly #open = new Map<P, vscode.WebviewPanel>();
  readonly #serializer: vscode.Disposable;

  constructor(kind: PageKind<R, I, K, P>, app: () => App) {
    this.#kind = kind;
    this.app = app;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(kind.viewType, this);
  }

  open(ref: R, known?: K, { ahead, ...showing }: Showing = {}): P {
    const open = this.find(ref);
    if (open) {
      open.show?.(ref, known);
      this.#open.get(open)?.reveal(undefined, showing.preserveFocus);
      return open;
    }
    const loading =
      ahead instanceof PagePanel && !ahead.isClosed ? (ahead as PagePanel<I, P>) : this.ahead('', showing);
    const page = this.#attach(ref, loading, known);
    this.#closeUnseen(loading.panel);
    return page;
  }

  /** Loads a panel while its page is being made; where none was opened in it, disposing of it closes the panel. */
  ahead(title: string, { viewColumn = vscode.ViewColumn.Active, preserveFocus = false }: Showing = {}) {
    const panel = vscode.window.createWebviewPanel(this.#kind.viewType, title, { viewColumn, preserveFocus }, {});
    return new PagePanel<I, P>(panel, this.#kind, this.app());
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
    known?.reveal();
    if (ref === undefined || known) panel.dispose();
    else this.#attach(ref, new PagePanel<I, P>(panel, this.#kind, this.app()), undefined, panel.title);
    await Promise.resolve();
  }

  dispose(): void {
    this.#serializer.dispose();
    for (const page of this.pages) page.dispose();
  }

  #attach(ref: R, loading: PagePanel<I, P>, known?: K, title?: string): P {
    const page = loading.show((owner) => new this.#kind.page(owner, ref, known, title));
    this.#open.set(page, loading.panel);
    loading.panel.onDidDispose(() => this.#open.delete(page));
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
    if (unseen && others.length === 0) inBackground(this.app().log, vscode.window.tabGroups.close(unseen, true));
  }

  #panelOf(ref: R): vscode.WebviewPanel | undefined {
    const page = this.find(ref);
    return page && this.#open.get(page);
  }
}

/** The HTML of a page: one script by a random nonce of 128 bits, one style sheet of the extension, nothing else. */
export function fillPanel(panel: vscode.WebviewPanel, extensionUri: vscode.Uri, bundle: string): void {
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
  const own = `script-src 'nonce-${nonce}'; style-src ${cspSource}`;
  const policy = `default-src 'none'; ${own}; base-uri 'none'; form-action 'none'`;
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
