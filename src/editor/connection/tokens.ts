import * as vscode from 'vscode';
import { ServiceError } from '../../client/errors.ts';
import { newToken } from '../../service/store/token.ts';

const PREFIX = 'forecasts.token:';
const WAS_SET = 'forecasts.tokenWasSet:';

/** The tokens in the secret storage, one for each origin. Every method throws {@link ServiceError} where it cannot be used. */
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
    return origin === 'local' ? this.local() : this.#read(origin);
  }

  async set(origin: string, token: string): Promise<void> {
    await reach(origin, () => this.#secrets.store(PREFIX + origin, token));
    await this.#state.update(WAS_SET + origin, true);
  }

  async delete(origin: string): Promise<void> {
    await reach(origin, () => this.#secrets.delete(PREFIX + origin));
    await this.#state.update(WAS_SET + origin, undefined);
  }

  /** Whether a token that was set is gone without a sign-out: then the system has no keyring that keeps it. */
  async wasLost(origin: string): Promise<boolean> {
    return this.#state.get(WAS_SET + origin) === true && (await this.get(origin)) === undefined;
  }

  local(): Promise<string> {
    const make = async (): Promise<string> => {
      const known = await this.#read('local');
      if (known) return known;
      const made = newToken();
      await this.set('local', made);
      // another window may have been quicker
      return (await this.#read('local')) ?? made;
    };
    return (this.#local ??= make().finally(() => {
      this.#local = undefined;
    }));
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
  }

  #read(origin: string): Promise<string | undefined> {
    return reach(origin, () => this.#secrets.get(PREFIX + origin));
  }
}

/** Not with what the storage says: that may be of the token. */
async function reach<T>(origin: string, work: () => Thenable<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const whose = origin === 'local' ? vscode.l10n.t('the local service') : origin;
    const text = vscode.l10n.t(
      'The secret storage of this system, which keeps the token for {0}, cannot be used. Unlock the keyring of the system or restart the editor, then try again.',
      whose,
    );
    throw new ServiceError('unauthorized', text, { cause });
  }
}
