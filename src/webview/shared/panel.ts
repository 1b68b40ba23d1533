import { dispatch, type Handlers } from '../../editor/views/shared/protocol.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** The panel around a page, as the page sees it. */
export interface Panel<W> {
  readonly post: (message: W) => void;
  /** Keeps something over a reload of the window. */
  readonly save: (state: unknown) => void;
  /** What was kept. */
  readonly restore: () => unknown;
}

/** The panel of this page; there is one, to be asked for once. */
export function panelOfPage<W>(): Panel<W> {
  const vscode = acquireVsCodeApi();
  return {
    post: (message) => {
      vscode.postMessage(message);
    },
    save: (state) => {
      vscode.setState(state);
    },
    restore: () => vscode.getState(),
  };
}

/** What every page tells its panel. */
type OfEveryPage = { readonly type: 'ready' } | { readonly type: 'problem'; readonly message: string };

/** Hears what the panel says, tells it of faults for the log, and that the page is there. */
export function listen<H extends { readonly type: string }>(panel: Panel<OfEveryPage>, handlers: Handlers<H>): void {
  window.addEventListener('message', ({ data }: MessageEvent<H>) => {
    dispatch(data, handlers);
  });
  window.addEventListener('error', ({ message }) => {
    panel.post({ type: 'problem', message });
  });
  panel.post({ type: 'ready' });
}
