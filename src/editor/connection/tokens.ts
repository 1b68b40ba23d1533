import * as vscode from 'vscode';
import { newToken } from '../../service/store/token.ts';

const PREFIX = 'forecasts.token:';
const WAS_SET = 'forecasts.tokenWasSet:';

/** A token per origin, in the editor's secret storage. The local service has the origin `local`. */
export class Tokens implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<string>();
  readonly #listener: vscode.Disposable;
  #local: Promise<string> | undefined;

  /** @param state remembers for which origins a token was set, never the token */
  constructor(secrets: vscode.SecretStorage, state: vscode.Memento) {
    this.#secrets = secrets;
    this.#state = state;
    this.#listener = secrets.onDidChange(({ key }) => {
      if (key.startsWith(PREFIX)) this.#changed.fire(key.slice(PREFIX.length));
    });
  }

  /** The origin whose token was set or deleted, in this window or another. */
  readonly onDidChange = this.#changed.event;

  async get(origin: string): Promise<string | undefined> {
    return this.#secrets.get(PREFIX + origin);
  }

  async set(origin: string, token: string): Promise<void> {
    await this.#secrets.store(PREFIX + origin, token);
    await this.#state.update(WAS_SET + origin, true);
  }

  async delete(origin: string): Promise<void> {
    await this.#secrets.delete(PREFIX + origin);
    await this.#state.update(WAS_SET + origin, undefined);
  }

  /** Whether a token that was set is gone without a sign-out: then the system has no keyring that keeps it. */
  async wasLost(origin: string): Promise<boolean> {
    return this.#state.get(WAS_SET + origin) === true && (await this.get(origin)) === undefined;
  }

  local(): Promise<string> {
    return (this.#local ??= this.#makeLocal().finally(() => {
      this.#local = undefined;
    }));
  }

  async #makeLocal(): Promise<string> {
    const known = await this.get('local');
    if (known) return known;
    const made = newToken();
    await this.set('local', made);
    // another window may have been quicker
    return (await this.get('local')) ?? made;
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
  }
}
