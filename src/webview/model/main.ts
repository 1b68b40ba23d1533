import '../shared/words.ts';
import { type HostMessage, type WebviewMessage } from '../../editor/views/model/protocol.ts';
import { dispatch } from '../../editor/views/shared/protocol.ts';
import { createModelPage } from './page.ts';
import '../shared/style.css';
import './style.css';

declare function acquireVsCodeApi(): { postMessage(message: WebviewMessage): void; setState(state: unknown): void };

const vscode = acquireVsCodeApi();
const post = (message: WebviewMessage) => {
  vscode.postMessage(message);
};
const page = createModelPage(document.getElementById('app')!, (id) => {
  post({ type: 'action', id });
});

window.addEventListener('message', ({ data }: MessageEvent<HostMessage>) => {
  dispatch(data, {
    show: ({ ref, model }) => {
      vscode.setState(ref);
      page.show(model);
    },
    empty: ({ ref, title, problem, actions }) => {
      vscode.setState(ref);
      page.empty(title, problem, actions);
    },
  });
});
window.addEventListener('error', ({ message }) => {
  post({ type: 'problem', message });
});
post({ type: 'ready' });
