import { createWriteStream, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { openPage } from '../harness/page.ts';
import { outDir, samplesDir, tempDir, vsixFile } from '../harness/paths.ts';
import { atEnd } from '../harness/processes.ts';
import { ensureBrowser, ensureServer } from '../harness/setup.ts';
import { PATIENCE } from '../ui/overlays.ts';
import { themes, Window } from '../ui/window.ts';
import { startWebServer, type WebServer } from './server.ts';

/**
 * VS Code in a headless browser with no machine behind it: the packaged extension runs in a web worker, over a folder
 * that is on no disk.
 */
export class WebWorkbench extends Window {
  protected readonly options = {};
  protected theme: string | undefined = themes.light;
  readonly #server: WebServer;
  readonly #args: readonly string[];
  readonly #profile = tempDir('web');
  #window: { page: Page; close: () => Promise<void> } | undefined;
  readonly #log: (text: string) => void;

  private constructor(server: WebServer, name: string, args: readonly string[]) {
    super();
    this.#server = server;
    this.#args = args;
    const file = path.join(outDir, 'logs', `${name}.log`);
    mkdirSync(path.dirname(file), { recursive: true });
    const stream = createWriteStream(file);
    this.#log = (text) => stream.write(text);
  }

  /** @param name of its log in `out/logs/` @param args further arguments of the browser */
  static async start(name: string, args: readonly string[] = []): Promise<WebWorkbench> {
    const settings = { 'workbench.colorTheme': themes.light, 'workbench.hover.delay': 3_600_000 };
    const server = await startWebServer({ files: await ensureServer(), vsix: vsixFile, settings });
    const workbench = new WebWorkbench(server, name, args);
    workbench.#allowStorage();
    atEnd(() => workbench.stop());
    for (const name of readdirSync(samplesDir)) {
      const file = path.join(samplesDir, name);
      if (statSync(file).isFile()) workbench.writeFile(name, readFileSync(file));
    }
    await workbench.open();
    return workbench;
  }

  /** Debian’s Chromium blocks the storage of other origins in a page; the editor’s extensions and webviews are such. */
  #allowStorage(): void {
    const folder = path.join(this.#profile, 'Default');
    mkdirSync(folder, { recursive: true });
    const preferences = { profile: { block_third_party_cookies: false, cookie_controls_mode: 0 } };
    writeFileSync(path.join(folder, 'Preferences'), JSON.stringify(preferences));
  }

  private async open(): Promise<void> {
    this.#window = await openPage({
      browser: await ensureBrowser(),
      url: this.#server.url,
      profileDir: this.#profile,
      args: this.#args,
      log: this.#log,
      prepare: (page) => {
        page.setDefaultTimeout(PATIENCE);
        return Promise.resolve();
      },
    });
    await this.ready();
  }

  get page(): Page {
    if (!this.#window) throw new Error('The workbench is not open');
    return this.#window.page;
  }

  /** The page around the extension host, which has its origin. */
  extensionHost(): Frame {
    const hosts = this.page.frames().filter((frame) => frame.url().includes('webWorkerExtensionHostIframe.html'));
    if (hosts.length !== 1) throw new Error(`There are ${String(hosts.length)} extension hosts`);
    return hosts[0];
  }

  /** Ends the tab with all its workers at once, as where the browser or the machine fails, and opens the folder anew. */
  async killTab(): Promise<void> {
    const killed = this.page;
    const context = killed.context();
    const session = await context.newCDPSession(killed);
    const crashed = killed.waitForEvent('crash');
    // the one who is asked does not answer any more
    session.send('Page.crash').catch(() => undefined);
    await crashed;
    const page = await this.newTab();
    this.#window = { page, close: () => context.close() };
    await killed.close();
    await this.ready();
  }

  /** Opens the folder in a second tab, which is the window from now on. @returns the tab before, which stays open */
  async turnToSecondTab(): Promise<Page> {
    const before = this.page;
    const page = await this.secondWindow();
    this.#window = { page, close: () => page.context().close() };
    await this.ready();
    return before;
  }

  async stop(): Promise<void> {
    await this.#window?.close();
    this.#window = undefined;
    this.#server.close();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  // --- files ---

  hasFile(name: string): boolean {
    return this.#server.folder.get(`/samples/${name}`) !== undefined;
  }

  readFile(name: string): string {
    const content = this.#server.folder.get(`/samples/${name}`);
    if (!content) throw new Error(`There is no ${name} in the folder`);
    return Buffer.from(content).toString();
  }

  writeFile(name: string, content: string | Uint8Array): void {
    this.#server.folder.set(`/samples/${name}`, Buffer.from(content));
  }
}
