import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { outDir } from '../harness/paths.ts';
import type { Settings } from '../harness/server.ts';
import { PATIENCE } from './overlays.ts';
import { Parts } from './parts.ts';

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

/** A window of VS Code, wherever the files of its folder are and its extensions run. */
export abstract class Window extends Parts {
  /** What it was opened with, as far as every window can be. */
  protected abstract readonly options: { readonly workspace?: string | null; readonly trust?: boolean };
  protected abstract theme: string | undefined;

  /** Ends VS Code and removes what it kept. */
  abstract stop(): Promise<void>;
  abstract hasFile(name: string): boolean;
  abstract readFile(name: string): string;
  /** Writes a file of the folder that is open. */
  abstract writeFile(name: string, content: string | Uint8Array): void;

  protected async ready(): Promise<void> {
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

  /** Opens the folder in a second window, with an extension host of its own. */
  async secondWindow(): Promise<Page> {
    const page = await this.newTab();
    await page.locator('.monaco-workbench .statusbar-item').first().waitFor({ timeout: START });
    return page;
  }

  /** A new tab that begins to load the address of this one. */
  protected async newTab(): Promise<Page> {
    const page = await this.page.context().newPage();
    page.setDefaultTimeout(PATIENCE);
    await page.goto(this.page.url(), { waitUntil: 'domcontentloaded' });
    return page;
  }

  /** Reloads the window by "Developer: Reload Window", which saves its state first. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('domcontentloaded', { timeout: START });
    await Promise.all([loaded, this.palette('Developer: Reload Window')]);
    await this.ready();
  }

  /**
   * Changes settings of the workspace, over those that are there; `undefined` removes one. VS Code sees them within two
   * seconds.
   */
  setSettings(settings: Settings): void {
    const file = '.vscode/settings.json';
    const before = this.hasFile(file) ? (JSON.parse(this.readFile(file)) as Settings) : {};
    this.writeFile(file, JSON.stringify({ ...before, ...settings }, null, 2));
  }

  protected changeSettings(settings: Settings): Promise<void> {
    this.setSettings(settings);
    return Promise.resolve();
  }

  /** Changes the colour theme and waits until the workbench wears it. */
  async setTheme(id: string): Promise<void> {
    if (id === this.theme) return;
    const worn = async (): Promise<string[]> =>
      ((await this.page.locator('.monaco-workbench').first().getAttribute('class')) ?? '').split(/\s+/);
    const name = (all: string[]) => all.filter((one) => one.startsWith('vscode-theme')).join();
    const before = name(await worn());
    await this.changeSettings({ 'workbench.colorTheme': id });
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
 * One window for all tests of a mocha suite: opened before them, stopped after them; a failing test leaves a picture
 * `failed-….png` in `out/screenshots/`.
 * @param start gets the title of the suite
 */
export function useWindow<W extends Window>(start: (title?: string) => Promise<W>): () => W {
  let window: W | undefined;
  before(async function () {
    this.timeout(300_000); // the first one may have to install VS Code
    window = await start(this.test?.parent?.fullTitle());
  });
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await window?.shot(`failed-${this.currentTest.fullTitle()}`);
  });
  after(async function () {
    this.timeout(120_000);
    await window?.stop();
  });
  return () => {
    if (!window) throw new Error('The workbench is there only while tests run');
    return window;
  };
}

/** A text as the name of a file. */
export const fileName = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 80);
