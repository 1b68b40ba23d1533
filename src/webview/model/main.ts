import '../shared/words.ts';
import type { HostMessage, WebviewMessage } from '../../editor/views/model/protocol.ts';
import { listen, panelOfPage } from '../shared/panel.ts';
import { createModelPage } from './page.ts';
import '../shared/style.css';
import './style.css';

const panel = panelOfPage<WebviewMessage>();
const page = createModelPage(document.getElementById('app')!, (id) => {
  panel.post({ type: 'action', id });
});

listen<HostMessage>(panel, {
  show: ({ ref, model }) => {
    panel.save(ref);
    page.show(model);
  },
  empty: ({ ref, title, problem, actions }) => {
    panel.save(ref);
    page.empty(title, problem, actions);
  },
});
