import * as l10n from '@vscode/l10n';
import type { Bounds } from '../contract/requests.ts';
import type { Figure } from './types.ts';
import { inDigits } from '../calendar/digits.ts';

/** Between what a forecast was to lie. */
export function boundsFigures(bounds: Bounds | null | undefined): Figure[] {
  if (!bounds) return [];
  const { floor, capacity, whole, not_negative: isNotNegative } = bounds;
  const has = (bound: unknown): boolean => bound !== undefined && bound !== null;
  const text = (bound: unknown): string => (typeof bound === 'number' ? inDigits(bound) : String(bound));
  const parts = [
    has(floor) && has(capacity)
      ? l10n.t('between {0} and {1}', text(floor), text(capacity))
      : has(capacity)
        ? l10n.t('at most {0}', text(capacity))
        : has(floor)
          ? l10n.t('at least {0}', text(floor))
          : undefined,
    isNotNegative === true && !(typeof floor === 'number' && floor >= 0) ? l10n.t('not negative') : undefined,
    isNotNegative === false && !has(floor) ? l10n.t('may be negative') : undefined,
    whole ? l10n.t('whole numbers') : undefined,
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return [];
  const about = l10n.t('The forecast and its bands keep within these bounds, as was asked for.');
  return [{ text: parts.join(', '), about, isPoor: false }];
}
