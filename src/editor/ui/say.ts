import * as vscode from 'vscode';
import { AddressError } from '../../client/address.ts';
import { isPassing, ServiceError, type ServiceErrorKind } from '../../client/errors.ts';
import { isBinary } from '../../reading/binary/binary-files.ts';
import { SeriesError } from '../../reading/types.ts';
import { COMMANDS, settingId } from '../names.ts';

export function inBackground(log: Pick<vscode.LogOutputChannel, 'error'>, work: PromiseLike<unknown> | undefined) {
  work?.then(undefined, (error: unknown) =>
    log.error(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  );
}

export const sentenceOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem));

/** Text without the links, of commands too, that VS Code makes of `[text](target)` in notifications and prompts. */
export const plain = (text: string): string => text.replaceAll('](', ']\u200b(');

type Answer = Thenable<string | undefined>;

export const say = {
  error: (message: string, ...buttons: string[]): Answer => vscode.window.showErrorMessage(plain(message), ...buttons),
  warning: (message: string, ...buttons: string[]): Answer =>
    vscode.window.showWarningMessage(plain(message), ...buttons),
  info: (message: string, ...buttons: string[]): Answer =>
    vscode.window.showInformationMessage(plain(message), ...buttons),
  choose: (question: string, ...buttons: string[]): Answer =>
    vscode.window.showWarningMessage(plain(question), { modal: true }, ...buttons),
  confirm: async (question: string, button: string): Promise<boolean> =>
    (await say.choose(question, button)) === button,
};

export function notKept(log: vscode.LogOutputChannel, folder: string): (error: unknown) => void {
  let isSaid = false;
  return (error) => {
    log.warn(`Not kept in ${folder}: ${String(error)}`);
    if (isSaid) return;
    isSaid = true;
    const message = vscode.l10n.t(
      'What this editor remembers about forecasts and models cannot be written to {0} and is lost when the window closes. Forecasts still work.',
      folder,
    );
    inBackground(log, say.warning(message));
  };
}

export interface Work {
  readonly signal: AbortSignal;
  readonly report: (message: string) => void;
}

/** Shows progress with Cancel only for work that takes longer than half a second. @throws Cancelled, and aborts the signal */
export async function withProgress<T>(title: string, work: (work: Work) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  let report: Work['report'] = () => undefined;
  const working = work({ signal: abort.signal, report: (message) => report(message) });
  const late = Symbol('late');
  const timer = new Promise<typeof late>((resolve) => setTimeout(resolve, 500, late));
  const first = await Promise.race([working, timer]);
  if (first !== late) return first as T;
  const options = { location: vscode.ProgressLocation.Notification, title: plain(title), cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    report = (message) => progress.report({ message: plain(message) });
    token.onCancellationRequested(() => abort.abort(new Cancelled()));
    return working;
  });
}

export class Cancelled extends Error {
  constructor() {
    super('Cancelled');
    this.name = 'Cancelled';
  }
}

export class MessageError extends Error {}

interface Logged {
  readonly log: vscode.LogOutputChannel;
}

export interface Way {
  readonly label: string;
  readonly go: () => unknown;
}

const run = (label: string, command: string, ...args: unknown[]): Way => ({
  label,
  go: () => vscode.commands.executeCommand(command, ...args),
});

const setToken = run(vscode.l10n.t('Set Token'), COMMANDS.setToken);
const switchService = run(vscode.l10n.t('Switch Service'), COMMANDS.switchService);
export const ADDRESS_ALONE = 'address';
export const REPAIR = 'repair';

const changeAddress = run(vscode.l10n.t('Change Address'), COMMANDS.switchService, ADDRESS_ALONE);
const settingsOf = (id: string) => run(vscode.l10n.t('Open Settings'), 'workbench.action.openSettings', id);
const showLog = run(vscode.l10n.t('Show Log'), COMMANDS.showLog);
const repairStorage = run(vscode.l10n.t('Repair…'), COMMANDS.manageStorage, REPAIR);
export const tryAgain = run(vscode.l10n.t('Try Again'), COMMANDS.refresh);

export async function showFailure(app: Logged, error: unknown, ...more: Way[]): Promise<void> {
  if (error instanceof Cancelled || (error instanceof Error && error.name === 'AbortError')) return;
  app.log.warn(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  if (error instanceof AddressError)
    return offer(error.message, [...more, switchService, settingsOf(settingId('service'))]);
  if (error instanceof ServiceError) return offer(error.message, [...more, ...(WAYS[error.kind] ?? [])]);
  if (error instanceof SeriesError || error instanceof MessageError) return offer(error.message, more);
  if (error instanceof Error && error.stack) app.log.error(error.stack);
  const text = vscode.l10n.t('That did not work because of a bug in this extension. See its log for details.');
  await offer(text, [...more, showLog]);
}

/** Does work whose failure is shown, and which can be tried again where the failure may pass. */
export async function attempt(app: Logged, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    const again = { label: vscode.l10n.t('Try Again'), go: () => attempt(app, work) };
    await showFailure(app, error, ...(isPassing(error) ? [again] : []));
  }
}

export async function showFileFailure(app: Logged, uri: vscode.Uri, error: unknown, repairs: readonly Way[] = []) {
  if (!(error instanceof SeriesError)) return showFailure(app, error, ...repairs);
  app.log.warn(`SeriesError ${error.reason}: ${error.message}`);
  const { line, column = 1 } = error;
  if (line === undefined || isBinary(uri.path))
    return offer(error.message, [...repairs, run(vscode.l10n.t('Open File'), 'vscode.open', uri)]);
  const at = new vscode.Position(line - 1, column - 1);
  const show = run(vscode.l10n.t('Show Line'), 'vscode.open', uri, { selection: new vscode.Range(at, at) });
  await offer(error.message, [...repairs, show]);
}

const WAYS: Readonly<Partial<Record<ServiceErrorKind, readonly Way[]>>> = {
  unauthorized: [setToken, switchService],
  forbidden: [setToken, switchService],
  untrusted: [settingsOf(settingId('caFiles')), changeAddress],
  unreachable: [changeAddress, switchService],
  'not-a-service': [changeAddress, switchService],
  redirected: [changeAddress, switchService],
  'not-offered': [changeAddress, switchService],
  unavailable: [showLog],
  damaged: [repairStorage, showLog],
};

async function offer(message: string, ways: readonly Way[]): Promise<void> {
  const chosen = await say.error(message, ...ways.map((way) => way.label));
  await ways.find((way) => way.label === chosen)?.go();
}
