import type { Supposed } from '../../editor/views/analysis/protocol.ts';
import {
  DEFAULT_VIEW,
  type PanelState,
  type PredictionRef,
  type ViewState,
} from '../../editor/views/chart/protocol.ts';

/** A scenario that is written down: its cells, and its name as far as it is typed. */
export interface Typed {
  readonly cells: readonly Supposed[];
  readonly name: string;
}

/** What the page of a chart keeps over a reload, and while its editor is hidden. */
export interface Kept {
  /** What was chosen of the chart of this prediction. */
  view(ref: PredictionRef): ViewState;
  /** What is supposed in its table. */
  supposed(ref: PredictionRef): Typed;
  /** @param typed as it was where it is left out @returns what was saved */
  save(ref: PredictionRef, view: ViewState, typed?: Typed): PanelState;
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
  let typed = saved && { ref: saved as PredictionRef, cells: saved.supposed ?? [], name: saved.supposedName ?? '' };
  const supposedOf = (ref: PredictionRef): Typed => (typed && equal(typed.ref, ref) ? typed : { cells: [], name: '' });
  return {
    view(ref) {
      const state = host.restore();
      return state && equal(state, ref) ? state.view : DEFAULT_VIEW;
    },
    supposed: supposedOf,
    save(ref, view, now) {
      if (now) typed = { ref, ...now };
      const { cells, name } = supposedOf(ref);
      const { predictionId, serviceId } = ref;
      const named = name === '' ? {} : { supposedName: name };
      const supposed = cells.length > 0 ? { supposed: cells, ...named } : {};
      const state = { predictionId, serviceId, view, former, ...supposed };
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
