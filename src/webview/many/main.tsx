import '../shared/words.ts';
import { render } from 'preact';
import type { HostMessage, WebviewMessage } from '../../editor/views/many-series/protocol.ts';
import { watchTheme } from '../shared/colors.ts';
import { Theme } from '../shared/drawing.tsx';
import { listen, panelOfPage } from '../shared/panel.ts';
import { ManyList } from './list.ts';
import { ManyPage } from './page.tsx';
import { readState } from './state.ts';
import '../shared/style.css';
import '../shared/menu.css';
import './style.css';

const panel = panelOfPage<WebviewMessage>();
const list = new ManyList(readState(panel.restore()), panel);

render(
  <Theme value={watchTheme()}>
    <ManyPage list={list} />
  </Theme>,
  document.getElementById('app')!,
);
listen<HostMessage>(panel, {
  head: (head) => {
    list.head.value = head;
  },
  rows: (some) => {
    list.take(some);
  },
});
