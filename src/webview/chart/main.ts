import '../shared/words.ts';
import 'uplot/dist/uPlot.min.css';
import { type HostMessage, type WebviewMessage, readPanelState } from '../../editor/views/chart/protocol.ts';
import { onThemeChange } from '../shared/colors.ts';
import { listen, panelOfPage } from '../shared/panel.ts';
import { createPage } from './page.ts';
import '../shared/style.css';
import '../shared/menu.css';
import './style.css';

const panel = panelOfPage<WebviewMessage>();
const { post, save } = panel;
const restore = () => readPanelState(panel.restore());
const page = createPage(document.getElementById('app')!, { post, save, restore });

onThemeChange(() => {
  page.redraw();
});
listen<HostMessage>(panel, {
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
