import * as vscode from 'vscode';
import { ServiceError } from '../../client/errors.ts';
import { tokenFault } from '../../client/address.ts';
import type { ServiceInfo } from '../connection/connection.ts';
import { Cancelled } from '../ui/failure.ts';
import { say } from '../ui/say.ts';
import type { App } from '../app.ts';
import { withPatience } from '../ui/progress.ts';
import { alone, askText } from '../ui/steps.ts';
import { inBackground } from '../ui/background.ts';

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
          'The token of an earlier session was not kept: this system has no keyring, so it lasts for this session only. It is sent to {0} only.',
          service.origin,
        )
      : vscode.l10n.t(
          'The token is kept in this editor’s secret storage (without a keyring of the system for this session only), and sent to {0} only.',
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
 * Tries a token, and says what came of it.
 * @param isKept whether it is kept already, for another address of the same origin
 * @throws Cancelled where the person leaves it at that
 */
export async function tryToken(
  app: App,
  service: ServiceInfo,
  token: string,
  isKept = false,
): Promise<'keep' | 'another' | ElsewhereOutcome> {
  const client = app.connection.trial(service, token);
  try {
    await withPatience(vscode.l10n.t('Trying the token at {0}', service.name), (signal) =>
      client.listPredictions({ size: 1, signal }),
    );
    if (!isKept) inBackground(app.log, say.info(vscode.l10n.t('{0} accepts the token.', service.name)));
    return 'keep';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const address = isElsewhere(error) ? await client.elsewhere().catch(() => undefined) : undefined;
    const hint = address === undefined ? '' : vscode.l10n.t('Its description names {0}.', address);
    const sentence = isKept ? error.message : vscode.l10n.t('The token was not kept. {0}', error.message);
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
