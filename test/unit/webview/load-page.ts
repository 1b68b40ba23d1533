import { randomUUID } from 'node:crypto';
import { registerHooks } from 'node:module';
import type { Browser } from './browser.ts';

// style sheets are bundled beside the pages: here they are nothing
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.endsWith('.css') ? { url: 'data:text/javascript,', shortCircuit: true } : next(specifier, context),
});

/** A page as a panel has it: what it posts, what it keeps over a reload, and the panel that speaks to it. */
export interface LoadedPage<H, W> {
  readonly posted: W[];
  readonly kept: () => unknown;
  /** As the panel says it. */
  readonly hears: (message: H) => void;
}

/** Loads the program of a page into the document of now, as its HTML does. @param kept what the page kept before a reload */
export async function loadPage<H, W>(
  browser: Browser,
  page: 'chart' | 'many' | 'model' | 'file-reading',
  kept?: unknown,
): Promise<LoadedPage<H, W>> {
  const posted: W[] = [];
  let state = kept;
  const editor = {
    postMessage: (message: W) => posted.push(structuredClone(message)),
    getState: () => state,
    setState: (now: unknown) => (state = structuredClone(now)),
  };
  Object.assign(globalThis, { acquireVsCodeApi: () => editor });
  const { addEventListener } = window;
  Object.assign(window, {
    addEventListener: (type: string, listener: () => void) => {
      addEventListener.call(window, type, listener);
      browser.atEnd(() => {
        window.removeEventListener(type, listener);
      });
    },
  });
  try {
    await import(`../../../src/webview/${page}/main.tsx?${randomUUID()}`);
  } finally {
    Object.assign(window, { addEventListener });
  }
  return {
    posted,
    kept: () => state,
    hears: (message) => {
      window.dispatchEvent(new MessageEvent('message', { data: structuredClone(message) }));
    },
  };
}
