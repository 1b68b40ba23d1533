import { DAY } from '../../calendar/civil.ts';
import type { Column } from '../columns/column.ts';
import type { Table } from '../columns/table.ts';

const SLOT =
  /^(?:settlement|trading|dispatch|time|market)?[_ ]?(?:period|interval|slot|sp|hh|pte|ptu|half[_ -]?hour(?:ly)?|quarter[_ -]?hour)(?:[_ ]?(?:no|nr|num|number|id|index))?$/i;
/** How many parts a day is cut into. */
const PARTS = [24, 48, 96, 288];

/**
 * A column that numbers the parts of each day from 1 on, such as `SETTLEMENT_PERIOD` of the British market, with the time
 * of day at which each begins. The day on which clocks go back may have an hour more: its last parts are the first of the
 * next day. `undefined` where there is none.
 */
export function findSlots(table: Table): { readonly column: Column; readonly inDay: Float64Array } | undefined {
  for (const column of table.columns) {
    if (!SLOT.test(column.name.trim()) || !column.numbers?.whole || column.filled === 0) continue;
    const { reading } = column.numbers.reading('.');
    const slots = reading.values.all();
    const [low, high] = slots.reduce(([least, most], slot) => [Math.min(least!, slot), Math.max(most!, slot)], [Infinity, 0]); // prettier-ignore
    const parts = PARTS.find((each) => high! >= each - each / 24 && high! <= each + each / 24);
    if (reading.badCount > 0 || low !== 1 || parts === undefined) continue;
    return { column, inDay: slots.map((slot) => ((slot - 1) * DAY) / parts) };
  }
  return undefined;
}
