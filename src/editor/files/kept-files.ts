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
  isKept: z.optional(z.boolean()),
});
export type Made = z.infer<typeof Made>;

/** An entry that cannot be read is dropped; the others stay. */
const Files = z.catch(z.record(z.string(), z.catch(z.optional(Made), undefined)), {});
const MOST_OTHERS = 100;

export class KeptFiles implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  has(address = ''): boolean {
    return this.made(address)?.isKept === true;
  }

  made(address: string): Made | undefined {
    return this.#files[address];
  }

  async keep(address: string, isKept: boolean): Promise<void> {
    const made = this.made(address);
    if (!made || this.has(address) === isKept) return;
    await this.#set(address, { ...made, isKept });
    this.#changed.fire();
  }

  /** @param isAgain whether a save made it; others do not change the options of a file that is kept up to date */
  async note(address: string, made: Made, isAgain: boolean): Promise<void> {
    const isKept = this.has(address);
    if (!isKept || isAgain) await this.#set(address, { ...made, isKept });
  }

  dispose(): void {
    this.#changed.dispose();
  }

  get #files(): z.infer<typeof Files> {
    return Files.parse(this.#state.get(KEY));
  }

  async #set(address: string, made: Made): Promise<void> {
    const { [address]: _, ...others } = this.#files;
    const all = Object.entries({ ...others, [address]: made });
    const forgotten = all.filter(([, one]) => !one?.isKept).slice(0, -MOST_OTHERS);
    await this.#state.update(KEY, Object.fromEntries(all.filter((one) => !forgotten.includes(one))));
  }
}
