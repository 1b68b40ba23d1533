import { isRecord } from '../../editor/views/shared/protocol.ts';
import { COLUMNS, type Order, USUAL_ORDER } from './order.ts';

/** What a person has chosen of a page of many forecasts. */
export interface ManyState {
  readonly order: Order;
  readonly filter: string;
  /** How far it is scrolled, in pixels. */
  readonly top: number;
  readonly selected: readonly string[];
}

/** Reads what a page kept; what is unreadable in it is as at first. */
export function readState(value: unknown): ManyState {
  const { order, filter, top, selected } = isRecord(value) ? value : {};
  const { column, isDescending } = isRecord(order) ? order : {};
  const known = COLUMNS.find((one) => one === column);
  return {
    order: known ? { column: known, isDescending: isDescending === true } : USUAL_ORDER,
    filter: typeof filter === 'string' ? filter : '',
    top: typeof top === 'number' && top >= 0 ? top : 0,
    selected: Array.isArray(selected) ? selected.filter((id) => typeof id === 'string') : [],
  };
}
