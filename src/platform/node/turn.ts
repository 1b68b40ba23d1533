/** Resolves when others have had their turn. */
export { setImmediate as nextTurn } from 'node:timers/promises';

/** Keeps no program running for a timer. */
export const unref = (timer: NodeJS.Timeout): NodeJS.Timeout => timer.unref();
