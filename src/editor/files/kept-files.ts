import * as vscode from 'vscode';
import * as z from 'zod/mini';

const KEY = 'forecasts.keptUpToDate';
const Addresses = z.catch(z.array(z.string()), []);

/** The files that are forecast again whenever they are saved, by their addresses; those of a workspace. */
export class KeptFiles implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  get all(): readonly string[] {
    return Addresses.parse(this.#state.get(KEY));
  }

  has(address: string | undefined): boolean {
    return address !== undefined && this.all.includes(address);
  }

  async keep(address: string, isKept: boolean): Promise<void> {
    if (this.has(address) === isKept) return;
    const others = this.all.filter((one) => one !== address);
    await this.#state.update(KEY, isKept ? [...others, address] : others);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
