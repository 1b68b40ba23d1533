import '../shared/words.ts';
import type { HostMessage, WebviewMessage } from '../../editor/views/many-series/protocol.ts';
import { dispatch } from '../../editor/views/shared/protocol.ts';
import { onThemeChange } from '../shared/colors.ts';
import { createManyPage } from './page.ts';
import { readState } from './state.ts';
import '../shared/style.css';
import '../shared/menu.css';
import './style.css';

declare function acquireVsCodeApi(): {
  postMessage(message: WebviewMessage): void;
  getState(): unknown;
  setState(state: unknown): void;
};

const vscode = acquireVsCodeApi();
const post = (message: WebviewMessage) => {
  vscode.postMessage(message);
};
const page = createManyPage(document.getElementById('app')!, readState(vscode.getState()), {
  post,
  save: (state) => {
    vscode.setState(state);
  },
});

window.addEventListener('message', ({ data }: MessageEvent<HostMessage>) => {
  dispatch(data, {
    head: (head) => {
      page.head(head);
    },
    rows: (some) => {
      page.rows(some);
    },
  });
});
window.addEventListener('resize', () => {
  page.paint();
});
onThemeChange(() => {
  page.recolor();
});
window.addEventListener('error', ({ message }) => {
  post({ type: 'problem', message });
});
post({ type: 'ready' });
