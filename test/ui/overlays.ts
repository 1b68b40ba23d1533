import type { Locator, Page } from 'playwright-core';

/** Milliseconds that a wait may last: only a test that fails lasts so long, and a machine may have much else to do. */
export const PATIENCE = 60_000;

/** What opens over the workbench: the command palette, quick input, menus, notifications, dialogs. */
export abstract class Overlays {
  /** Playwright's page, for whatever has no method here. */
  abstract get page(): Page;

  /** Waits until something is so, and says what was the case instead if it never is. */
  async until<T>(read: () => Promise<T> | T, good: (value: T) => boolean, timeout = PATIENCE): Promise<T> {
    const end = Date.now() + timeout;
    for (;;) {
      const value = await read();
      if (good(value)) return value;
      if (Date.now() > end) throw new Error(`Not so after ${String(timeout)} ms: ${JSON.stringify(value)}`);
      await this.page.waitForTimeout(100);
    }
  }

  // --- command palette ---

  /** Runs a command from the palette by its whole title, such as `Forecasts: Refresh`. */
  async palette(command: string): Promise<void> {
    await this.inPalette(command, (row, timeout) => row.click({ timeout }));
    // what is typed next is for the input of the command
    const palette = this.page.locator(
      '.quick-input-widget:visible input.input[placeholder^="Type the name of a command"]',
    );
    await palette.waitFor({ state: 'detached' });
  }

  /** The titles that the palette finds for a text, the best first, once one of them begins with it. */
  async paletteItems(text: string): Promise<string[]> {
    const items = await this.inPalette(text, async (row, timeout) => {
      await row.waitFor({ timeout });
      const titles = await attributesOf(this.quickRows(), 'aria-label');
      if (titles.length === 0) throw new Error('The palette has closed');
      return titles;
    });
    await this.escape();
    return items;
  }

  /** Does something with the first row of the palette that begins with a text, as the list fills in steps. */
  private async inPalette<T>(text: string, act: (row: Locator, timeout: number) => Promise<T>): Promise<T> {
    const row = this.page.locator(`.quick-input-list .monaco-list-row[aria-label^=${quoted(text)}]`).first();
    for (let tries = 0; ; tries++) {
      await this.openPalette(text);
      try {
        return await act(row, 4000 * (tries + 1));
      } catch (error) {
        // a chart that came meanwhile took the focus, and the palette closed
        if (tries === 4) throw error;
      }
    }
  }

  private async openPalette(text: string): Promise<void> {
    const input = this.quickInput();
    for (let tries = 0; ; tries++) {
      await this.page.keyboard.press('F1');
      try {
        const timeout = 3000 * (tries + 1);
        await input.waitFor({ timeout });
        await input.fill(`>${text}`, { timeout });
        await this.page.locator('.quick-input-list .monaco-list-row').first().waitFor({ timeout });
        return;
      } catch (error) {
        // the key was lost while the workbench was still starting, or a chart took the focus
        if (tries === 4) throw error;
      }
    }
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

  private quickRows(): Locator {
    return this.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
  }

  /** What screen readers say for the rows of the open pick: label, description, detail. */
  async quickItems(): Promise<string[]> {
    await this.quickRows().first().waitFor();
    return attributesOf(this.quickRows(), 'aria-label');
  }

  /** Picks the first row that contains a text. */
  async quickPick(text: string): Promise<void> {
    await this.quickRows().filter({ hasText: text }).first().click();
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

  // --- menus ---

  /** Opens the context menu of a row; again where it did not come or has closed at once, as when the focus moved. */
  async openMenu(row: Locator): Promise<void> {
    const menu = this.page.locator('.monaco-menu .action-label').first();
    for (let tries = 1; ; tries++) {
      await row.click({ button: 'right' });
      try {
        await menu.waitFor({ timeout: 5000 * tries });
        return;
      } catch (error) {
        if (tries === 3) throw error;
      }
    }
  }

  /** Chooses from the context menu of a row. */
  async chooseFromMenuOf(row: Locator, ...items: readonly string[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      await this.openMenu(row);
      try {
        for (const item of items.slice(0, -1)) await this.openSubmenu(item);
        await this.chooseFromMenu(items.at(-1)!, 5000 * tries);
        return;
      } catch (error) {
        // it closed before anything was chosen
        if (tries === 3) throw error;
        await this.escape();
      }
    }
  }

  async openSubmenu(item: string): Promise<void> {
    const row = this.page.locator('.monaco-menu').getByRole('menuitem', { name: item, exact: true }).first();
    await row.hover({ timeout: 5000 });
    await this.page.keyboard.press('ArrowRight');
  }

  /** Chooses from the open menu. @param timeout milliseconds that it may take until the item can be clicked */
  async chooseFromMenu(item: string, timeout = 30_000): Promise<void> {
    // its name may go on with a key
    const label = new RegExp(`^\\s*${item.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*$`);
    const row = this.page
      .locator('.monaco-menu')
      .getByRole('menuitem')
      .filter({ has: this.page.locator('.action-label', { hasText: label }) })
      .first();
    await row.waitFor({ timeout });
    // a menu that has only just opened may take no click yet
    for (let tries = 0; tries < 5; tries++) {
      try {
        await row.hover({ timeout });
        await row.click({ timeout });
      } catch (error) {
        if (tries > 0 && !(await row.isVisible())) return; // it took the click before, and has closed only now
        throw error;
      }
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

  // --- notifications and dialogs ---

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

  /** The modal dialog that contains a text. */
  dialog(text: string | RegExp): Locator {
    return this.page.locator('.monaco-dialog-box').filter({ hasText: text });
  }

  async dialogButton(text: string | RegExp, button: string): Promise<void> {
    await this.dialog(text).getByRole('button', { name: button, exact: true }).click();
  }
}

/** An attribute of all elements as they are at one moment: one by one, a list that shrinks meanwhile would be waited for. */
const attributesOf = (elements: Locator, name: string): Promise<string[]> =>
  elements.evaluateAll(
    (all: { getAttribute: (name: string) => string | null }[], name) => all.map((one) => one.getAttribute(name) ?? ''),
    name,
  );

/** A text as a value in a CSS selector. */
export const quoted = (text: string): string => JSON.stringify(text);
