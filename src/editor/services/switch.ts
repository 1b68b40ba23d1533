import * as vscode from 'vscode';
import { checkService, reportText } from '../../client/check.ts';
import type { ServiceInfo } from '../connection/connection.ts';
import { say } from '../ui/say.ts';
import { saveSetting, setting } from '../connection/settings.ts';
import type { App } from '../app.ts';
import { withPatience } from '../ui/progress.ts';
import type { Reports } from '../ui/reports.ts';
import { alone, pickOne } from '../ui/steps.ts';
import { ADDRESS } from './try-token.ts';
import { addService, changeAddress, remoteId } from './address.ts';
import { setToken } from './token.ts';

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
  const question = vscode.l10n.t(
    '{0} cannot be used as it is set up. {1}: {2}',
    info.name,
    fault.operation,
    fault.finding,
  );
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
    detail: service.kind === 'local' ? vscode.l10n.t('On this machine; nothing leaves it') : service.id,
    service,
  }));
  const remotes = items.filter(({ service }) => service.kind === 'remote');
  const add: ServiceItem = { label: vscode.l10n.t('$(add) Add a remote service…') };
  const address: ServiceItem = { label: vscode.l10n.t('$(edit) Change the address of the service in use…') };
  const remove: ServiceItem = { label: vscode.l10n.t('$(trash) Remove a remote service…') };
  const chosen = await pickOne({
    place: alone(vscode.l10n.t('Switch Service')),
    placeholder: vscode.l10n.t('Which service makes the forecasts?'),
    items: [
      ...items,
      add,
      ...(setting('service') === 'local' ? [] : [address]),
      ...(remotes.length > 0 ? [remove] : []),
    ],
  });
  if (chosen === remove) {
    const placeholder = vscode.l10n.t('Which service should be forgotten here?');
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
