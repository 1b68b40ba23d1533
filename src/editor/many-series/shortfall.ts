import * as vscode from 'vscode';
import type { ServiceError } from '../../client/errors.ts';
import { Cancelled } from '../ui/failure.ts';
import { inDigits } from '../../calendar/digits.ts';

/** What came of many requests. */
export interface Ends {
  /** What ended them before their time: a failure that the others would meet too, or the signal's reason. */
  readonly failure: unknown;
  readonly refusals: readonly ServiceError[];
}

/** What is said where not all of many series were forecast. */
export function shortfallOf(
  done: number,
  all: number,
  label: string,
  { failure, refusals: [refusal] }: Ends,
): string | undefined {
  if (done === all) return undefined;
  const [some, whole] = [done, all].map((count) => inDigits(count));
  const why = failure ?? refusal;
  if (!(why instanceof Error) || why instanceof Cancelled)
    return vscode.l10n.t('Stopped. {0} of {1} series of {2} are forecast and kept.', some, whole, label);
  return vscode.l10n.t(
    '{0} of {1} series of {2} are forecast and kept. The others are not: {3}',
    some,
    whole,
    label,
    why.message,
  );
}

/** What is said where forecasts that were asked for are not there in the end, though nothing failed. */
export const vanishedOf = (there: number, all: number, label: string): string =>
  vscode.l10n.t(
    '{0} of {1} series of {2} are forecast and kept. The other forecasts were deleted, or taken out of the queue, elsewhere.',
    inDigits(there),
    inDigits(all),
    label,
  );

/** Further words where it is not known what becomes of the queue. */
export const goesOn = (): string =>
  vscode.l10n.t(
    'What still waited could not be taken out of the queue and may go on; it is then found in its dataset.',
  );
