export { setImmediate as nextTurn } from 'node:timers/promises';

export const unref = (timer: NodeJS.Timeout): NodeJS.Timeout => timer.unref();
