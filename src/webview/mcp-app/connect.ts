import { ChatHost } from './host.ts';
import { applyTheme } from './theme.ts';

/** The chart's page asks for the editor by this name when it is loaded, which comes after this. */
declare global {
  interface Window {
    acquireVsCodeApi?: () => ChatHost['editor'];
  }
}

const host = new ChatHost({
  // the chat's own origin is not known to a page in its sandbox
  send: (message) => window.parent.postMessage(message, '*'),
  show: (data) => window.dispatchEvent(new MessageEvent('message', { data })),
  theme: applyTheme,
  copy: (text) => navigator.clipboard.writeText(text),
});
applyTheme({});
window.addEventListener('message', ({ source, data }) => {
  if (source === window.parent) host.receive(data);
});
window.acquireVsCodeApi = () => host.editor;
