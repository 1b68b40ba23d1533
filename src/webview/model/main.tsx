import '../shared/words.ts';
import { render } from 'preact';
import type { HostMessage, WebviewMessage } from '../../editor/views/model/protocol.ts';
import { watchTheme } from '../shared/colors.ts';
import { Theme } from '../shared/drawing.tsx';
import { listen, panelOfPage } from '../shared/panel.ts';
import { ModelPage } from './page.tsx';
import '../shared/style.css';
import './style.css';

const panel = panelOfPage<WebviewMessage>();
const theme = watchTheme();

const show = (message: HostMessage) => {
  panel.save(message.ref);
  const act = (id: string) => {
    panel.post({ type: 'action', id });
  };
  render(
    <Theme value={theme}>
      <ModelPage shown={message} act={act} />
    </Theme>,
    document.getElementById('app')!,
  );
};

listen<HostMessage>(panel, { show, empty: show });
