import { existsSync } from 'node:fs';

/** The program of a compute thread: beside this one in a bundle, else in the sources. */
export function computeScript(): URL {
  const bundled = new URL('engine.mjs', import.meta.url);
  return existsSync(bundled) ? bundled : new URL('../service/tasks/pool-thread.ts', import.meta.url);
}
