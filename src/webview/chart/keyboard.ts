import * as l10n from '@vscode/l10n';
/** What a key means on the chart. */
export type KeyCommand =
  | { readonly do: 'step'; readonly by: number }
  | { readonly do: 'jump'; readonly to: 'first' | 'last' }
  | { readonly do: 'zoom'; readonly factor: number }
  | { readonly do: 'reset' }
  | { readonly do: 'leave' };

/** Points that Page Up and Page Down step over. */
const PAGE = 10;

/** Said once when the chart gets the focus. */
export const KEY_HELP = l10n.t(
  'Left and right arrow: point by point. Page up and down: ten points. Home, End: first and last point. Plus, minus: zoom. Zero: reset zoom. The Table tab has all values.',
);

/** The command of a key press; `undefined` for keys that are not the chart's. */
export function keyCommand({
  key,
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): KeyCommand | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  switch (key) {
    case 'ArrowLeft':
      return { do: 'step', by: -1 };
    case 'ArrowRight':
      return { do: 'step', by: 1 };
    case 'PageUp':
      return { do: 'step', by: -PAGE };
    case 'PageDown':
      return { do: 'step', by: PAGE };
    case 'Home':
      return { do: 'jump', to: 'first' };
    case 'End':
      return { do: 'jump', to: 'last' };
    case '+':
    case '=':
      return { do: 'zoom', factor: 0.6 };
    case '-':
    case '_':
      return { do: 'zoom', factor: 1 / 0.6 };
    case '0':
      return { do: 'reset' };
    case 'Escape':
      return { do: 'leave' };
    default:
      return undefined;
  }
}
