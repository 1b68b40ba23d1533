import * as vscode from 'vscode';
import { newToken } from '../../service/store/token.ts';

const PREFIX = 'forecasts.token:';
const WAS_SET = 'forecasts.tokenWasSet:';

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

  readonly onDidChange = this.#changed.event;

  /** That of the local service is created at its first use. */
  async get(origin: string): Promise<string | undefined> {
    return origin === 'local' ? this.local() : this.#secrets.get(PREFIX + origin);
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
    const make = async (): Promise<string> => {
      const known = await this.#secrets.get(PREFIX + 'local');
      if (known) return known;
      const made = newToken();
      await this.set('local', made);
      // another window may have been quicker
      return (await this.#secrets.get(PREFIX + 'local')) ?? made;
    };
    return (this.#local ??= make().finally(() => {
      this.#local = undefined;
    }));
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
  }
}
