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

  // --- editors and webviews ---

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

  /** The content of the webview in front. */
  webviewFrame(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready:visible').frameLocator('#active-frame');
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

  // --- status bar ---

  /** The status bar item that contains a text. */
  statusBar(text: string | RegExp): Locator {
    return this.page.locator('.statusbar-item').filter({ hasText: text }).first();
  }
}

/** Whether an element is there within two seconds. */
async function appears(element: Locator): Promise<boolean> {
  for (let waited = 0; waited < 2000; waited += 100) {
    if (await element.isVisible()) return true;
    await element.page().waitForTimeout(100);
  }
  return false;
}
