import * as vscode from 'vscode';
import { type AddressError, parseBaseUrl, tokenFault } from '../../client/address.ts';
import { checkService, reportText } from '../../client/check.ts';
import { ServiceError } from '../../client/errors.ts';
import type { App } from '../app.ts';
import { remote, type ServiceInfo, sessionOf } from '../connection/connection.ts';
import { COMMANDS, saveSetting, setting, VIEWS } from '../names.ts';
import { Cancelled, inBackground, say, withProgress } from '../ui/say.ts';
import { alone, askName, askText, askWhole, pickOne, runSteps } from '../ui/steps.ts';
import { describeEntry, type ResourceNode } from '../views/tree/kinds.ts';
import { inDigits } from '../../calendar/digits.ts';
import { runtime } from '#platform/scripts';

const SWITCH = vscode.l10n.t('Switch Service');

export async function checkServiceInUse(app: App, output: vscode.OutputChannel): Promise<void> {
  const { info, client } = app.connection.inUse;
  const checked = await withProgress(vscode.l10n.t('Checking {0}', info.name), ({ signal, report }) =>
    checkService(client, { signal, onProgress: report }),
  );
  const address = info.kind === 'local' ? vscode.l10n.t('on this machine') : checked.baseUrl;
  output.replace(reportText({ ...checked, baseUrl: address }));
  output.show();
  const fault = checked.operations.find(({ usable }) => !usable);
  if (info.kind === 'local' || !fault) return;
  const question = vscode.l10n.t('{0} is not set up correctly. {1}: {2}', info.name, fault.operation, fault.finding);
  const answer = await say.warning(question, ADDRESS, SWITCH);
  if (answer === ADDRESS) await changeAddress(app, checked.elsewhere);
  else if (answer === SWITCH) await switchService(app);
}

export async function switchService(app: App): Promise<void> {
  const inUse = currentId(app);
  const items = app.connection.all.map((service) => ({
    label: `$(${service.kind === 'local' ? 'device-desktop' : 'cloud'}) ${service.name}`,
    description: service.id === inUse ? vscode.l10n.t('in use') : '',
    detail: service.kind === 'local' ? vscode.l10n.t('Runs on this machine; no data leaves it') : service.id,
    service,
  }));
  const remotes = items.filter(({ service }) => service.kind === 'remote');
  const add = { label: vscode.l10n.t('$(add) Add a remote service…') };
  const address = { label: vscode.l10n.t('$(edit) Change the address of the current service…') };
  const remove = { label: vscode.l10n.t('$(trash) Remove a remote service…') };
  const chosen = await pickOne<vscode.QuickPickItem & { service?: ServiceInfo }>({
    place: alone(vscode.l10n.t('Switch Service')),
    placeholder: vscode.l10n.t('Which service should make the forecasts?'),
    items: [
      ...items,
      add,
      ...(setting('service') === 'local' ? [] : [address]),
      ...(remotes.length > 0 ? [remove] : []),
    ],
  });
  if (chosen === remove) {
    const place = alone(vscode.l10n.t('Remove a Remote Service'));
    const placeholder = vscode.l10n.t('Which service should be removed?');
    await removeService(app, (await pickOne({ place, placeholder, items: remotes })).service);
  } else if (chosen === address) await changeAddress(app);
  else if (!chosen.service) await setUp(app, vscode.l10n.t('Add a Remote Service'), { url: '', name: '' }, true);
  else await use(app, chosen.service);
}

async function removeService(app: App, { id, name, origin }: ServiceInfo): Promise<void> {
  const question = vscode.l10n.t(
    'Remove “{0}” ({1}) from this editor, with its token? Nothing is deleted at the service.',
    name,
    id,
  );
  if (!(await say.confirm(question, vscode.l10n.t('Remove')))) return;
  const kept = Object.entries(setting('remoteServices')).filter(([, url]) => remoteId(url) !== id);
  if (currentId(app) === id) await saveSetting('service', 'local');
  await saveSetting('remoteServices', Object.fromEntries(kept));
  if (!app.connection.all.some((service) => service.origin === origin)) await app.tokens.delete(origin);
}

async function use(app: App, { id, kind, name }: ServiceInfo): Promise<void> {
  const named = remoteId(setting('remoteServices')[name] ?? '') === id ? name : id;
  await saveSetting('service', kind === 'local' ? 'local' : named);
  if ((await app.connection.missing()) === 'token') await setToken(app);
}

function currentId(app: App): string | undefined {
  try {
    return app.connection.current.id;
  } catch {
    return undefined;
  }
}

interface Remote {
  readonly url: string;
  readonly name: string;
}

async function setUp(app: App, title: string, start: Remote, isNew: boolean): Promise<void> {
  const { url, name } = await runSteps<Remote>(title, start, [
    async (state, place) => ({
      url: await askText({
        place,
        value: state.url,
        prompt: vscode.l10n.t('The base URL of the service'),
        placeholder: 'https://forecasts.example.com/v1',
        check: addressFault,
      }),
    }),
    isNew &&
      (async (state, place) => ({
        name: await askName({
          place,
          prompt: vscode.l10n.t('What should the service be called here?'),
          value: state.name || parseBaseUrl(state.url).host,
          most: Infinity,
          taken: nameFault,
        }),
      })),
  ]);
  const service = remote(url, name);
  const known = await app.tokens.get(service.origin);
  const { token, address = url } = await settleToken(app, service, known, known !== undefined);
  if (token === undefined) return setUp(app, title, { url: address, name }, isNew);
  if (token !== known) await app.tokens.set(service.origin, token);
  await saveSetting('remoteServices', { ...setting('remoteServices'), [service.name]: service.id });
  if (setting('service') !== service.name) await saveSetting('service', service.name);
}

export async function changeAddress(app: App, proposed?: string): Promise<void> {
  const now = setting('service');
  const named = setting('remoteServices')[now];
  const url = proposed ?? named ?? (now === 'local' ? '' : now);
  await setUp(app, vscode.l10n.t('Change Address'), { url, name: named === undefined ? '' : now }, false);
}

function nameFault(name: string): string | undefined {
  if (name === 'local' || name === 'remote') return vscode.l10n.t('This name is reserved. Enter another.');
  const taken = setting('remoteServices')[name];
  return taken === undefined ? undefined : vscode.l10n.t('{0} already has this name. Enter another.', taken);
}

function addressFault(text: string): string | undefined {
  try {
    parseBaseUrl(text);
    return undefined;
  } catch (error) {
    return (error as AddressError).message;
  }
}

const remoteId = (url: string): string | undefined =>
  addressFault(url) === undefined ? parseBaseUrl(url).href : undefined;

export async function setToken(app: App): Promise<void> {
  const service = app.connection.current;
  if (service.kind === 'remote') await storeToken(app, service);
  else await say.info(vscode.l10n.t('The local service creates its own token. Switch to a remote service to set one.'));
}

export async function useKey(app: App, node: ResourceNode): Promise<void> {
  const info = app.connection.session(node.serviceId)?.info;
  if (node.kind !== 'key' || node.item.secret === undefined || info?.kind !== 'remote') return;
  const { label } = describeEntry(node);
  const message = vscode.l10n.t('Use “{0}” as the token of {1}? It replaces the current token.', label, info.name);
  if (await say.confirm(message, vscode.l10n.t('Use Key'))) await storeToken(app, info, node.item.secret);
}

async function storeToken(app: App, service: ServiceInfo, token?: string): Promise<void> {
  const outcome = await settleToken(app, service, token);
  if (outcome.token === undefined) await changeAddress(app, outcome.address);
  else await app.tokens.set(service.origin, outcome.token);
}

export async function signOut(app: App): Promise<void> {
  const { kind, origin } = app.connection.current;
  if (kind === 'remote') await app.tokens.delete(origin);
  else await say.info(vscode.l10n.t('The local service has no account to sign out of.'));
}

export async function createKey(app: App): Promise<void> {
  const { client } = await app.connection.ready();
  const place = alone(vscode.l10n.t('Create Key'));
  const name = await askName({ place, prompt: vscode.l10n.t('What is the key for?'), most: 100 });
  await client.do('createKey', { body: { name } });
  await app.trees.get(VIEWS.keys)?.refresh();
}

/** Until a token is accepted or kept, or another address is wanted: that of the service's description. @throws Cancelled */
async function settleToken(
  app: App,
  service: ServiceInfo,
  first?: string,
  isKept = false,
): Promise<{ readonly token?: string; readonly address?: string | undefined }> {
  let token = first ?? (await askToken(app, service));
  for (let isStored = isKept; ;) {
    const client = app.connection.trial(service, token);
    try {
      await withProgress(vscode.l10n.t('Checking the token with {0}', service.name), ({ signal }) =>
        client.listPredictions({ size: 1, signal }),
      );
      if (!isStored) inBackground(app.log, say.info(vscode.l10n.t('{0} accepts the token.', service.name)));
      return { token };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { kind, message } = error;
      const isElsewhere = ['not-offered', 'not-a-service', 'redirected', 'not-found'].includes(kind);
      const address = isElsewhere ? await client.elsewhere().catch(() => undefined) : undefined;
      const hint = address === undefined ? '' : vscode.l10n.t('Its description names {0}.', address);
      const sentence = isStored ? message : vscode.l10n.t('The token was not saved. {0}', message);
      const other = isElsewhere ? [ADDRESS, AGAIN, KEEP] : [AGAIN, ADDRESS, KEEP];
      const isRefused = kind === 'unauthorized' || kind === 'forbidden';
      const answer = await say.error(`${sentence} ${hint}`.trim(), ...(isRefused ? [ANOTHER, KEEP_ANYWAY] : other));
      if (answer === undefined) throw new Cancelled();
      if (answer === ADDRESS) return { address };
      if (answer === KEEP || answer === KEEP_ANYWAY) return { token };
      if (answer === AGAIN) continue;
      token = await askToken(app, service);
      isStored = false;
    }
  }
}

async function askToken(app: App, { name, origin }: ServiceInfo): Promise<string> {
  const lost = vscode.l10n.t(
    'The token of an earlier session was lost: without a system keyring, a token lasts for one session only. It is sent only to {0}.',
    origin,
  );
  const kept = vscode.l10n.t(
    'The token is stored in this editor’s secret storage (without a system keyring for this session only), and sent only to {0}.',
    origin,
  );
  return askText({
    place: alone(vscode.l10n.t('Set Token for {0}', name)),
    prompt: (await app.tokens.wasLost(origin)) ? lost : kept,
    password: true,
    check: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a token.') : tokenFault(text.trim())),
  });
}

const KEEP = vscode.l10n.t('Keep the Token');
const KEEP_ANYWAY = vscode.l10n.t('Keep It Anyway');
const ANOTHER = vscode.l10n.t('Enter Another');
const ADDRESS = vscode.l10n.t('Change Address');
const AGAIN = vscode.l10n.t('Try Again');

export async function manageStorage(app: App): Promise<void> {
  const { client } = sessionOf(app.connection, 'local');
  const stored = await withProgress(vscode.l10n.t('Reading the stored forecasts'), ({ signal }) =>
    client.do('getStorage', { signal }),
  );
  const { bytes, free_bytes: free = 0, predictions = 0, datasets = 0 } = stored;
  const used = vscode.l10n.t('{0} predictions and {1} datasets in {2}', predictions, datasets, sizeText(bytes));
  const days = setting('keepPredictionsForDays');
  const keep = {
    label: vscode.l10n.t('$(history) Keep Predictions for…'),
    description: days === 0 ? vscode.l10n.t('now: forever') : vscode.l10n.t('now: {0} days', days),
    detail: vscode.l10n.t('Older predictions are deleted and their disk space is freed'),
  };
  const copy = { label: vscode.l10n.t('$(copy) Copy Folder Path'), detail: app.folder };
  const repair = {
    label: vscode.l10n.t('$(tools) Repair…'),
    detail: vscode.l10n.t('Keeps the database as a backup and copies everything readable into a new one'),
  };
  const chosen = await pickOne<vscode.QuickPickItem>({
    place: alone(vscode.l10n.t('Stored Forecasts on This Machine')),
    placeholder: free < 1e6 ? used : vscode.l10n.t('{0}, of which {1} is free', used, sizeText(free)),
    // a browser shows nobody its files
    items: runtime === undefined ? [keep, repair] : [keep, copy, repair],
  });
  if (chosen === copy) await vscode.env.clipboard.writeText(app.folder);
  else if (chosen === repair) await repairStorage(app);
  else await chooseDays(predictions);
}

const sizeText = (bytes: number): string => `${inDigits(bytes / 1e6, bytes < 1e7 ? 1 : 0)} MB`;

const MOST_DAYS = 36_500;

async function chooseDays(predictions: number): Promise<void> {
  const prompt = vscode.l10n.t('Days after which finished predictions are deleted; 0 keeps them forever');
  const place = alone(vscode.l10n.t('Keep Predictions for…'));
  const days = await askWhole({ place, prompt, value: String(setting('keepPredictionsForDays')) }, 0, MOST_DAYS);
  const question = vscode.l10n.t(
    'Delete predictions of the local service {0} days after they were made? Older ones are deleted now.',
    days,
  );
  if (days > 0 && predictions > 0 && !(await say.confirm(question, vscode.l10n.t('Delete')))) return;
  await saveSetting('keepPredictionsForDays', days === 0 ? undefined : days);
}

export async function repairStorage(app: App): Promise<void> {
  const question = vscode.l10n.t(
    'Repair the stored forecasts on this machine? The database is kept as a backup, and everything readable is copied into a new one. Nothing is deleted; running jobs start over.',
  );
  if (!(await say.confirm(question, vscode.l10n.t('Repair')))) return;
  const { aside, tables } = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Repairing the stored forecasts') },
    () => app.connection.repairLocal(),
  );
  await vscode.commands.executeCommand(COMMANDS.refresh);
  if (aside === undefined) {
    await say.info(vscode.l10n.t('Nothing is stored yet, so there is nothing to repair.'));
    return;
  }
  const saved = (name: string): number => tables.find((table) => table.name === name)?.saved ?? 0;
  const lost = tables.reduce((sum, table) => sum + table.lost, 0);
  const counts = vscode.l10n.t(
    'Recovered: {0} predictions, {1} datasets, and {2} models.',
    saved('predictions'),
    saved('datasets'),
    saved('fine_tuned_models'),
  );
  const losses = lost === 0 ? vscode.l10n.t('Nothing was lost.') : vscode.l10n.t('{0} rows could not be read.', lost);
  const path = vscode.l10n.t('Copy Path');
  const backup = vscode.l10n.t('The previous database is kept as {0}.', aside);
  if ((await say.info(`${counts} ${losses} ${backup}`, path)) === path) await vscode.env.clipboard.writeText(aside);
}
