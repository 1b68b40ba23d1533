import * as vscode from 'vscode';
import { say } from '../ui/say.ts';
import { describeEntry, type ResourceNode } from '../views/tree/kinds.ts';
import type { App } from '../app.ts';
import { VIEWS } from '../names.ts';
import { alone, askName } from '../ui/steps.ts';
import { settleToken, tryToken } from './try-token.ts';
import { changeAddress } from './address.ts';

/** Asks for the token of the service in use, tries it with a real call, and keeps it. @throws Cancelled, AddressError */
export async function setToken(app: App): Promise<void> {
  const service = app.connection.current;
  if (service.kind === 'local') {
    await say.info(
      vscode.l10n.t(
        'The local service makes its own token, so there is nothing to set. Switch to a remote service to set one.',
      ),
    );
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
  const message = vscode.l10n.t('Use “{0}” as the token of {1}? It replaces the token that is set.', label, info.name);
  if (!(await say.confirm(message, vscode.l10n.t('Use Key')))) return;
  const outcome = await tryToken(app, info, node.item.secret);
  if (outcome === 'keep') await app.tokens.set(info.origin, node.item.secret);
  else if (outcome === 'another') await setToken(app);
  else await changeAddress(app, outcome.address);
}

/** Forgets the token of the service in use. */
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
