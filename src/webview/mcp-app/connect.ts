import { isRecord } from '../../editor/views/shared/protocol.ts';
import { ChatHost } from './host.ts';

const host = new ChatHost({
  // the chat's own origin is not known to a page in its sandbox
  send: (message) => window.parent.postMessage(message, '*'),
  show: (data) => window.dispatchEvent(new MessageEvent('message', { data })),
  theme: ({ theme, styles }) => {
    const { style } = document.documentElement;
    if (theme === 'light' || theme === 'dark') style.colorScheme = theme;
    const variables = isRecord(styles) && isRecord(styles['variables']) ? styles['variables'] : {};
    for (const [name, value] of Object.entries(variables))
      if (/^--[\w-]+$/.test(name) && typeof value === 'string') style.setProperty(name, value);
  },
  copy: (text) => navigator.clipboard.writeText(text),
});
window.addEventListener('message', ({ source, data }) => {
  if (source === window.parent) host.receive(data);
});
// the chart's page asks for the editor by this name when it is loaded, which comes after this
Object.assign(window, { acquireVsCodeApi: () => host.editor });
