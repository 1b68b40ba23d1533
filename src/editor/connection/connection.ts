import { keepsFiles, type Place, within } from '#platform/shelf';
import { addressOf, type Script } from '#platform/threads';
import * as vscode from 'vscode';
import type { Capabilities } from '../../client/capabilities.ts';
import { AddressError, parseBaseUrl } from '../../client/address.ts';
import { ServiceClient } from '../../client/client.ts';
import { messageOf, ServiceError } from '../../client/errors.ts';
import { type ClientOptions, Learned } from '../../client/operations.ts';
import { Poller } from '../../client/poller.ts';
import type { LocalFineTunedModel, LocalPrediction } from '../../contract/resources.ts';
import { ServiceThread, ServiceUnavailableError } from '../../service/host/service-thread.ts';
import type { Repair } from '../../service/database/sqlite.ts';
import { inBackground, say } from '../ui/say.ts';
import { COMMANDS, CONTEXTS, setting, touches } from '../names.ts';
import { Records } from './memory.ts';
import { readText } from '#platform/files';
import { fetchTelling, fetchWith } from '#platform/trusting-fetch';
import { newToken } from '../../service/store/token.ts';
import { watchDatabases } from '#platform/watch';

export interface ServiceInfo {
  readonly id: string;
  readonly kind: 'local' | 'remote';
  readonly name: string;
  readonly origin: string;
}

export interface Session {
  readonly info: ServiceInfo;
  readonly client: ServiceClient;
  readonly predictions: Poller<LocalPrediction>;
  readonly models: Poller<LocalFineTunedModel>;
}

const LOCAL: ServiceInfo = { id: 'local', kind: 'local', name: vscode.l10n.t('Local forecasts'), origin: 'local' };

interface ConnectionOptions {
  readonly tokens: Tokens;
  readonly serviceScript: Script;
  readonly computeScript: Script;
  readonly folder: string;
  readonly place: Place;
  readonly log: vscode.LogOutputChannel;
}

export class Connection implements vscode.Disposable {
  readonly #options: ConnectionOptions;
  readonly #thread: ServiceThread;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #disposables: vscode.Disposable[];
  readonly #sessions = new Map<string, Session>();
  readonly #learned: Records<typeof Learned>;

  constructor(options: ConnectionOptions) {
    const { tokens, serviceScript, computeScript, folder, place, log } = options;
    this.#options = options;
    this.#learned = new Records(within(place, 'learned'), Learned, 50, (error) => log.warn(String(error)));
    const start = async () => {
      const fleeting = vscode.l10n.t(
        'This window cannot store files, as in private browsing. Forecasts work, but are lost when it closes.',
      );
      if (!(await keepsFiles())) inBackground(log, say.warning(fleeting));
      const token = await tokens.local();
      return {
        folder,
        computeScript: await addressOf(computeScript),
        token,
        keepDays: setting('keepPredictionsForDays'),
      };
    };
    this.#thread = new ServiceThread(serviceScript, start, (text) => log.error(`Local service: ${text}`));
    this.#disposables = [
      this.#changed,
      tokens.onDidChange((origin) => inBackground(log, this.#onToken(origin))),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (touches(event, 'caFiles')) this.#forget();
        if (touches(event, 'keepPredictionsForDays'))
          inBackground(log, this.#thread.keepFor(setting('keepPredictionsForDays')));
        if (touches(event, 'service', 'remoteServices', 'caFiles')) this.#announce();
      }),
    ];
    this.#showState();
  }

  readonly onDidChange = this.#changed.event;

  /** The service in use. @throws AddressError where a remote service is chosen without a usable base URL */
  get current(): ServiceInfo {
    const named = setting('service');
    if (named === 'local') return LOCAL;
    const url = setting('remoteServices')[named] ?? (URL.canParse(named) ? named : undefined);
    if (url !== undefined) return this.#named(remote(url));
    throw new AddressError(vscode.l10n.t('No service “{0}” is set up here. Choose another, or add it again.', named));
  }

  get all(): ServiceInfo[] {
    const inUse = setting('service');
    const found = new Map([[LOCAL.id, LOCAL]]);
    const named = Object.entries(setting('remoteServices'));
    for (const [name, url] of URL.canParse(inUse) ? [...named, ['', inUse] as const] : named) {
      try {
        const service = remote(url, name);
        if (!found.has(service.id) || name === inUse) found.set(service.id, service);
      } catch {
        // not an address
      }
    }
    return [...found.values()];
  }

  get inUse(): Session {
    return this.#sessionOf(this.current);
  }

  async repairLocal(): Promise<Repair> {
    try {
      return await this.#thread.repair();
    } catch (error) {
      if (error instanceof ServiceUnavailableError) throw new ServiceError('unavailable', messageOf(error.failure));
      throw error;
    }
  }

  /** The service in use, once it can be asked. @throws AddressError; ServiceError where it needs a token first */
  async ready(): Promise<Session> {
    const session = this.inUse;
    if ((await this.missing()) !== 'token') return session;
    const text = vscode.l10n.t('{0} needs a token. Set one, then try again.', session.info.name);
    throw new ServiceError('unauthorized', text);
  }

  showOffers(offers: Capabilities): void {
    this.#show(CONTEXTS.noNewKeys, !offers.has('createKey'));
    this.#show(CONTEXTS.noNewDatasets, !offers.has('createDataset'));
  }

  #show(context: string, value: unknown): void {
    inBackground(this.#options.log, vscode.commands.executeCommand('setContext', context, value));
  }

  session(serviceId: string): Session | undefined {
    const info = this.all.find((service) => service.id === serviceId);
    return info && this.#sessionOf(info);
  }

  trial(info: ServiceInfo, token: string): ServiceClient {
    return new ServiceClient(this.#clientOptions(info, () => Promise.resolve(token)));
  }

  async missing(): Promise<'url' | 'token' | undefined> {
    try {
      const { kind, origin } = this.current;
      return kind === 'local' || (await this.#options.tokens.get(origin)) ? undefined : 'token';
    } catch (error) {
      if (error instanceof AddressError) return 'url';
      throw error;
    }
  }

  dispose(): void {
    this.#forget();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** Ends the local service for good; what waits there goes on at the next start of the editor. */
  stop(): Promise<void> {
    return this.#thread.close();
  }

  #sessionOf(info: ServiceInfo): Session {
    const known = this.#sessions.get(info.id);
    if (known) return known;
    const { tokens, log } = this.#options;
    const onProblem = (error: unknown): void => inBackground(log, Promise.reject(error as Error));
    const named = () => this.#named(info);
    const client = new ServiceClient(this.#clientOptions(info, () => tokens.get(info.origin)));
    const session: Session = {
      get info() {
        return named();
      },
      client,
      predictions: new Poller((ids, signal) => client.findPredictions(ids, signal), undefined, onProblem),
      models: new Poller((ids, signal) => client.findModels(ids, signal), undefined, onProblem),
    };
    this.#sessions.set(info.id, session);
    return session;
  }

  #named(info: ServiceInfo): ServiceInfo {
    return this.all.find(({ id }) => id === info.id) ?? info;
  }

  #clientOptions(info: ServiceInfo, token: () => Promise<string | undefined>): ClientOptions {
    if (info.kind === 'local') {
      const name = vscode.l10n.t('The local service');
      return { baseUrl: new URL('http://localhost'), name, fetch: this.#thread.fetch, token };
    }
    const { log } = this.#options;
    const learned = this.#learned;
    const named = () => this.#named(info).name;
    const caFile = setting('caFiles')[named()] ?? setting('caFiles')[info.id];
    return {
      baseUrl: parseBaseUrl(info.id),
      get name() {
        return named();
      },
      fetch: caFile ? fetchTrusting(caFile) : fetchRemote(named),
      token,
      isAsync: true,
      learned: { get: () => learned.get(info.id), set: (now) => learned.set(info.id, now) },
      log: (line) => log.info(`${named()}: ${line}`),
      onLearned: (sentence) => inBackground(log, say.info(`${named()}: ${sentence}`)),
    };
  }

  async #onToken(origin: string): Promise<void> {
    if (origin === 'local') await this.#thread.stop();
    for (const session of this.#sessions.values()) if (session.info.origin === origin) askAgain(session);
    this.#announce();
  }

  #announce(): void {
    this.#showState();
    this.#changed.fire();
  }

  #forget(): void {
    for (const { predictions, models } of this.#sessions.values()) {
      predictions.stop();
      models.stop();
    }
    this.#sessions.clear();
  }

  #showState(): void {
    this.#show(CONTEXTS.service, setting('service') === 'local' ? 'local' : 'remote');
    const showMissing = async () => this.#show(CONTEXTS.missing, await this.missing());
    inBackground(this.#options.log, showMissing());
  }
}

export function sessionOf(connection: Pick<Connection, 'session'>, serviceId: string): Session {
  const session = connection.session(serviceId);
  if (session) return session;
  const gone = vscode.l10n.t('{0} is no longer set up. Add that service again to see what is from it.', serviceId);
  throw new ServiceError('not-found', gone);
}

/** The session of what is forecast again. @throws ServiceError while another service is in use, to which nothing goes */
export function sessionInUse({ current, inUse }: Pick<Connection, 'current' | 'inUse'>, serviceId: string): Session {
  if (serviceId === current.id) return inUse;
  const sentence = vscode.l10n.t('This belongs to a different service. Switch to that service first.');
  throw new ServiceError('refused', sentence);
}

export function askAgain({ client, predictions, models }: Session): void {
  client.forgetCapabilities();
  predictions.resume();
  models.resume();
}

export function remote(url: string, name = ''): ServiceInfo {
  const { href, host, origin } = parseBaseUrl(url);
  return { id: href, kind: 'remote', name: name || host, origin };
}

/** The platform’s `fetch`. Where a browser hides an answer from a page, the error names the header that is missing. */
const fetchRemote = (name: () => string): typeof fetch =>
  fetchTelling((header) => {
    const hidden = vscode.l10n.t(
      '{0} answers, but the browser blocks the answer. Ask its operator to send the header “{1}”.',
      name(),
      header,
    );
    return new ServiceError('unreachable', hidden);
  });

export const fetchTrusting = (file: string): typeof fetch => {
  const authorities = () => {
    try {
      return readText(file);
    } catch (error) {
      const { code = '' } = error as { code?: string };
      const unread = vscode.l10n.t(
        'Cannot read the file of certificate authorities {0} ({1}). Check the setting forecasts.caFiles.',
        file,
        code,
      );
      throw new ServiceError('untrusted', unread);
    }
  };
  const isOfSystem = () => vscode.workspace.getConfiguration().get('http.systemCertificates') !== false;
  return fetchWith(authorities, isOfSystem);
};

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

export function statusBar(connection: Connection): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('forecasts.service', vscode.StatusBarAlignment.Right, 90);
  item.name = vscode.l10n.t('Forecast Service');
  item.command = COMMANDS.switchService;
  const paint = () => {
    try {
      const { kind, name, id } = connection.current;
      item.text = `$(pulse) ${name}`;
      item.tooltip =
        kind === 'local'
          ? vscode.l10n.t('Forecasts are made on this machine. Click to switch.')
          : vscode.l10n.t('Forecast service: {0}. Click to switch.', id);
    } catch (error) {
      item.text = vscode.l10n.t('$(warning) No forecast service');
      item.tooltip = error instanceof Error ? error.message : String(error);
    }
  };
  paint();
  item.show();
  return vscode.Disposable.from(item, connection.onDidChange(paint));
}

const DEBOUNCE = 500;

export function watchStore(folder: string, onChange: () => void, onProblem: (problem: unknown) => void) {
  let watcher: { close(): void } | undefined;
  let timer: NodeJS.Timeout | undefined;
  const changed = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      onChange();
    }, DEBOUNCE);
  };
  return {
    start(): void {
      try {
        watcher ??= watchDatabases(folder, changed, onProblem);
      } catch (problem) {
        onProblem(problem);
      }
    },
    dispose(): void {
      watcher?.close();
      clearTimeout(timer);
    },
  };
}
