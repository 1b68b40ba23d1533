import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import { ServiceError } from '../../client/errors.ts';
import { say } from '../ui/say.ts';
import { Cancelled } from '../ui/failure.ts';

/**
 * Sends a request that creates something. Where its answer was lost and nothing of it is found, only the person decides
 * whether it is sent again. @throws Cancelled where they do not; ServiceError for any other failure
 */
export async function sendOnce<T>(send: () => Promise<T>, what: 'predictions' | 'models'): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.outcomeUnknown) throw error;
      const looked =
        what === 'predictions' && error.looked !== undefined
          ? vscode.l10n.t(' It is not among the {0} predictions that were looked through.', inDigits(error.looked))
          : '';
      const answer = await say.error(`${error.message}${looked}`, vscode.l10n.t('Send Again'));
      if (answer !== vscode.l10n.t('Send Again')) throw new Cancelled();
    }
  }
}
