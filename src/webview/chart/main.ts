import '../shared/words.ts';
import 'uplot/dist/uPlot.min.css';
import { type HostMessage, type WebviewMessage, readPanelState } from '../../editor/views/chart/protocol.ts';
import { dispatch } from '../../editor/views/shared/protocol.ts';
import { onThemeChange } from '../shared/colors.ts';
import { createPage } from './page.ts';
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
const page = createPage(document.getElementById('app')!, {
  post,
  save: (state) => {
    vscode.setState(state);
  },
  restore: () => readPanelState(vscode.getState()),
});

window.addEventListener('message', ({ data }: MessageEvent<HostMessage>) => {
  dispatch(data, {
    show: ({ ref, chart }) => {
      page.show(ref, chart);
    },
    status: ({ ref, title, status }) => {
      page.status(ref, title, status);
    },
    notice: ({ notice }) => {
      page.notice(notice);
    },
    controls: ({ controls }) => {
      page.controls(controls);
    },
    seen: ({ predictionId, seen }) => {
      page.seen(predictionId, seen);
    },
    actuals: ({ actuals }) => {
      page.actuals(actuals);
    },
    compared: ({ compared }) => {
      page.compared(compared);
    },
  });
});
window.addEventListener('error', ({ message }) => {
  post({ type: 'problem', message });
});
onThemeChange(() => {
  page.redraw();
});
post({ type: 'ready' });
