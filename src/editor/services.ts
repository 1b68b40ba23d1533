import type * as vscode from 'vscode';
import { AddressError, parseBaseUrl } from '../client/address.ts';
import { checkService, reportText } from '../client/check.ts';
import { ServiceError } from '../client/errors.ts';
import type { ServiceInfo } from './connection/connection.ts';
import { say } from './ui/say.ts';
import { saveSetting, setting } from './connection/settings.ts';
import { describeEntry } from './views/tree/describe.ts';
import type { ResourceNode } from './views/tree/node.ts';
import type { App } from './app.ts';
import { withPatience } from './ui/progress.ts';
import type { Reports } from './ui/reports.ts';
import { alone, askText, pickOne, runSteps } from './ui/steps.ts';

/** Asks for the token of the service in use, tries it with a real call, and keeps it. @throws Cancelled, AddressError */
export async function setToken(app: App): Promise<void> {
  const service = app.connection.current;
  if (service.kind === 'local') {
    await say.info(
      'The local service makes its own token, so there is nothing to set. Switch to a remote service to set one.',
    );
    return;
  }
  const lost = await app.tokens.wasLost(service.origin);
  const token = await askText({
    place: alone(`Set Token for ${service.name}`),
    prompt: lost
      ? `The token of an earlier session was not kept: this system has no keyring, so it lasts for this session only. It is sent to ${service.origin} only.`
      : `The token is kept in this editor’s secret storage (without a keyring of the system for this session only), and sent to ${service.origin} only.`,
    password: true,
    check: (text) =>
      text.trim() === ''
        ? 'Enter a token.'
        : /^[\x21-\x7e]+$/.test(text.trim())
          ? undefined
          : 'A token has no spaces or special characters.',
  });
  if (await isAccepted(app, service, token)) await app.tokens.set(service.origin, token);
}

async function isAccepted(app: App, service: ServiceInfo, token: string): Promise<boolean> {
  try {
    await withPatience(`Trying the token at ${service.name}`, (signal) =>
      app.connection.trial(service, token).listPredictions({ size: 1, signal }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const keep = error.kind === 'unauthorized' ? 'Keep It Anyway' : 'Keep the Token';
    const answer = await say.error(`The token was not kept. ${error.message}`, keep, 'Enter Another');
    if (answer === 'Enter Another') await setToken(app);
    return answer === keep;
  }
}

/** Makes a key’s secret the token of its service, after asking. */
export async function useKey(app: App, node: ResourceNode): Promise<void> {
  const info = app.connection.session(node.serviceId)?.info;
  if (node.kind !== 'key' || node.item.secret === undefined || info?.kind !== 'remote') return;
  const { label } = describeEntry(node, Date.now());
  const message = `Use “${label}” as the token of ${info.name}? It replaces the token that is set.`;
  if (!(await say.confirm(message, 'Use Key'))) return;
  if (await isAccepted(app, info, node.item.secret)) await app.tokens.set(info.origin, node.item.secret);
}

/** Calls the operations of the service in use, and shows what was found. @throws AddressError */
export async function checkServiceInUse(app: App, reports: Reports): Promise<void> {
  const { info, client } = app.connection.inUse;
  const report = await withPatience(`Checking ${info.name}`, (signal) => checkService(client, signal));
  const address = info.kind === 'local' ? 'on this machine' : report.baseUrl;
  await reports.show(`Check of ${info.name}.txt`, reportText({ ...report, baseUrl: address }));
}

/** Forgets the token of the service in use. */
export async function signOut(app: App): Promise<void> {
  const service = app.connection.current;
  if (service.kind === 'local') {
    await say.info('The local service has no account to sign out of.');
    return;
  }
  await app.tokens.delete(service.origin);
}

interface ServiceItem extends vscode.QuickPickItem {
  readonly service?: ServiceInfo;
}

/** Chooses which service is in use, adds one or removes one. @throws Cancelled */
export async function switchService(app: App): Promise<void> {
  const inUse = currentId(app);
  const items = app.connection.all.map((service): ServiceItem & { service: ServiceInfo } => ({
    label: `$(${service.kind === 'local' ? 'device-desktop' : 'cloud'}) ${service.name}`,
    description: service.id === inUse ? 'in use' : '',
    detail: service.kind === 'local' ? 'On this machine; nothing leaves it' : service.id,
    service,
  }));
  const remotes = items.filter(({ service }) => service.kind === 'remote');
  const add: ServiceItem = { label: '$(add) Add a remote service…' };
  const remove: ServiceItem = { label: '$(trash) Remove a remote service…' };
  const chosen = await pickOne({
    place: alone('Switch Service'),
    placeholder: 'Which service makes the forecasts?',
    items: [...items, add, ...(remotes.length > 0 ? [remove] : [])],
  });
  if (chosen === remove) {
    const placeholder = 'Which service should be forgotten here?';
    const { service } = await pickOne({ place: alone('Remove a Remote Service'), placeholder, items: remotes });
    await removeService(app, service);
  } else if (!chosen.service) await addService(app);
  else if (chosen.service.kind === 'local') await saveSetting('service', 'local');
  else await use(app, chosen.service.id);
}

async function addService(app: App): Promise<void> {
  const { url, name } = await runSteps<{ url: string; name: string }>('Add a Remote Service', { url: '', name: '' }, [
    async (_state, place) => ({
      url: await askText({
        place,
        prompt: 'The base URL of the service',
        placeholder: 'https://forecasts.example.com/v1',
        check: addressFault,
      }),
    }),
    async (state, place) => ({
      name: await askText({
        place,
        prompt: 'What should it be called here?',
        value: parseBaseUrl(state.url).host,
        check: (text) => {
          const taken = setting('remoteServices')[text.trim()];
          if (text.trim() === '') return 'Enter a name.';
          return taken === undefined ? undefined : `This is the name of ${taken} already. Enter another one.`;
        },
      }),
    }),
  ]);
  const { href } = parseBaseUrl(url);
  await saveSetting('remoteServices', { ...setting('remoteServices'), [name]: href });
  await use(app, href);
}

/** Forgets a service here, after asking, with its token unless another service has the same origin. */
async function removeService(app: App, { id, name, origin }: ServiceInfo): Promise<void> {
  const question = `Remove “${name}” (${id}) from this editor, with its token? Nothing is deleted at the service.`;
  if (!(await say.confirm(question, 'Remove'))) return;
  const isThis = (url: string): boolean => addressFault(url) === undefined && parseBaseUrl(url).href === id;
  const kept = Object.entries(setting('remoteServices')).filter(([, url]) => !isThis(url));
  await saveSetting('remoteServices', Object.fromEntries(kept));
  if (isThis(setting('baseUrl'))) {
    await saveSetting('service', 'local');
    await saveSetting('baseUrl', '');
  }
  if (!app.connection.all.some((service) => service.origin === origin)) await app.tokens.delete(origin);
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

async function use(app: App, baseUrl: string): Promise<void> {
  await saveSetting('baseUrl', baseUrl);
  await saveSetting('service', 'remote');
  if ((await app.connection.missing()) === 'token') await setToken(app);
}

function currentId(app: App): string | undefined {
  try {
    return app.connection.current.id;
  } catch {
    return undefined;
  }
}
