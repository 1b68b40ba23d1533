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
const File = z.object({ isKept: z.boolean(), isNext: z.optional(z.boolean()), made: z.optional(Made) });

/** An entry that cannot be read is dropped; the others stay. */
const Files = z.catch(z.record(z.string(), z.catch(z.optional(File), undefined)), {});
const MOST_OTHERS = 100;

export class KeptFiles implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  has(address = ''): boolean {
    return this.#files[address]?.isKept === true;
  }

  /** The options of the last forecast of a file. */
  made(address: string): Made | undefined {
    return this.#files[address]?.made;
  }

  async keep(address: string, isKept: boolean): Promise<void> {
    if (this.has(address) === isKept) return;
    await this.#set(address, { isKept, isNext: isKept, made: this.made(address) });
    this.#changed.fire();
  }

  /** @param isAgain whether a save made it; others do not change the options of a file that is kept up to date */
  async note(address: string, made: Made, isAgain: boolean): Promise<void> {
    const { isKept = false, isNext = false } = this.#files[address] ?? {};
    if (!isKept || isNext || isAgain) await this.#set(address, { isKept, made });
  }

  dispose(): void {
    this.#changed.dispose();
  }

  get #files(): z.infer<typeof Files> {
    return Files.parse(this.#state.get(KEY));
  }

  async #set(address: string, file: z.infer<typeof File>): Promise<void> {
    const { [address]: _, ...others } = this.#files;
    const all = Object.entries({ ...others, [address]: file });
    const forgotten = all.filter(([, one]) => !one?.isKept).slice(0, -MOST_OTHERS);
    await this.#state.update(KEY, Object.fromEntries(all.filter((one) => !forgotten.includes(one))));
  }
}
