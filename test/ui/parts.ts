import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { Overlays, quoted } from './overlays.ts';

export interface TreeItem {
  label: string;
  description: string;
  /** What a screen reader says. */
  ariaLabel: string;
  level: number;
  /** `undefined` for an item that has no children. */
  expanded: boolean | undefined;
}

/** An element of the page, as far as it is read here. */
interface Element {
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  querySelectorAll(part: string): Iterable<Element>;
}

/** The parts of the workbench: the explorer, editors and webviews, the side bar's views with their trees, the status bar. */
export abstract class Parts extends Overlays {
  // --- explorer ---

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
    // a watcher that was not ready yet has not told of a file that is new: then the explorer is asked to look again
    await row.waitFor({ timeout: 4000 }).catch(() => this.palette('Refresh Explorer'));
    await row.waitFor();
    return row;
  }

  /** Right-clicks a file and chooses from its menu. */
  /** All but Forecast itself stand in the submenu. */
  async explorerContextMenu(file: string, item: string): Promise<void> {
    const row = await this.explorerItem(file);
    await this.chooseFromMenuOf(row, ...(item === 'Forecast' ? [item] : ['Forecasts', item]));
  }

  /** Right-clicks a file and gives all the titles of its menu, which closes again. */
  async explorerMenuItems(file: string): Promise<string[]> {
    await this.openMenu(await this.explorerItem(file));
    return this.menuItems();
  }

  /** Opens a file in an editor that stays. */
  async openFile(file: string): Promise<void> {
    const row = await this.explorerItem(file);
    // on a slow machine the hover of a row can come between the two clicks, and stays while the mouse does
    await row.dblclick({ timeout: 5_000 }).catch(async () => {
      await this.page.mouse.move(640, 2);
      await row.dblclick();
    });
    await this.editorTab(path.basename(file)).waitFor();
  }

  // --- editors and webviews ---

  /** The tab of an editor or a panel. */
  editorTab(title: string): Locator {
    return this.page.locator('.tabs-container .tab').filter({ hasText: title }).first();
  }

  async editorTabs(): Promise<string[]> {
    const labels = await this.page.locator('.tabs-container .tab .label-name').allTextContents();
    return labels.map((label) => label.trim());
  }

  /** The content of the webview in front. */
  webviewFrame(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready:visible').frameLocator('#active-frame');
  }

  // --- side bar ---

  /** Shows a view container by the title of its icon in the activity bar. */
  async openView(container: string): Promise<void> {
    const tab = this.page.locator(`.activitybar .action-item[role="tab"]:has([aria-label^=${quoted(container)}]), .activitybar .action-item[role="tab"][aria-label^=${quoted(container)}]`).first(); // prettier-ignore
    await tab.waitFor();
    const open = tab.and(this.page.locator('[aria-expanded="true"]'));
    // where it opens by itself just before the click, that click closes it
    for (let tries = 1; tries < 4 && !(await open.isVisible()); tries++) {
      await tab.click();
      await open.waitFor({ timeout: 4_000 * tries }).catch(() => undefined);
    }
    await open.waitFor();
  }

  /** A view in the side bar by its title, header and all. */
  view(title: string): Locator {
    return this.page.locator(`.sidebar .pane:has(> .pane-header[aria-label^=${quoted(title)}])`).first();
  }

  /** Opens or shuts a view. */
  async expandView(title: string, open = true): Promise<void> {
    const header = this.view(title).locator('.pane-header');
    await header.waitFor();
    const wanted = header.and(this.page.locator(`[aria-expanded="${String(open)}"]`));
    // where it opens or shuts by itself just before the click, that click turns it back
    for (let tries = 1; tries < 4 && !(await wanted.isVisible()); tries++) {
      await header.click();
      await wanted.waitFor({ timeout: 4_000 * tries }).catch(() => undefined);
    }
    await wanted.waitFor();
  }

  /** The row of the first item whose label or description contains a text. */
  treeItem(view: string, text: string | RegExp): Locator {
    return this.view(view).locator('.monaco-list-row').filter({ hasText: text }).first();
  }

  /** What a view shows at the moment: the rows that are in sight. */
  treeItems(view: string): Promise<TreeItem[]> {
    const rows = this.view(view).locator('.monaco-list-row');
    // all at one moment: one by one, a row that goes meanwhile would be waited for
    return rows.evaluateAll((all: Element[]) =>
      all.map((row) => {
        const expanded = row.getAttribute('aria-expanded');
        const text = (part: string) => [...row.querySelectorAll(part)].map((one) => one.textContent ?? '').join('').trim(); // prettier-ignore
        return {
          label: text('.label-name'),
          description: text('.label-description'),
          ariaLabel: row.getAttribute('aria-label') ?? '',
          level: Number(row.getAttribute('aria-level') ?? 1),
          expanded: expanded === null ? undefined : expanded === 'true',
        };
      }),
    );
  }

  /** The text and buttons that an empty view shows instead of items. */
  welcome(view: string): Locator {
    return this.view(view).locator('.welcome-view-content');
  }

  async treeContextMenu(view: string, text: string | RegExp, item: string): Promise<void> {
    await this.chooseFromMenuOf(this.treeItem(view, text), item);
  }

  // --- status bar ---

  /** The status bar item that contains a text. */
  statusBar(text: string | RegExp): Locator {
    return this.page.locator('.statusbar-item').filter({ hasText: text }).first();
  }
}
