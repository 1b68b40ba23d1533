import { cpSync, createWriteStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openPage } from '../harness/page.ts';
import { outDir, samplesDir, tempDir, vsixFile } from '../harness/paths.ts';
import { atEnd } from '../harness/processes.ts';
import { type Server, type Settings, installExtension, startServer } from '../harness/server.ts';
import { ensureBrowser, ensureServer } from '../harness/setup.ts';
import { extensionHosts } from './extension-hosts.ts';
import { PATIENCE } from './overlays.ts';
import { Parts } from './parts.ts';

export interface WorkbenchOptions {
  /** Name of the log file in `out/logs/`, and of the picture that a failing test leaves. */
  name?: string;
  /** The packaged extension; the project's own unless named. `null`: none. */
  vsix?: string | null;
  /** Folders of extensions under development to load as well. */
  developmentPaths?: string[];
  /** A folder whose copy is the workspace; the project's samples unless named. `null`: no folder is open. */
  workspace?: string | null;
  /** Files to write into the workspace before it opens: path to text or bytes. */
  files?: Record<string, string | Uint8Array>;
  /** User settings over the harness's quiet ones. */
  settings?: Settings;
  /** Hovers of the workbench come; else none is in the way of a click. */
  hovers?: boolean;
  /** One of `themes`, or the id of another theme. */
  theme?: string;
  /** Ask whether the workspace is to be trusted, and start untrusted. */
  trust?: boolean;
  viewport?: { width: number; height: number };
  /** 2: screenshots with twice the pixels. */
  scale?: number;
  env?: NodeJS.ProcessEnv;
}

/** Milliseconds that a window may take to be there. */
const START = 2 * PATIENCE;

/** Ids of VS Code's own colour themes, for `theme` and `setTheme`. */
export const themes = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  highContrast: 'Default High Contrast',
  highContrastLight: 'Default High Contrast Light',
} as const;

/** A kind of theme as a class of the workbench, and what webviews call it. */
const KINDS = [
  ['vs', 'vscode-light'],
  ['vs-dark', 'vscode-dark'],
  ['hc-black', 'vscode-high-contrast'],
  ['hc-light', 'vscode-high-contrast-light'],
] as const;

/**
 * A real VS Code in a headless browser, with the packaged extension and a copy of the samples. Every method waits for
 * what it is about (a minute unless told otherwise), so tests need no pauses. What works on the open window is in the classes it extends.
 */
export class Workbench extends Parts {
  /** The copy of the workspace that is open. */
  readonly workspace: string;
  /** Settings, global storage and logs of this VS Code. */
  readonly userDataDir: string;
  private readonly temp: string;
  private readonly options: WorkbenchOptions;
  private readonly log: (text: string) => void;
  private server: Server | undefined;
  private window: { page: Page; close: () => Promise<void> } | undefined;
  private ended = false;
  private theme: string | undefined;

  private constructor(options: WorkbenchOptions) {
    super();
    this.options = options;
    this.theme = options.theme;
    this.temp = tempDir('ui');
    this.workspace = path.join(this.temp, 'samples');
    this.userDataDir = path.join(this.temp, 'data');
    const logFile = path.join(outDir, 'logs', `ui-${fileName(options.name ?? 'workbench')}.log`);
    mkdirSync(path.dirname(logFile), { recursive: true });
    const stream = createWriteStream(logFile);
    this.log = (text) => stream.write(text);
  }

  static async start(options: WorkbenchOptions = {}): Promise<Workbench> {
    const workbench = new Workbench(options);
    atEnd(() => workbench.stop());
    try {
      await workbench.begin();
      return workbench;
    } catch (error) {
      await workbench.stop();
      throw error;
    }
  }

  private async begin(): Promise<void> {
    const { workspace = samplesDir, files = {}, vsix = vsixFile } = this.options;
    mkdirSync(this.workspace, { recursive: true });
    if (workspace !== null && existsSync(workspace)) cpSync(workspace, this.workspace, { recursive: true });
    for (const [name, content] of Object.entries(files)) this.writeFile(name, content);
    const server = await ensureServer();
    const extensionsDir = path.join(this.temp, 'extensions');
    if (vsix !== null) await installExtension(server, vsix, extensionsDir, this.userDataDir);
    await this.open(0);
  }

  private async open(port: number): Promise<void> {
    const { options } = this;
    this.server = await startServer({
      files: await ensureServer(),
      userDataDir: this.userDataDir,
      extensionsDir: path.join(this.temp, 'extensions'),
      settings: {
        ...(options.theme ? { 'workbench.colorTheme': options.theme } : {}),
        ...(options.hovers ? {} : { 'workbench.hover.delay': 3_600_000 }),
        ...options.settings,
      },
      trust: options.trust ?? false,
      port,
      developmentPaths: options.developmentPaths ?? [],
      env: options.env ?? {},
      log: this.log,
    });
    this.window = await openPage({
      browser: await ensureBrowser(),
      url: this.server.url(options.workspace === null ? undefined : this.workspace),
      profileDir: path.join(this.temp, 'browser'),
      ...(options.viewport ? { viewport: options.viewport } : {}),
      ...(options.scale ? { scale: options.scale } : {}),
      log: this.log,
      prepare: (page) => {
        page.setDefaultTimeout(PATIENCE);
        return Promise.resolve();
      },
    });
    await this.ready();
  }

  private async ready(): Promise<void> {
    await this.page.locator('.monaco-workbench .statusbar-item').first().waitFor({ timeout: START });
    // until then menus and views lack what extensions bring
    const loaded = "performance.getEntriesByName('code/didLoadExtensions').length > 0";
    await this.page.waitForFunction(loaded, undefined, { timeout: START });
    if (this.options.trust) return; // the question about trust may be in front of everything
    // the explorer lists its files once the extension hosts' connection stands
    const explorer = this.page.locator('.explorer-folders-view');
    if (this.options.workspace !== null && (await explorer.isVisible())) {
      await explorer.locator('.monaco-list-row').first().waitFor({ timeout: START });
    }
  }

  get page(): Page {
    if (!this.window) throw new Error('The workbench is not open');
    return this.window.page;
  }

  /** The extension hosts' processes, one for each window. */
  extensionHosts(): number[] {
    return extensionHosts(this.server?.pid ?? 0);
  }

  /** Opens the workspace in a second window, with an extension host of its own. */
  async secondWindow(): Promise<Page> {
    const page = await this.page.context().newPage();
    page.setDefaultTimeout(PATIENCE);
    await page.goto(this.page.url(), { waitUntil: 'domcontentloaded' });
    await page.locator('.monaco-workbench .statusbar-item').first().waitFor({ timeout: START });
    return page;
  }

  /** Ends VS Code and removes its folders. */
  async stop(): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    await this.close();
    rmSync(this.temp, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  private async close(): Promise<void> {
    await this.window?.close();
    await this.server?.stop();
    this.window = this.server = undefined;
  }

  /** Reloads the window by "Developer: Reload Window", which saves its state first. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('domcontentloaded', { timeout: START });
    await Promise.all([loaded, this.palette('Developer: Reload Window')]);
    await this.ready();
  }

  /** Ends VS Code and starts it again with the same profile and address: storage, settings and secrets are back. */
  async restart(): Promise<void> {
    const port = this.server?.port ?? 0;
    await this.reload(); // a browser that is just closed would lose the last seconds of what VS Code remembers
    await this.close();
    await this.open(port);
  }

  // --- files and settings ---

  writeFile(name: string, content: string | Uint8Array): void {
    const file = path.join(this.workspace, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  readFile(name: string): string {
    return readFileSync(path.join(this.workspace, name), 'utf8');
  }

  /**
   * Changes settings of the workspace, over those that are there; `undefined` removes one. VS Code sees them within two
   * seconds. Without a folder, and for what only a user may set: `setUserSettings`.
   */
  setSettings(settings: Settings): void {
    const file = path.join(this.workspace, '.vscode', 'settings.json');
    const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Settings) : {};
    this.writeFile('.vscode/settings.json', JSON.stringify({ ...before, ...settings }, null, 2));
  }

  /** Changes user settings, and reloads the window: this VS Code reads them only then. */
  async setUserSettings(settings: Settings): Promise<void> {
    const file = path.join(this.userDataDir, 'User', 'settings.json');
    const all = { ...(JSON.parse(readFileSync(file, 'utf8')) as Settings), ...settings };
    writeFileSync(file, JSON.stringify(all, null, 2));
    await this.reload();
  }

  /** Changes the colour theme and waits until the workbench wears it. */
  async setTheme(id: string): Promise<void> {
    if (id === this.theme) return;
    const worn = async (): Promise<string[]> =>
      ((await this.page.locator('.monaco-workbench').first().getAttribute('class')) ?? '').split(/\s+/);
    const name = (all: string[]) => all.filter((one) => one.startsWith('vscode-theme')).join();
    const before = name(await worn());
    if (this.options.workspace === null) await this.setUserSettings({ 'workbench.colorTheme': id });
    else this.setSettings({ 'workbench.colorTheme': id });
    const now = await this.until(worn, (all) => name(all) !== before && name(all) !== '');
    this.theme = id;
    // webviews get the colours a moment later
    const kind = KINDS.find(([ofWorkbench]) => now.includes(ofWorkbench))?.[1] ?? '';
    for (const webview of await this.page.locator('iframe.webview.ready:visible').all()) {
      const page = webview.contentFrame().frameLocator('#active-frame');
      await page.locator(`body[data-vscode-theme-kind="${kind}"]`).waitFor({ state: 'attached' });
    }
  }

  // --- pictures ---

  /** Saves a picture in `out/screenshots/` and gives its path. */
  async shot(name: string, options: { element?: Locator; dir?: string } = {}): Promise<string> {
    const file = path.join(options.dir ?? path.join(outDir, 'screenshots'), `${fileName(name)}.png`);
    mkdirSync(path.dirname(file), { recursive: true });
    await this.page.waitForTimeout(300); // fades and hover delays
    await (options.element ?? this.page).screenshot({ path: file });
    return file;
  }
}

/**
 * One workbench for all tests of a mocha suite: started before them, stopped after them; a failing test leaves a
 * picture `failed-….png` in `out/screenshots/`.
 *
 *     describe('forecast', () => {
 *       const vscode = useWorkbench({ theme: themes.dark });
 *       it('…', async () => { await vscode().palette('Forecasts: Refresh'); });
 *     });
 */
export function useWorkbench(options: WorkbenchOptions = {}): () => Workbench {
  let workbench: Workbench | undefined;
  before(async function () {
    this.timeout(300_000); // the first one may have to install VS Code
    const name = this.test?.parent?.fullTitle();
    workbench = await Workbench.start({ ...(name ? { name } : {}), ...options });
  });
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await workbench?.shot(`failed-${this.currentTest.fullTitle()}`);
  });
  after(async function () {
    this.timeout(120_000);
    await workbench?.stop();
  });
  return () => {
    if (!workbench) throw new Error('The workbench is there only while tests run');
    return workbench;
  };
}

const fileName = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 80);
