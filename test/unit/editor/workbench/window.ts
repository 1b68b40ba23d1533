import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { URI } from 'vscode-uri';
import { typeOf, wait } from './disk.ts';
import { TextDocument } from './document.ts';
import { Memento } from './memento.ts';
import { Person } from './person.ts';
import type { Titled } from './seen.ts';
import { TreeView } from './tree-view.ts';
import * as values from './values.ts';
import { WebviewPanel } from './webview-panel.ts';

const { Disposable, EventEmitter, Uri } = values;
const manifest = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as {
  contributes: { configuration: { properties: Record<string, { default: unknown; scope?: string }> } };
};
const { properties } = manifest.contributes.configuration;

export interface Progress {
  readonly title: string;
  readonly messages: string[];
  readonly cancel: () => void;
}

interface CodeActionsProvider {
  provideCodeActions(
    document: TextDocument,
    range: values.Range,
    context: { diagnostics: readonly values.Diagnostic[] },
  ): values.CodeAction[];
}

interface UriHandler {
  handleUri(uri: URI): void;
}

interface CustomEditorProvider {
  resolveCustomTextEditor(document: unknown, panel: unknown): unknown;
}

interface ContentProvider {
  provideTextDocumentContent(uri: URI): string;
}

const BUILT_IN = /^(setContext|vscode\.open|vscode\.openWith|workbench\.action\.openSettings|forecasts\.\w+\.focus)$/;

/** The window of a test: what `vscode` shows and keeps, with a {@link Person} before it. Files are those of the disk. */
export class Window {
  person = new Person();
  readonly settings = new Map<string, unknown>();
  readonly #links = new Set<UriHandler>();
  readonly contexts = new Map<string, unknown>();
  /** Built-in commands that were called. */
  readonly executed: { readonly command: string; readonly args: readonly unknown[] }[] = [];
  readonly panels: WebviewPanel[] = [];
  readonly progresses: Progress[] = [];
  readonly log: string[] = [];
  /** Names of output channels, in the order in which they were created. */
  readonly channels: string[] = [];
  readonly documents: TextDocument[] = [];
  readonly #collections: Map<string, readonly values.Diagnostic[]>[] = [];
  /** What all collections have for a file. */
  readonly diagnostics = {
    get: (uri: string): readonly values.Diagnostic[] => this.#collections.flatMap((own) => own.get(uri) ?? []),
  };
  readonly statusMessages: string[] = [];
  readonly shownStatus = new Set<string>();
  readonly secrets = new Map<string, string>();
  readonly changedSecret = new EventEmitter<{ key: string }>();
  readonly changedConfiguration = new EventEmitter<{ affectsConfiguration: (key: string) => boolean }>();
  readonly changedDocument = new EventEmitter<{ document: unknown; contentChanges: readonly unknown[] }>();
  readonly savedDocument = new EventEmitter<{ uri: URI }>();
  readonly changedTabs = new EventEmitter<{ closed: readonly unknown[] }>();
  readonly globalState = new Memento();
  readonly workspaceState = new Memento();
  readonly tools = new Map<string, unknown>();
  readonly changedFolders = new EventEmitter<unknown>();
  clipboard = '';
  /** Sentences of another language than English, by their English form. */
  words: Readonly<Record<string, string>> | undefined;
  /** The folder that is open, and those that are open beside it. */
  root: string | undefined;
  readonly moreRoots: string[] = [];
  activeTextEditor: unknown;
  codeActions: CodeActionsProvider | undefined;
  readonly #editors = new Map<string, CustomEditorProvider>();
  readonly #contents = new Map<string, ContentProvider>();
  readonly #commands = new Map<string, (...args: unknown[]) => unknown>();
  /** What is told each time a progress begins. */
  onProgress: (progress: Progress) => void = () => undefined;

  /** Opens a text document in a custom editor. */
  async openCustom(viewType: string, uri: URI): Promise<{ document: TextDocument; panel: WebviewPanel }> {
    const document = await this.workspace.openTextDocument(uri);
    const panel = new WebviewPanel(viewType, path.basename(uri.path));
    await this.#editors.get(viewType)?.resolveCustomTextEditor(document, panel);
    return { document, panel };
  }

  /** The person follows a link to this extension. */
  follow(link: string): void {
    for (const handler of this.#links) handler.handleUri(Uri.parse(link, true));
  }

  setSetting(key: string, value: unknown): void {
    assert.ok(key in properties, `${key} is not a setting of package.json`);
    if (value === undefined) this.settings.delete(key);
    else this.settings.set(key, value);
    this.changedConfiguration.fire({ affectsConfiguration: (asked) => asked === key || key.startsWith(`${asked}.`) });
  }

  /** Opens an editor on a document, with what is selected in it: start and end line and character of each. */
  select(uri: URI, text: string, ...selections: [number, number, number, number][]): TextDocument {
    const document = new TextDocument(uri, text, { isDirty: true });
    this.documents.splice(0, Infinity, document);
    const selected = selections.map(([a, b, c, d]) => new values.Selection(a, b, c, d));
    this.activeTextEditor = { document, selections: selected, selection: selected[0] };
    return document;
  }

  get folders(): { readonly uri: URI; readonly name: string }[] | undefined {
    if (this.root === undefined) return undefined;
    return [this.root, ...this.moreRoots].map((root) => ({ uri: Uri.file(root), name: path.basename(root) }));
  }

  readonly commands = {
    registerCommand: (id: string, handler: (...args: unknown[]) => unknown) => {
      assert.ok(!this.#commands.has(id), `command '${id}' already exists`);
      this.#commands.set(id, handler);
      return new Disposable(() => this.#commands.delete(id));
    },
    executeCommand: async (command: string, ...args: unknown[]): Promise<unknown> => {
      const handler = this.#commands.get(command);
      if (handler) return handler(...args);
      assert.match(command, BUILT_IN, `command '${command}' not found`);
      if (command === 'setContext') this.contexts.set(String(args[0]), args[1]);
      else this.executed.push({ command, args });
      return undefined;
    },
  };

  readonly window = {
    createQuickPick: () => this.person.quickPick(),
    createInputBox: () => this.person.inputBox(),
    showErrorMessage: (text: string, ...rest: unknown[]) => this.person.message('error', text, rest),
    showWarningMessage: (text: string, ...rest: unknown[]) => this.person.message('warning', text, rest),
    showInformationMessage: (text: string, ...rest: unknown[]) => this.person.message('info', text, rest),
    showOpenDialog: (options?: Titled) => this.person.openDialog(options),
    showSaveDialog: (options?: Titled) => this.person.saveDialog(options),
    setStatusBarMessage: (text: string) => {
      this.statusMessages.push(text);
      this.shownStatus.add(text);
      return new Disposable(() => this.shownStatus.delete(text));
    },
    withProgress: async (
      { title }: { title: string },
      work: (progress: { report: (step: { message: string }) => void }, token: unknown) => Promise<unknown>,
    ) => {
      const cancelled = new EventEmitter<void>();
      const messages: string[] = [];
      const progress = {
        title,
        messages,
        cancel: () => {
          cancelled.fire();
        },
      };
      this.progresses.push(progress);
      const working = work(
        { report: ({ message }) => messages.push(message) },
        { onCancellationRequested: cancelled.event, isCancellationRequested: false },
      );
      this.onProgress(progress);
      return working;
    },
    createOutputChannel: (name = '') => {
      this.channels.push(name);
      const add = (level: string) => (text: string) => this.log.push(`${level} ${text}`);
      const [error, warn, info, debug, trace] = ['error', 'warn', 'info', 'debug', 'trace'].map(add);
      return {
        error,
        warn,
        info,
        debug,
        trace,
        replace: add('replace'),
        show: () => undefined,
        dispose: () => undefined,
      };
    },
    createStatusBarItem: () => ({ show: () => undefined, hide: () => undefined, dispose: () => undefined }),
    createTreeView: (id: string, { treeDataProvider }: { treeDataProvider: unknown }) =>
      new TreeView(id, treeDataProvider),
    createWebviewPanel: (viewType: string, title: string) => {
      const panel = new WebviewPanel(viewType, title);
      panel.onFront = () => {
        for (const other of this.panels) other.active = false;
      };
      panel.onFront();
      this.panels.push(panel);
      return panel;
    },
    registerUriHandler: (handler: UriHandler) => {
      this.#links.add(handler);
      return new Disposable(() => this.#links.delete(handler));
    },
    registerWebviewPanelSerializer: () => new Disposable(() => undefined),
    registerCustomEditorProvider: (viewType: string, provider: CustomEditorProvider) => {
      this.#editors.set(viewType, provider);
      return new Disposable(() => this.#editors.delete(viewType));
    },
    showTextDocument: (document: unknown) => Promise.resolve({ document, revealRange: () => undefined }),
    tabGroups: { onDidChangeTabs: this.changedTabs.event, all: [], activeTabGroup: { activeTab: undefined } },
  };

  readonly workspace = {
    workspaceFile: undefined,
    getWorkspaceFolder: ({ fsPath }: URI) => this.folders?.find(({ uri }) => fsPath.startsWith(uri.fsPath + path.sep)),
    getConfiguration: () => ({
      get: (key: string) => this.settings.get(key) ?? properties[key]?.default,
      update: (key: string, value: unknown) => {
        this.setSetting(key, value);
        return Promise.resolve();
      },
    }),
    onDidChangeWorkspaceFolders: this.changedFolders.event,
    onDidChangeConfiguration: this.changedConfiguration.event,
    onDidChangeTextDocument: this.changedDocument.event,
    registerTextDocumentContentProvider: (scheme: string, provider: ContentProvider) => {
      this.#contents.set(scheme, provider);
      return new Disposable(() => this.#contents.delete(scheme));
    },
    onDidSaveTextDocument: this.savedDocument.event,
    createFileSystemWatcher: () => {
      const { event } = new EventEmitter<URI>();
      return { onDidChange: event, onDidCreate: event, onDidDelete: event, dispose: () => undefined };
    },
    applyEdit: (edit: values.WorkspaceEdit) => {
      for (const document of this.documents) {
        document.apply(edit);
        if (edit.edits.some(({ uri }) => uri.toString() === document.uri.toString()))
          this.changedDocument.fire({ document, contentChanges: [] });
      }
      return Promise.resolve(true);
    },
    openTextDocument: (what: URI | { content: string; language?: string }) => {
      const isUri = what instanceof Uri;
      // one with edits is the one that is open; any other is as its file is
      const edited = this.documents.find(({ uri, isDirty }) => isDirty && isUri && uri.toString() === what.toString());
      if (edited) return Promise.resolve(edited);
      const provider = isUri ? this.#contents.get(what.scheme) : undefined;
      const document = isUri
        ? new TextDocument(what, provider?.provideTextDocumentContent(what) ?? readFileSync(what.fsPath, 'utf8'))
        : new TextDocument(Uri.parse(`untitled:Untitled-${this.documents.length + 1}`), what.content, {
            isDirty: true,
            languageId: what.language,
          });
      this.documents.push(document);
      return Promise.resolve(document);
    },
    /** Those of the folder that is open, if one is. */
    findFiles: () =>
      wait(() => {
        const { root } = this;
        if (root === undefined) return [];
        const found = readdirSync(root, { recursive: true, encoding: 'utf8' });
        return found.filter((name) => /\.\w+$/.test(name)).map((name) => Uri.file(path.join(root, name)));
      }),
    asRelativePath: (uri: URI) => (this.root === undefined ? uri.path : path.relative(this.root, uri.fsPath)),
    fs: {
      isWritableFileSystem: (scheme: string) => (scheme === 'git' ? false : true),
      stat: (uri: URI) =>
        wait(() => {
          const stats = statSync(uri.fsPath);
          return {
            type: typeOf(stats),
            size: stats.size,
            mtime: Math.trunc(stats.mtimeMs),
            ctime: Math.trunc(stats.ctimeMs),
          };
        }),
      readFile: (uri: URI) => wait(() => new Uint8Array(readFileSync(uri.fsPath))),
      writeFile: (uri: URI, bytes: Uint8Array) =>
        wait(() => {
          mkdirSync(path.dirname(uri.fsPath), { recursive: true });
          writeFileSync(uri.fsPath, bytes);
        }),
      readDirectory: (uri: URI) =>
        wait(() => readdirSync(uri.fsPath, { withFileTypes: true }).map((entry) => [entry.name, typeOf(entry)])),
    },
  };

  readonly lm = {
    registerTool: (name: string, tool: unknown) => {
      this.tools.set(name, tool);
      return new Disposable(() => this.tools.delete(name));
    },
    registerMcpServerDefinitionProvider: () => new Disposable(() => undefined),
  };

  readonly languages = {
    getLanguages: () => Promise.resolve(['plaintext', 'json']),
    registerCodeActionsProvider: (_selector: unknown, provider: CodeActionsProvider) => {
      this.codeActions = provider;
      return new Disposable(() => undefined);
    },
    createDiagnosticCollection: () => {
      const own = new Map<string, readonly values.Diagnostic[]>();
      this.#collections.push(own);
      return {
        set: (uri: URI, all: readonly values.Diagnostic[]) => own.set(uri.toString(), all),
        get: (uri: URI) => own.get(uri.toString()) ?? [],
        delete: (uri: URI) => own.delete(uri.toString()),
        clear: () => {
          own.clear();
        },
        dispose: () => undefined,
      };
    },
  };

  readonly env = {
    language: 'en',
    uriScheme: 'vscode',
    clipboard: {
      readText: () => Promise.resolve(this.clipboard),
      writeText: (text: string) => {
        this.clipboard = text;
        return Promise.resolve();
      },
    },
  };
}
