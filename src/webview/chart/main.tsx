import '../shared/words.ts';
import { type HostMessage, type WebviewMessage, readPanelState } from '../../editor/views/chart/protocol.ts';
import { listen, panelOfPage } from '../shared/panel.ts';
import { createPage } from './page.tsx';
import '../shared/style.css';
import '../shared/menu.css';
import './style.css';

const panel = panelOfPage<WebviewMessage>();
const { post, save } = panel;
const restore = () => readPanelState(panel.restore());
const state = createPage(document.getElementById('app')!, { post, save, restore });

listen<HostMessage>(panel, {
  show: ({ ref, chart }) => {
    state.show(ref, chart);
  },
  status: ({ ref, title, status }) => {
    state.status(ref, title, status);
  },
  notice: ({ notice }) => {
    state.told.value = notice;
  },
  controls: ({ controls }) => {
    state.controls(controls);
  },
  seen: ({ predictionId, seen }) => {
    state.seen(predictionId, seen);
  },
  actuals: ({ actuals }) => {
    state.since.value = actuals;
  },
  compared: ({ compared }) => {
    state.comparison.value = compared;
  },
});
