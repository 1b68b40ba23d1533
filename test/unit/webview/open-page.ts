import { type Signal, signal } from '@preact/signals';
import { type ComponentChildren, h, render } from 'preact';
import { frameOf, PLAIN } from '../../../src/chart/frame.ts';
import type { ChartView } from '../../../src/chart/chart-view.ts';
import type {
  ChartControls,
  ChartState,
  CompareView,
  SentIntent,
  Status,
} from '../../../src/editor/views/chart/protocol.ts';
import type { Colors } from '../../../src/chart/scene.ts';
import { Theme } from '../../../src/webview/shared/drawing.tsx';
import { ChartPage } from '../../../src/webview/chart/page.tsx';
import { DEFAULT_VIEW, type TabContext, type View } from '../../../src/webview/chart/chart-tab.tsx';
import { find } from './dom.ts';

export const EMPTY: ChartState = {
  ref: '',
  title: '',
  shown: null,
  standing: null,
  notice: null,
  actuals: null,
  controls: null,
  compared: null,
  analyses: {},
};
export const CONTROLS: ChartControls = { canCompare: false, analyses: ['decomposition'] };
type Row = CompareView['rows'][number];
export const comparedRow = (id: string, label: string, more: Partial<Row>): Row => {
  const nothing = { sentence: undefined, line: undefined, total: undefined, difference: undefined, scores: undefined };
  return { id, label, isMain: false, state: 'done', isBest: false, ...nothing, ...more };
};
/** Of a service that takes another future of what is known. */
export const SUPPOSING: ChartControls = { ...CONTROLS, columns: { choices: [], canTest: false } };
export const refOf = (predictionId: string) => ({ predictionId, serviceId: 'local' });

/** What is drawn in the colors of a theme, and anew in others. */
export const Themed = ({ theme, children }: { theme: Signal<Colors>; children: ComponentChildren }) =>
  h(Theme, { value: theme.value, children });

/** What a tab sees of its page. @param again is called when the view has changed */
export function contextOf(chart: ChartView, more: Partial<TabContext> = {}, again = () => undefined as unknown) {
  const frame = frameOf(chart);
  const sent: SentIntent[] = [];
  const changes: Partial<View>[] = [];
  const view = signal<View>(DEFAULT_VIEW);
  const context: TabContext = {
    state: EMPTY,
    send: (intent) => sent.push(intent),
    shown: { key: 'p1', chart, frame },
    view,
    change: (parts) => {
      changes.push(parts);
      view.value = { ...view.value, ...parts };
      again();
    },
    decoration: PLAIN,
    cursor: signal(undefined),
    ...more,
  };
  return { context, sent, changes };
}

/** The page of a chart, what it requests, and what it keeps over a reload. */
export interface OpenPage {
  readonly page: {
    readonly show: (ref: { readonly predictionId: string }, chart: ChartView) => void;
    readonly status: (title: string, status: Status) => void;
    readonly hears: (parts: Partial<ChartState>) => void;
  };
  readonly sent: SentIntent[];
  readonly problems: string[];
  readonly kept: () => View | undefined;
  /** The name of the tab that is open. */
  readonly tab: () => string;
}

/** Opens the page of a chart in the document of now, for the tests of a suite in a browser. */
export const usePageOfChart =
  () =>
  (saved?: unknown): OpenPage => {
    document.body.innerHTML = '<main id="app"></main>';
    const sent: SentIntent[] = [];
    const problems: string[] = [];
    let kept = saved as View | undefined;
    let state = EMPTY;
    const hears = (parts: Partial<ChartState>) => {
      state = { ...state, ...parts };
      const reported = {
        send: (intent: SentIntent) => sent.push(intent),
        log: { error: (message: string) => problems.push(message) },
        kept: saved,
        keep: (view: unknown) => (kept = view as View),
      };
      render(h(ChartPage, { state, ...reported }), find('#app'));
    };
    const page = {
      hears,
      show: ({ predictionId: key }: { readonly predictionId: string }, chart: ChartView) => {
        const isOther = state.shown !== null && state.shown.key !== key;
        hears({ shown: { key, chart }, standing: null, notice: null, ...(isOther ? { actuals: null, analyses: {} } : {}) }); // prettier-ignore
      },
      status: (title: string, status: Status) => {
        hears({ standing: { title, status } });
      },
    };
    const tab = () => find('[role="tab"][aria-selected="true"]').textContent;
    return { page, sent, problems, tab, kept: () => kept };
  };
