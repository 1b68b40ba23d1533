import { cpSync, createWriteStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { openPage } from '../harness/page.ts';
import { outDir, samplesDir, tempDir, vsixFile } from '../harness/paths.ts';
import { atEnd } from '../harness/processes.ts';
import { type Server, type Settings, installExtension, startServer } from '../harness/server.ts';
import { ensureBrowser, ensureServer } from '../harness/setup.ts';

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
  /** One of `themes`, or the id of another theme. */
  theme?: string;
  /** Ask whether the workspace is to be trusted, and start untrusted. */
  trust?: boolean;
  viewport?: { width: number; height: number };
  /** 2: screenshots with twice the pixels. */
  scale?: number;
  env?: NodeJS.ProcessEnv;
}

/** Ids of VS Code's own colour themes, for `theme` and `setTheme`. */
export const themes = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  highContrast: 'Default High Contrast',
  highContrastLight: 'Default High Contrast Light',
} as const;

export interface TreeItem {
  label: string;
  description: string;
  /** What a screen reader says. */
  ariaLabel: string;
  level: number;
  /** `undefined` for an item that has no children. */
  expanded: boolean | undefined;
}

/**
 * A real VS Code in a headless browser, with the packaged extension and a copy of the samples. Every method waits for
 * what it is about (15 s unless told otherwise), so tests need no pauses.
 */
export class Workbench {
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
      settings: { ...(options.theme ? { 'workbench.colorTheme': options.theme } : {}), ...options.settings },
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
        page.setDefaultTimeout(15_000);
        return Promise.resolve();
      },
    });
    await this.ready();
  }

  private async ready(): Promise<void> {
    await this.page.locator('.monaco-workbench .statusbar-item').first().waitFor({ timeout: 60_000 });
    // until then menus and views lack what extensions bring
    const loaded = "performance.getEntriesByName('code/didLoadExtensions').length > 0";
    await this.page.waitForFunction(loaded, undefined, { timeout: 60_000 });
    if (this.options.trust) return; // the question about trust may be in front of everything
    // the explorer lists its files once the extension hosts' connection stands
    const explorer = this.page.locator('.explorer-folders-view');
    if (this.options.workspace !== null && (await explorer.isVisible())) {
      await explorer.locator('.monaco-list-row').first().waitFor({ timeout: 60_000 });
    }
  }

  /** Playwright's page, for whatever has no method here. */
  get page(): Page {
    if (!this.window) throw new Error('The workbench is not open');
    return this.window.page;
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
    const loaded = this.page.waitForEvent('domcontentloaded', { timeout: 30_000 });
    await this.palette('Developer: Reload Window');
    await loaded;
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
    const worn = async (): Promise<string> => {
      const all = (await this.page.locator('.monaco-workbench').first().getAttribute('class')) ?? '';
      return all.split(/\s+/).filter((name) => name.startsWith('vscode-theme')).join(); // prettier-ignore
    };
    const before = await worn();
    if (this.options.workspace === null) await this.setUserSettings({ 'workbench.colorTheme': id });
    else this.setSettings({ 'workbench.colorTheme': id });
    await this.until(worn, (now) => now !== before && now !== '');
    this.theme = id;
    await this.page.waitForTimeout(300); // webviews get the colours a moment later
  }

  /** Trusts the workspace, in a workbench that was started with `trust`. */
  async trustWorkspace(): Promise<void> {
    await this.palette('Workspaces: Manage Workspace Trust');
    await this.page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    await this.statusBar('Restricted Mode').waitFor({ state: 'detached' });
    await this.palette('View: Close Editor');
  }

  /** Saves a picture in `out/screenshots/` and gives its path. */
  async shot(name: string, options: { element?: Locator; dir?: string } = {}): Promise<string> {
    const file = path.join(options.dir ?? path.join(outDir, 'screenshots'), `${fileName(name)}.png`);
    mkdirSync(path.dirname(file), { recursive: true });
    await this.page.waitForTimeout(300); // fades and hover delays
    await (options.element ?? this.page).screenshot({ path: file });
    return file;
  }

  // --- commands ---

  /** Runs a command from the palette by its whole title, such as `Forecasts: Refresh`. */
  async palette(command: string): Promise<void> {
    await this.openPalette(command);
    const row = this.page.locator(`.quick-input-list .monaco-list-row[aria-label^=${quoted(command)}]`).first();
    await row.click();
  }

  /** The titles that the palette finds for a text, the best first. */
  async paletteItems(text: string): Promise<string[]> {
    await this.openPalette(text);
    await this.page.waitForTimeout(500); // the list fills in steps
    const items = await this.quickItems();
    await this.escape();
    return items;
  }

  private async openPalette(text: string): Promise<void> {
    const input = this.quickInput();
    for (let tries = 0; ; tries++) {
      await this.page.keyboard.press('F1');
      try {
        await input.waitFor({ timeout: 3000 });
        break;
      } catch (error) {
        // the key was lost while the workbench was still starting
        if (tries === 4) throw error;
      }
    }
    await input.fill(`>${text}`);
    await this.page.locator('.quick-input-list .monaco-list-row').first().waitFor();
  }

  async escape(): Promise<void> {
    await this.page.keyboard.press('Escape');
  }

  // --- quick input: picks and input boxes, and on this VS Code the file dialogs too ---

  /** The open quick input's text field. */
  quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible input.input').first();
  }

  quickTitle(): Locator {
    return this.page.locator('.quick-input-widget:visible .quick-input-title');
  }

  /** The message under an input box: the prompt, or what is wrong with the text. */
  quickMessage(): Locator {
    return this.page.locator('.quick-input-widget:visible .quick-input-message');
  }

  /** Waits for the input whose prompt, placeholder or title contains a text; one input may follow another at once. */
  async quickAsks(text: string): Promise<void> {
    const widget = this.page.locator('.quick-input-widget:visible');
    const said = widget.locator('.quick-input-message, .quick-input-title').filter({ hasText: text });
    await widget
      .locator(`input.input[placeholder*=${quoted(text)}]`)
      .or(said)
      .first()
      .waitFor();
  }

  /** What screen readers say for the rows of the open pick: label, description, detail. */
  async quickItems(): Promise<string[]> {
    const rows = this.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
    await rows.first().waitFor();
    return Promise.all((await rows.all()).map(async (row) => (await row.getAttribute('aria-label')) ?? ''));
  }

  /** Picks the first row that contains a text. */
  async quickPick(text: string): Promise<void> {
    const rows = this.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
    await rows.filter({ hasText: text }).first().click();
  }

  /** Types over what is in the field, and presses Enter unless told not to. */
  async quickType(text: string, { enter = true } = {}): Promise<void> {
    await this.quickInput().waitFor();
    await this.quickInput().fill(text);
    if (enter) await this.page.keyboard.press('Enter');
  }

  /** Presses the Back button of a multi-step input. */
  async quickBack(): Promise<void> {
    await this.page
      .locator('.quick-input-widget:visible .quick-input-titlebar .codicon-quick-input-back')
      .first()
      .click();
  }

  // --- explorer and editors ---

  /** A file's row in the explorer; folders on the way are opened. */
  async explorerItem(file: string): Promise<Locator> {
    const explorer = this.page.locator('.explorer-folders-view');
    if (!(await explorer.isVisible())) await this.openView('Explorer');
    const [name = '', ...inner] = file.split('/').reverse();
    for (const folder of inner.reverse()) {
      const row = explorer.locator(`.monaco-list-row[aria-label=${quoted(folder)}]`).first();
      await row.waitFor();
      if ((await row.getAttribute('aria-expanded')) === 'false') await row.click();
    }
    const row = explorer.locator(`.monaco-list-row[aria-label=${quoted(name)}], .monaco-list-row[aria-label^=${quoted(`${name},`)}]`).first(); // prettier-ignore
    await row.waitFor();
    return row;
  }

  /** Right-clicks a file and chooses from its menu. */
  async explorerContextMenu(file: string, item: string): Promise<void> {
    await (await this.explorerItem(file)).click({ button: 'right' });
    await this.chooseFromMenu(item);
  }

  /** Right-clicks a file and gives all the titles of its menu, which closes again. */
  async explorerMenuItems(file: string): Promise<string[]> {
    await (await this.explorerItem(file)).click({ button: 'right' });
    return this.menuItems();
  }

  /** Selects several files in the explorer and chooses from their menu. */
  async explorerContextMenuOfAll(files: string[], item: string): Promise<void> {
    let last: Locator | undefined;
    for (const file of files) {
      const row = await this.explorerItem(file);
      await row.click({ modifiers: last ? ['ControlOrMeta'] : [] });
      last = row;
    }
    await last?.click({ button: 'right' });
    await this.chooseFromMenu(item);
  }

  /** Opens a file in an editor that stays. */
  async openFile(file: string): Promise<void> {
    await (await this.explorerItem(file)).dblclick();
    await this.editorTab(path.basename(file)).waitFor();
  }

  /** The tab of an editor or a panel. */
  editorTab(title: string): Locator {
    return this.page.locator('.tabs-container .tab').filter({ hasText: title }).first();
  }

  async editorTabs(): Promise<string[]> {
    const labels = await this.page.locator('.tabs-container .tab .label-name').allTextContents();
    return labels.map((label) => label.trim());
  }

  /** Presses a button in the editor title, or finds the item under its `…`. */
  async editorAction(title: string): Promise<void> {
    const actions = this.page.locator('.editor-group-container.active .editor-actions');
    const button = actions.locator(`.action-label[aria-label^=${quoted(title)}]`).first();
    if (await appears(button)) return button.click();
    await actions.locator('.action-label[aria-label^="More Actions"]').click();
    await this.chooseFromMenu(title);
  }

  // --- menus ---

  /** Chooses from the open menu. */
  async chooseFromMenu(item: string): Promise<void> {
    const row = this.page.locator('.monaco-menu').getByRole('menuitem', { name: item, exact: true }).first();
    await row.waitFor();
    // a menu that has only just opened may take no click yet
    for (let tries = 0; tries < 5; tries++) {
      await row.hover();
      await row.click();
      const closed = row.waitFor({ state: 'hidden', timeout: 1500 });
      if (await closed.then(() => true, () => false)) return; // prettier-ignore
    }
    throw new Error(`The menu does not take “${item}”`);
  }

  /** The titles of the open menu in their order, which closes it. */
  async menuItems(): Promise<string[]> {
    const labels = this.page.locator('.monaco-menu .action-label:not(.separator)');
    await labels.first().waitFor();
    const texts = await labels.allTextContents();
    await this.escape();
    return texts.map((text) => text.trim()).filter((text) => text !== '');
  }

  // --- side bar ---

  /** Shows a view container by the title of its icon in the activity bar. */
  async openView(container: string): Promise<void> {
    const tab = this.page.locator(`.activitybar .action-item[role="tab"]:has([aria-label^=${quoted(container)}]), .activitybar .action-item[role="tab"][aria-label^=${quoted(container)}]`).first(); // prettier-ignore
    await tab.waitFor();
    if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
  }

  /** A view in the side bar by its title, header and all. */
  view(title: string): Locator {
    return this.page.locator(`.sidebar .pane:has(> .pane-header[aria-label^=${quoted(title)}])`).first();
  }

  /** Opens or shuts a view. */
  async expandView(title: string, open = true): Promise<void> {
    const header = this.view(title).locator('.pane-header');
    await header.waitFor();
    if ((await header.getAttribute('aria-expanded')) !== String(open)) await header.click();
  }

  /** The row of the first item whose label or description contains a text. */
  treeItem(view: string, text: string | RegExp): Locator {
    return this.view(view).locator('.monaco-list-row').filter({ hasText: text }).first();
  }

  /** What a view shows at the moment: the rows that are in sight. */
  async treeItems(view: string): Promise<TreeItem[]> {
    const rows = await this.view(view).locator('.monaco-list-row').all();
    return Promise.all(
      rows.map(async (row) => {
        const expanded = await row.getAttribute('aria-expanded');
        const text = async (part: string): Promise<string> =>
          (await row.locator(part).allTextContents()).join('').trim();
        return {
          label: await text('.label-name'),
          description: await text('.label-description'),
          ariaLabel: (await row.getAttribute('aria-label')) ?? '',
          level: Number((await row.getAttribute('aria-level')) ?? 1),
          expanded: expanded === null ? undefined : expanded === 'true',
        };
      }),
    );
  }

  /** The text and buttons that an empty view shows instead of items. */
  welcome(view: string): Locator {
    return this.view(view).locator('.welcome-view-content');
  }

  /** Presses a button in a view's title, or finds it under its `…`. */
  async viewAction(view: string, title: string): Promise<void> {
    const header = this.view(view).locator('.pane-header');
    await header.hover();
    const button = header.locator(`.action-label[aria-label^=${quoted(title)}]`).first();
    if (await appears(button)) return button.click();
    await header.locator('.action-label[aria-label^="Views and More"], .action-label[aria-label^="More Actions"]').first().click(); // prettier-ignore
    await this.chooseFromMenu(title);
  }

  /** Presses a button in an item's row. */
  async treeAction(view: string, text: string | RegExp, title: string): Promise<void> {
    const row = this.treeItem(view, text);
    await row.hover();
    await row.locator(`.action-label[aria-label^=${quoted(title)}]`).click();
  }

  async treeContextMenu(view: string, text: string | RegExp, item: string): Promise<void> {
    await this.treeItem(view, text).click({ button: 'right' });
    await this.chooseFromMenu(item);
  }

  async treeMenuItems(view: string, text: string | RegExp): Promise<string[]> {
    await this.treeItem(view, text).click({ button: 'right' });
    return this.menuItems();
  }

  // --- webviews, notifications, dialogs, status bar ---

  /** The content of the webview in front. */
  webviewFrame(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready:visible').frameLocator('#active-frame');
  }

  /** The notification that contains a text. */
  notification(text: string | RegExp): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item').filter({ hasText: text }).first();
  }

  /** Presses a button of a notification. */
  async notificationButton(text: string | RegExp, button: string): Promise<void> {
    await this.notification(text).getByRole('button', { name: button, exact: true }).click();
  }

  /** The messages of all notifications in sight. */
  async notifications(): Promise<string[]> {
    return this.page.locator('.notifications-toasts .notification-list-item-message').allTextContents();
  }

  async clearNotifications(): Promise<void> {
    await this.palette('Notifications: Clear All Notifications');
    await this.page.locator('.notifications-toasts .notification-list-item').first().waitFor({ state: 'detached' });
  }

  /** The modal dialog that contains a text. */
  dialog(text: string | RegExp): Locator {
    return this.page.locator('.monaco-dialog-box').filter({ hasText: text });
  }

  async dialogButton(text: string | RegExp, button: string): Promise<void> {
    await this.dialog(text).getByRole('button', { name: button, exact: true }).click();
  }

  /** The status bar item that contains a text. */
  statusBar(text: string | RegExp): Locator {
    return this.page.locator('.statusbar-item').filter({ hasText: text }).first();
  }

  /** What is in the clipboard. */
  async clipboard(): Promise<string> {
    return String(await this.page.evaluate('navigator.clipboard.readText()'));
  }

  /** Waits until something is so, and says what was the case instead if it never is. */
  async until<T>(read: () => Promise<T> | T, good: (value: T) => boolean, timeout = 15_000): Promise<T> {
    const end = Date.now() + timeout;
    for (;;) {
      const value = await read();
      if (good(value)) return value;
      if (Date.now() > end) throw new Error(`Not so after ${String(timeout)} ms: ${JSON.stringify(value)}`);
      await this.page.waitForTimeout(100);
    }
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
    this.timeout(180_000); // the first one may have to install VS Code
    const name = this.test?.parent?.fullTitle();
    workbench = await Workbench.start({ ...(name ? { name } : {}), ...options });
  });
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await workbench?.shot(`failed-${this.currentTest.fullTitle()}`);
  });
  after(async function () {
    this.timeout(30_000);
    await workbench?.stop();
  });
  return () => {
    if (!workbench) throw new Error('The workbench is there only while tests run');
    return workbench;
  };
}

/** Whether an element is there within two seconds. */
async function appears(element: Locator): Promise<boolean> {
  for (let waited = 0; waited < 2000; waited += 100) {
    if (await element.isVisible()) return true;
    await element.page().waitForTimeout(100);
  }
  return false;
}

/** A text as a value in a CSS selector. */
const quoted = (text: string): string => JSON.stringify(text);

const fileName = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 80);
