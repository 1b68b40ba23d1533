import type { ChartControls } from '../../../src/editor/views/analysis/protocol.ts';
import type { PanelState, WebviewMessage } from '../../../src/editor/views/chart/protocol.ts';
import { createPage } from '../../../src/webview/chart/page.tsx';
import type { ChartState } from '../../../src/webview/chart/state.ts';
import { find } from './dom.ts';

export const CONTROLS: ChartControls = { canCompare: false, looks: ['parts'], former: ['p0'] };
export const refOf = (predictionId: string) => ({ predictionId, serviceId: 'local' });

/** The page of a chart, what it posts, and what it keeps over a reload. */
export interface OpenPage {
  readonly page: ChartState;
  readonly posted: WebviewMessage[];
  readonly state: () => PanelState | undefined;
  /** The name of the tab that is open. */
  readonly tab: () => string;
}

/** Opens the page of a chart in the document of now, for the tests of a suite in a browser. */
export function usePageOfChart(): (saved?: PanelState) => OpenPage {
  return (saved) => {
    document.body.innerHTML = '<main id="app"></main>';
    const posted: WebviewMessage[] = [];
    let state = saved;
    const page = createPage(find('#app'), {
      post: (message) => posted.push(message),
      save: (now) => (state = now),
      restore: () => state,
    });
    const tab = () => find('[role="tab"][aria-selected="true"]').textContent;
    return { page, posted, tab, state: () => state };
  };
}
