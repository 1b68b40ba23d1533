import { type BrowserContext, type Page, chromium } from 'playwright-core';
import type { Browser } from './setup.ts';

export interface PageOptions {
  browser: Browser;
  url: string;
  /** The browser's profile, where SecretStorage keeps its secrets. None: a new one that goes with the page. */
  profileDir?: string;
  /** Further arguments of the browser. */
  args?: readonly string[];
  viewport?: { width: number; height: number };
  /** Pixels of a screenshot for each pixel of the page: 1, or 2 for pictures that stay sharp. */
  scale?: number;
  log?: (text: string) => void;
  /** Called before the page is loaded. */
  prepare?: (page: Page) => Promise<void>;
}

const args = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
  // nothing outside this machine is asked for: every other host name fails at once
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost , EXCLUDE *.localhost',
];

/** The workbench stands still, as each move of it would be painted up to sixty times a second; pages in it move as ever. */
const STILL = `if (top === self) addEventListener('DOMContentLoaded', () => {
  const style = document.createElement('style');
  const rules = ['animation: none', 'transition: none', 'caret-color: transparent'];
  style.textContent = '*, ::before, ::after { ' + rules.map((rule) => rule + ' !important').join('; ') + ' }';
  document.head.append(style);
})`;

/** Opens an address in a headless browser of its own. */
export async function openPage(options: PageOptions): Promise<{ page: Page; close: () => Promise<void> }> {
  const {
    browser,
    url,
    profileDir,
    args: more = [],
    viewport = { width: 1280, height: 800 },
    scale = 1,
    log,
  } = options;
  // an interrupt is ours to handle: playwright would end this process before the server is stopped
  const interrupts = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const launch = { ...browser, args: [...args, ...more], headless: true, ...interrupts };
  const contextOptions = { viewport, deviceScaleFactor: scale, permissions: ['clipboard-read', 'clipboard-write'] };
  let context: BrowserContext;
  if (profileDir) context = await chromium.launchPersistentContext(profileDir, { ...launch, ...contextOptions });
  else context = await (await chromium.launch(launch)).newContext(contextOptions);
  const close = async (): Promise<void> => {
    await context.close();
    await context.browser()?.close();
  };
  try {
    await context.addInitScript(STILL);
    const page = context.pages()[0] ?? (await context.newPage());
    page.on('pageerror', (error) => log?.(`pageerror ${error.stack ?? error.message}\n`));
    page.on('console', (message) => log?.(`console.${message.type()} ${message.text()}\n`));
    page.on('crash', () => log?.('the page crashed\n'));
    await options.prepare?.(page);
    await page.goto(url, { waitUntil: 'domcontentloaded' });
    return { page, close };
  } catch (error) {
    await close();
    throw error;
  }
}
