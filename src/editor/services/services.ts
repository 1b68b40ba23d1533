import * as vscode from 'vscode';
import { AddressError, parseBaseUrl, tokenFault } from '../../client/address.ts';
import { checkService, reportText } from '../../client/check.ts';
import { ServiceError } from '../../client/errors.ts';
import type { App } from '../app.ts';
import { remote, type ServiceInfo } from '../connection/connection.ts';
import { saveSetting, setting } from '../connection/settings.ts';
import { VIEWS } from '../names.ts';
import { inBackground } from '../ui/background.ts';
import { Cancelled } from '../ui/failure.ts';
import { withPatience } from '../ui/progress.ts';
import type { Reports } from '../ui/reports.ts';
import { say } from '../ui/say.ts';
import { alone, askName, askText, pickOne, type Place, runSteps } from '../ui/steps.ts';
import { describeEntry, type ResourceNode } from '../views/tree/kinds.ts';

const SWITCH = vscode.l10n.t('Switch Service');

/**
 * Calls the operations of the service in use, and shows what was found. A remote service that cannot be used is not left in
 * use without a word. @throws AddressError
 */
export async function checkServiceInUse(app: App, reports: Reports): Promise<void> {
  const { info, client } = app.connection.inUse;
  const checked = await withPatience(vscode.l10n.t('Checking {0}', info.name), (signal, report) =>
    checkService(client, { signal, onProgress: report }),
  );
  const address = info.kind === 'local' ? vscode.l10n.t('on this machine') : checked.baseUrl;
  await reports.show(vscode.l10n.t('Check of {0}.txt', info.name), reportText({ ...checked, baseUrl: address }));
  const fault = checked.operations.find(({ usable }) => !usable);
  if (info.kind === 'local' || !fault) return;
  const question = vscode.l10n.t('{0} is not set up correctly. {1}: {2}', info.name, fault.operation, fault.finding);
  const answer = await say.warning(question, ADDRESS, SWITCH);
  if (answer === ADDRESS) await changeAddress(app, checked.elsewhere);
  else if (answer === SWITCH) await switchService(app);
}

interface ServiceItem extends vscode.QuickPickItem {
  readonly service?: ServiceInfo;
}

/** Chooses which service is in use, adds one or removes one. @throws Cancelled */
export async function switchService(app: App): Promise<void> {
  const inUse = currentId(app);
  const items = app.connection.all.map((service): ServiceItem & { service: ServiceInfo } => ({
    label: `$(${service.kind === 'local' ? 'device-desktop' : 'cloud'}) ${service.name}`,
    description: service.id === inUse ? vscode.l10n.t('in use') : '',
    detail: service.kind === 'local' ? vscode.l10n.t('Runs on this machine; no data leaves it') : service.id,
    service,
  }));
  const remotes = items.filter(({ service }) => service.kind === 'remote');
  const add: ServiceItem = { label: vscode.l10n.t('$(add) Add a remote service…') };
  const address: ServiceItem = { label: vscode.l10n.t('$(edit) Change the address of the current service…') };
  const remove: ServiceItem = { label: vscode.l10n.t('$(trash) Remove a remote service…') };
  const chosen = await pickOne({
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
    const placeholder = vscode.l10n.t('Which service should be removed?');
    const { service } = await pickOne({
      place: alone(vscode.l10n.t('Remove a Remote Service')),
      placeholder,
      items: remotes,
    });
    await removeService(app, service);
  } else if (chosen === address) await changeAddress(app);
  else if (!chosen.service) await addService(app);
  else await use(app, chosen.service);
}

/** Forgets a service here, after asking, with its token unless another service has the same origin. */
async function removeService(app: App, { id, name, origin }: ServiceInfo): Promise<void> {
  const question = vscode.l10n.t(
    'Remove “{0}” ({1}) from this editor, with its token? Nothing is deleted at the service.',
    name,
    id,
  );
  if (!(await say.confirm(question, vscode.l10n.t('Remove')))) return;
  const isThis = (url: string): boolean => remoteId(url) === id;
  const kept = Object.entries(setting('remoteServices')).filter(([, url]) => !isThis(url));
  if (currentId(app) === id) await saveSetting('service', 'local');
  await saveSetting('remoteServices', Object.fromEntries(kept));
  if (!app.connection.all.some((service) => service.origin === origin)) await app.tokens.delete(origin);
}

export async function use(app: App, { id, kind }: ServiceInfo): Promise<void> {
  const named = Object.entries(setting('remoteServices')).find(([, url]) => remoteId(url) === id)?.[0];
  await saveSetting('service', kind === 'local' ? 'local' : (named ?? id));
  if ((await app.connection.missing()) === 'token') await setToken(app);
}

function currentId(app: App): string | undefined {
  try {
    return app.connection.current.id;
  } catch {
    return undefined;
  }
}

interface Named {
  readonly url: string;
  readonly name: string;
}

/** Adds a remote service and uses it, once its token is accepted or kept: until then the one before stays in use. */
export async function addService(app: App, start: Named = { url: '', name: '' }): Promise<void> {
  const { url, name } = await runSteps<Named>(vscode.l10n.t('Add a Remote Service'), start, [
    async (state, place) => ({ url: await askAddress(place, state.url) }),
    async (state, place) => ({
      name: await askText({
        place,
        prompt: vscode.l10n.t('What should the service be called here?'),
        value: state.name || parseBaseUrl(state.url).host,
        check: nameFault,
      }),
    }),
  ]);
  const other = await keepOnceAccepted(app, url, name);
  if (other) await addService(app, { url: other.address ?? url, name });
}

/**
 * Gives the service in use another address; its token is asked for where the address is of another origin.
 * @param proposed the address to begin with, instead of the one it has
 */
export async function changeAddress(app: App, proposed?: string): Promise<void> {
  const now = setting('service');
  const before = setting('remoteServices')[now] ?? (now === 'local' ? '' : now);
  const url = await askAddress(alone(vscode.l10n.t('Change Address')), proposed ?? before);
  const name = now in setting('remoteServices') ? now : parseBaseUrl(url).host;
  const other = await keepOnceAccepted(app, url, name);
  if (other) await changeAddress(app, other.address);
}

/** Uses an address under a name as soon as its token is settled. @returns where another address is wanted instead */
async function keepOnceAccepted(app: App, url: string, name: string) {
  const service = remote(url, name);
  const known = await app.tokens.get(service.origin);
  const outcome = await settleToken(app, service, known);
  if ('address' in outcome) return outcome;
  if (outcome.token !== known) await app.tokens.set(service.origin, outcome.token);
  await saveSetting('remoteServices', { ...setting('remoteServices'), [name]: service.id });
  if (setting('service') !== name) await saveSetting('service', name);
  return undefined;
}

const askAddress = (place: Place, value: string): Promise<string> =>
  askText({
    place,
    value,
    prompt: vscode.l10n.t('The base URL of the service'),
    placeholder: 'https://forecasts.example.com/v1',
    check: addressFault,
  });

function nameFault(text: string): string | undefined {
  const name = text.trim();
  if (name === '') return vscode.l10n.t('Enter a name.');
  if (name === 'local' || name === 'remote') return vscode.l10n.t('This name is reserved. Enter another.');
  const taken = setting('remoteServices')[name];
  return taken === undefined ? undefined : vscode.l10n.t('{0} already has this name. Enter another.', taken);
}

function addressFault(text: string): string | undefined {
  try {
    parseBaseUrl(text);
    return undefined;
  } catch (error) {
    if (error instanceof AddressError) return error.message;
    throw error;
  }
}

export const remoteId = (url: string): string | undefined =>
  addressFault(url) === undefined ? parseBaseUrl(url).href : undefined;

/** Asks for the token of the service in use, tries it with a real call, and keeps it. @throws Cancelled, AddressError */
export async function setToken(app: App): Promise<void> {
  const service = app.connection.current;
  if (service.kind === 'local') {
    await say.info(vscode.l10n.t('The local service creates its own token. Switch to a remote service to set one.'));
    return;
  }
  const outcome = await settleToken(app, service);
  if ('address' in outcome) await changeAddress(app, outcome.address);
  else await app.tokens.set(service.origin, outcome.token);
}

/** Makes a key’s secret the token of its service, after asking. */
export async function useKey(app: App, node: ResourceNode): Promise<void> {
  const info = app.connection.session(node.serviceId)?.info;
  if (node.kind !== 'key' || node.item.secret === undefined || info?.kind !== 'remote') return;
  const { label } = describeEntry(node);
  const message = vscode.l10n.t('Use “{0}” as the token of {1}? It replaces the current token.', label, info.name);
  if (!(await say.confirm(message, vscode.l10n.t('Use Key')))) return;
  const outcome = await tryToken(app, info, node.item.secret);
  if (outcome === 'keep') await app.tokens.set(info.origin, node.item.secret);
  else if (outcome === 'another') await setToken(app);
  else await changeAddress(app, outcome.address);
}

export async function signOut(app: App): Promise<void> {
  const service = app.connection.current;
  if (service.kind === 'local') {
    await say.info(vscode.l10n.t('The local service has no account to sign out of.'));
    return;
  }
  await app.tokens.delete(service.origin);
}

/** @throws Cancelled, ServiceError */
export async function createKey(app: App): Promise<void> {
  const place = alone(vscode.l10n.t('Create Key'));
  const name = await askName({ place, prompt: vscode.l10n.t('What is the key for?'), most: 100 });
  await (await app.connection.ready()).client.do('createKey', { body: { name } });
  await app.trees.get(VIEWS.keys)?.refresh();
}

/** Another address is wanted: the one that the service's description names, if it does. */
interface ElsewhereOutcome {
  readonly address: string | undefined;
}

/**
 * Asks for a token and tries it until it is accepted, or the person keeps it all the same or wants another address.
 * @param known the token of its origin, which is tried first: so is its address
 * @throws Cancelled
 */
export async function settleToken(
  app: App,
  service: ServiceInfo,
  known?: string,
): Promise<{ readonly token: string } | ElsewhereOutcome> {
  for (let first = known; ; first = undefined) {
    const token = first ?? (await askToken(app, service));
    const outcome = await tryToken(app, service, token, first !== undefined);
    if (outcome === 'keep') return { token };
    if (outcome !== 'another') return outcome;
  }
}

async function askToken(app: App, service: ServiceInfo): Promise<string> {
  const lost = await app.tokens.wasLost(service.origin);
  return askText({
    place: alone(vscode.l10n.t('Set Token for {0}', service.name)),
    prompt: lost
      ? vscode.l10n.t(
          'The token of an earlier session was lost: without a system keyring, a token lasts for one session only. It is sent only to {0}.',
          service.origin,
        )
      : vscode.l10n.t(
          'The token is stored in this editor’s secret storage (without a system keyring for this session only), and sent only to {0}.',
          service.origin,
        ),
    password: true,
    check: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a token.') : tokenFault(text.trim())),
  });
}

const KEEP = vscode.l10n.t('Keep the Token');
const KEEP_ANYWAY = vscode.l10n.t('Keep It Anyway');
const ANOTHER = vscode.l10n.t('Enter Another');
export const ADDRESS = vscode.l10n.t('Change Address');
const AGAIN = vscode.l10n.t('Try Again');

/**
 * Checks a token and shows the result.
 * @param isKept whether it is stored already, for another address of the same origin
 * @throws Cancelled if the person stops
 */
export async function tryToken(
  app: App,
  service: ServiceInfo,
  token: string,
  isKept = false,
): Promise<'keep' | 'another' | ElsewhereOutcome> {
  const client = app.connection.trial(service, token);
  try {
    await withPatience(vscode.l10n.t('Checking the token with {0}', service.name), (signal) =>
      client.listPredictions({ size: 1, signal }),
    );
    if (!isKept) inBackground(app.log, say.info(vscode.l10n.t('{0} accepts the token.', service.name)));
    return 'keep';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const address = isElsewhere(error) ? await client.elsewhere().catch(() => undefined) : undefined;
    const hint = address === undefined ? '' : vscode.l10n.t('Its description names {0}.', address);
    const sentence = isKept ? error.message : vscode.l10n.t('The token was not saved. {0}', error.message);
    const answer = await say.error(`${sentence} ${hint}`.trim(), ...waysAfter(error));
    if (answer === ANOTHER) return 'another';
    if (answer === ADDRESS) return { address };
    if (answer === AGAIN) return tryToken(app, service, token, isKept);
    if (answer === KEEP || answer === KEEP_ANYWAY) return 'keep';
    throw new Cancelled();
  }
}

/** The first is the one that stands out. */
function waysAfter(error: ServiceError): string[] {
  if (error.kind === 'unauthorized' || error.kind === 'forbidden') return [ANOTHER, KEEP_ANYWAY];
  return isElsewhere(error) ? [ADDRESS, AGAIN, KEEP] : [AGAIN, ADDRESS, KEEP];
}

const isElsewhere = ({ kind }: ServiceError): boolean =>
  ['not-offered', 'not-a-service', 'redirected', 'not-found'].includes(kind);
