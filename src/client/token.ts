/** Why a token cannot travel in a header, which takes printable ASCII; `undefined` for one that can. */
export function tokenFault(token: string): string | undefined {
  const at = [...token].findIndex((character) => !/^[\x21-\x7e]$/.test(character));
  if (at < 0) return undefined;
  const character = [...token][at];
  const what = /\s/.test(character)
    ? 'a blank or line break'
    : /[\p{C}]/u.test(character)
      ? 'a control character'
      : `“${character}”`;
  return `The token has ${what} at place ${at + 1}, which the header that carries it cannot hold.`;
}
