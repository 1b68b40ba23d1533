import * as l10n from '@vscode/l10n';
/** Why a token cannot travel in a header, which takes printable ASCII; `undefined` for one that can. */
export function tokenFault(token: string): string | undefined {
  const at = [...token].findIndex((character) => !/^[\x21-\x7e]$/.test(character));
  if (at < 0) return undefined;
  const character = [...token][at];
  const what = /\s/.test(character)
    ? l10n.t('a blank or line break')
    : /[\p{C}]/u.test(character)
      ? l10n.t('a control character')
      : `“${character}”`;
  return l10n.t('The token has {0} at place {1}, which the header that carries it cannot hold.', what, at + 1);
}
