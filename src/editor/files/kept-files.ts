import * as vscode from 'vscode';
import * as z from 'zod/mini';

const KEY = 'forecasts.keptUpToDate';

/** How the forecast of a file was made last, so that the next one is made like it. */
const Made = z.object({
  serviceId: z.string(),
  /** The id of its series in the file. */
  series: z.string(),
  model: z.optional(z.string()),
  horizon: z.optional(z.number()),
  /** In per cent. */
  intervals: z.optional(z.array(z.number())),
  /** Of the numbers that were forecast. */
  fingerprint: z.string(),
});
export type Made = z.infer<typeof Made>;

/** isNext: the next forecast is the one that is made again. */
const KeptFile = z.object({ isKept: z.boolean(), isNext: z.optional(z.boolean()), made: z.optional(Made) });
type KeptFile = z.infer<typeof KeptFile>;

/** What cannot be read of one file is not known; of the others it is. */
const Files = z.catch(z.record(z.string(), z.catch(z.optional(KeptFile), undefined)), {});
/** Files of which it is known how they were forecast, and which are not kept up to date. */
const MOST = 500;

/**
 * The files that are forecast again whenever they are saved, by their addresses; those of a workspace. How they are forecast
 * is kept with them, also while that is stopped, whatever becomes of their forecasts.
 */
export class KeptFiles implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  get all(): readonly string[] {
    return Object.entries(this.#files).flatMap(([address, file]) => (file?.isKept === true ? [address] : []));
  }

  has(address: string | undefined): boolean {
    return address !== undefined && this.#files[address]?.isKept === true;
  }

  /** How a file was forecast last, where it is kept or was. */
  made(address: string): Made | undefined {
    return this.#files[address]?.made;
  }

  async keep(address: string, isKept: boolean): Promise<void> {
    if (this.has(address) === isKept) return;
    await this.#set(address, { isKept, made: this.made(address) });
    this.#changed.fire();
  }

  /** Keeps a file from its next forecast on, which is the one that is made again; until then the last one is. */
  async begin(address: string): Promise<void> {
    await this.#set(address, { isKept: true, isNext: true, made: this.made(address) });
    this.#changed.fire();
  }

  /**
   * Keeps how a file was forecast; nothing of one that was never kept, nor of a forecast beside the one that is made again.
   * @param isAgain whether it is that one, made again
   */
  async note(address: string, made: Made, isAgain: boolean): Promise<void> {
    const file = this.#files[address];
    if (!file || (file.isKept && file.made && !file.isNext && !isAgain)) return;
    await this.#set(address, { isKept: this.has(address), made });
  }

  dispose(): void {
    this.#changed.dispose();
  }

  get #files(): Readonly<Record<string, KeptFile | undefined>> {
    return Files.parse(this.#state.get(KEY));
  }

  async #set(address: string, file: KeptFile): Promise<void> {
    const { [address]: _, ...others } = this.#files;
    const all = [...Object.entries(others), [address, file] as const];
    const paused = all.filter(([, one]) => !one?.isKept);
    const forgotten = new Set(paused.slice(0, Math.max(0, paused.length - MOST)));
    await this.#state.update(KEY, Object.fromEntries(all.filter((one) => !forgotten.has(one))));
  }
}
