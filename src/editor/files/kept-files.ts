import * as vscode from 'vscode';
import * as z from 'zod/mini';

const KEY = 'forecasts.keptUpToDate';

const Made = z.object({
  serviceId: z.string(),
  series: z.string(),
  model: z.optional(z.string()),
  horizon: z.optional(z.number()),
  intervals: z.optional(z.array(z.number())),
  fingerprint: z.string(),
});
export type Made = z.infer<typeof Made>;

/** `isNext`: the next forecast sets the options. */
const KeptFile = z.object({ isKept: z.boolean(), isNext: z.optional(z.boolean()), made: z.optional(Made) });

/** An entry that cannot be read is dropped; the others stay. */
const Files = z.catch(z.record(z.string(), z.catch(z.optional(KeptFile), undefined)), {});
const MOST_PAUSED = 500;

export class KeptFiles implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  has(address: string | undefined): boolean {
    return address !== undefined && this.#files[address]?.isKept === true;
  }

  /** The options of the last forecast of a file that is or was kept up to date. */
  made(address: string): Made | undefined {
    return this.#files[address]?.made;
  }

  async keep(address: string, isKept: boolean, isNext = false): Promise<void> {
    if (this.has(address) === isKept && !isNext) return;
    await this.#set(address, { isKept, ...(isNext ? { isNext } : {}), made: this.made(address) });
    this.#changed.fire();
  }

  /** Of a file that is or was kept up to date. @param isAgain whether a save made it; others do not change its options */
  async note(address: string, made: Made, isAgain: boolean): Promise<void> {
    const file = this.#files[address];
    if (!file || (file.isKept && file.made && !file.isNext && !isAgain)) return;
    await this.#set(address, { isKept: file.isKept, made });
  }

  dispose(): void {
    this.#changed.dispose();
  }

  get #files(): z.infer<typeof Files> {
    return Files.parse(this.#state.get(KEY));
  }

  async #set(address: string, file: z.infer<typeof KeptFile>): Promise<void> {
    const { [address]: _, ...others } = this.#files;
    const all = Object.entries({ ...others, [address]: file });
    const paused = all.filter(([, one]) => !one?.isKept);
    for (const forgotten of paused.slice(0, -MOST_PAUSED)) all.splice(all.indexOf(forgotten), 1);
    await this.#state.update(KEY, Object.fromEntries(all));
  }
}
