import type { Supposed } from '../../editor/views/analysis/protocol.ts';
import {
  DEFAULT_VIEW,
  type PanelState,
  type PredictionRef,
  type ViewState,
} from '../../editor/views/chart/protocol.ts';

/** What the page of a chart keeps over a reload, and while its editor is hidden. */
export interface Kept {
  /** What was chosen of the chart of this prediction. */
  view(ref: PredictionRef): ViewState;
  /** What is supposed in its table. */
  supposed(ref: PredictionRef): readonly Supposed[];
  /** @param supposed as it was where it is left out @returns what was saved */
  save(ref: PredictionRef, view: ViewState, supposed?: readonly Supposed[]): PanelState;
  /** Ids of the predictions that were shown before; saved with the next state. */
  setFormer(ids: readonly string[]): void;
}

/** Keeps it where the editor does. One prediction is kept at a time. */
export function createKept(host: {
  readonly save: (state: PanelState) => void;
  readonly restore: () => PanelState | undefined;
}): Kept {
  const saved = host.restore();
  let former = saved?.former ?? [];
  /** Outlasts that another prediction is looked at. */
  let typed = saved && { ref: saved as PredictionRef, cells: saved.supposed ?? [] };
  const supposedOf = (ref: PredictionRef) => (typed && equal(typed.ref, ref) ? typed.cells : []);
  return {
    view(ref) {
      const state = host.restore();
      return state && equal(state, ref) ? state.view : DEFAULT_VIEW;
    },
    supposed: supposedOf,
    save(ref, view, supposed) {
      if (supposed) typed = { ref, cells: supposed };
      const cells = supposedOf(ref);
      const { predictionId, serviceId } = ref;
      const state = { predictionId, serviceId, view, former, ...(cells.length > 0 ? { supposed: cells } : {}) };
      host.save(state);
      return state;
    },
    setFormer(ids) {
      former = ids;
    },
  };
}

/** Whether two are the same prediction at the same service. */
export const equal = (a: PredictionRef, b: PredictionRef): boolean =>
  a.predictionId === b.predictionId && a.serviceId === b.serviceId;
