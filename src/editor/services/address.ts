import * as vscode from 'vscode';
import { AddressError, parseBaseUrl } from '../../client/address.ts';
import { remote } from '../connection/connection.ts';
import { saveSetting, setting } from '../connection/settings.ts';
import type { App } from '../app.ts';
import { alone, askText, type Place, runSteps } from '../ui/steps.ts';
import { settleToken } from './try-token.ts';

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
        prompt: vscode.l10n.t('What should it be called here?'),
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
  if (name === 'local' || name === 'remote')
    return vscode.l10n.t('This word has a meaning of its own here. Enter another name.');
  const taken = setting('remoteServices')[name];
  return taken === undefined ? undefined : vscode.l10n.t('This is the name of {0} already. Enter another one.', taken);
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
