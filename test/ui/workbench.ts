import { cpSync, createWriteStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { openPage } from '../harness/page.ts';
import { outDir, samplesDir, tempDir, vsixFile } from '../harness/paths.ts';
import { atEnd } from '../harness/processes.ts';
import { type Server, type Settings, installExtension, startServer } from '../harness/server.ts';
import { ensureBrowser, ensureServer, type ServerFiles } from '../harness/setup.ts';
import { extensionHosts } from './extension-hosts.ts';
import { PATIENCE } from './overlays.ts';
import { fileName, useWindow, Window } from './window.ts';

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

/**
 * A real VS Code in a headless browser, with the packaged extension and a copy of the samples. Every method waits for
 * what it is about (a minute unless told otherwise), so tests need no pauses. What works on the open window is in the classes it extends.
 */
export class Workbench extends Window {
  /** The copy of the workspace that is open. */
  readonly workspace: string;
  /** Settings, global storage and logs of this VS Code. */
  readonly userDataDir: string;
  private readonly temp: string;
  protected readonly options: WorkbenchOptions;
  private readonly log: (text: string) => void;
  private server: Server | undefined;
  private window: { page: Page; close: () => Promise<void> } | undefined;
  private ended = false;
  protected theme: string | undefined;

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
    if (vsix !== null) cpSync(await installed(server, vsix), extensionsDir, { recursive: true });
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

  get page(): Page {
    if (!this.window) throw new Error('The workbench is not open');
    return this.window.page;
  }

  /** The extension hosts' processes, one for each window. */
  extensionHosts(): number[] {
    return extensionHosts(this.server?.pid ?? 0);
  }

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

  hasFile(name: string): boolean {
    return existsSync(path.join(this.workspace, name));
  }

  readFile(name: string): string {
    return readFileSync(path.join(this.workspace, name), 'utf8');
  }

  /** Without a folder, those of the user. */
  protected override async changeSettings(settings: Settings): Promise<void> {
    if (this.options.workspace === null) await this.setUserSettings(settings);
    else this.setSettings(settings);
  }

  /** Changes user settings, and reloads the window: this VS Code reads them only then. */
  async setUserSettings(settings: Settings): Promise<void> {
    const file = path.join(this.userDataDir, 'User', 'settings.json');
    const all = { ...(JSON.parse(readFileSync(file, 'utf8')) as Settings), ...settings };
    writeFileSync(file, JSON.stringify(all, null, 2));
    await this.reload();
  }
}

const installations = new Map<string, Promise<string>>();

/** A folder of extensions with a package in it, which VS Code installs once for all workbenches of this process. */
function installed(server: ServerFiles, vsix: string): Promise<string> {
  const install = async (): Promise<string> => {
    const temp = tempDir('vsix');
    process.on('exit', () => {
      rmSync(temp, { recursive: true, force: true });
    });
    const extensionsDir = path.join(temp, 'extensions');
    await installExtension(server, vsix, extensionsDir, path.join(temp, 'data'));
    return extensionsDir;
  };
  const installation = installations.get(vsix) ?? install();
  installations.set(vsix, installation);
  return installation;
}

/**
 * One workbench for all tests of a mocha suite:
 *
 *     describe('forecast', () => {
 *       const vscode = useWorkbench({ theme: themes.dark });
 *       it('…', async () => { await vscode().palette('Forecasts: Refresh'); });
 *     });
 */
export const useWorkbench = (options: WorkbenchOptions = {}): (() => Workbench) =>
  useWindow((name) => Workbench.start({ ...(name ? { name } : {}), ...options }));
