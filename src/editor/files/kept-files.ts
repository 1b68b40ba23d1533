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

const Files = z.catch(z.record(z.string(), z.object({ isKept: z.boolean(), made: z.optional(Made) })), {});
/** Files of which it is known how they were forecast, kept or not. */
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

  /** Keeps a file from its next forecast on, which is the one that is made again. */
  async begin(address: string): Promise<void> {
    await this.#set(address, { isKept: true, made: undefined });
    this.#changed.fire();
  }

  /**
   * Keeps how a file was forecast; nothing of one that was never kept, nor of a forecast beside the one that is made again.
   * @param isAgain whether it is that one, made again
   */
  async note(address: string, made: Made, isAgain: boolean): Promise<void> {
    if (!(address in this.#files) || (this.has(address) && this.made(address) && !isAgain)) return;
    await this.#set(address, { isKept: this.has(address), made });
  }

  dispose(): void {
    this.#changed.dispose();
  }

  get #files(): Readonly<Partial<z.infer<typeof Files>>> {
    return Files.parse(this.#state.get(KEY));
  }

  async #set(address: string, file: { isKept: boolean; made: Made | undefined }): Promise<void> {
    const { [address]: _, ...others } = this.#files;
    const all = [...Object.entries(others), [address, file] as const].slice(-MOST);
    await this.#state.update(KEY, Object.fromEntries(all));
  }
}
