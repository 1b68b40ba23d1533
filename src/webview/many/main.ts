import '../shared/words.ts';
import type { HostMessage, WebviewMessage } from '../../editor/views/many-series/protocol.ts';
import { onThemeChange } from '../shared/colors.ts';
import { listen, panelOfPage } from '../shared/panel.ts';
import { createManyPage } from './page.ts';
import { readState } from './state.ts';
import '../shared/style.css';
import '../shared/menu.css';
import './style.css';

const panel = panelOfPage<WebviewMessage>();
const page = createManyPage(document.getElementById('app')!, readState(panel.restore()), panel);

window.addEventListener('resize', () => {
  page.paint();
});
onThemeChange(() => {
  page.recolor();
});
listen<HostMessage>(panel, {
  head: (head) => {
    page.head(head);
  },
  rows: (some) => {
    page.rows(some);
  },
});
