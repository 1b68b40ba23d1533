import type { App } from '../app.ts';
import { describeEntry } from '../views/tree/describe.ts';
import { loadModels } from '../views/tree/sources.ts';

/** The service takes no longer names. */
export const LONGEST_NAME = 200;

/** More pages of models would keep the person waiting for a name. */
const MOST_PAGES = 20;

/** The names that fine-tuned models have already, as far as they are known. @throws ServiceError */
export async function namesOfModels(app: App): Promise<ReadonlySet<string>> {
  const { client } = await app.connection.ready();
  const { signal } = new AbortController();
  const names = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const { items, next } = await loadModels(client, { cursor, signal }, app);
    for (const entry of items) if (entry.kind === 'fineTunedModel') names.add(describeEntry(entry, Date.now()).name);
    if (next === undefined || next === cursor) break;
    cursor = next;
  }
  return names;
}

/** This name, or where a model has it already the first one after it that none has: “theta on retail.csv 2”. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const plain = name.slice(0, LONGEST_NAME);
  for (let number = 2, free = plain; ; number++) {
    if (!taken.has(free)) return free;
    const end = ` ${String(number)}`;
    free = `${plain.slice(0, LONGEST_NAME - end.length)}${end}`;
  }
}
