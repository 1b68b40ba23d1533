import type { ChartControls, ChartRef, ChartState, CompareView } from '../../../src/editor/views/chart/protocol.ts';
import { act, stateOf } from './views/panels.ts';
import { until } from './until.ts';
import type { WebviewPanel } from './workbench/webview-panel.ts';

export type State = ChartState<ChartRef>;

/** The page of a chart as the person sees it. */
export class SeenChart {
  readonly panel: WebviewPanel;

  constructor(panel: WebviewPanel) {
    this.panel = panel;
    panel.says({ type: 'ready' });
  }

  get state(): State {
    return stateOf<State>(this.panel);
  }

  get chart() {
    return this.state.shown!.chart;
  }

  /** The id of the prediction that is drawn. */
  get id(): string {
    return (JSON.parse(this.state.shown!.key) as string[])[1]!;
  }

  act(intent: object): void {
    act(this.panel, intent);
  }

  /** Waits until the page shows what is meant. */
  comes(fits: (state: State) => boolean): Promise<State> {
    return until(() => this.state, fits);
  }

  async controls(fits: (now: ChartControls) => boolean = () => true): Promise<ChartControls> {
    return (await this.comes(({ controls }) => controls !== null && controls.analyses !== undefined && fits(controls))).controls!; // prettier-ignore
  }

  async compared(fits: (now: CompareView) => boolean): Promise<CompareView> {
    return (await this.comes(({ compared }) => compared !== null && fits(compared))).compared!;
  }
}
