/** A text that every service can store: U+FFFD for NUL, and for half a character, which cutting a text can leave. */
export const fitText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/** Characters that are invisible or change how others are shown: controls, and marks of direction and format. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const LINES = new Set(['\n', '\t']);

/** An untrusted text for a terminal or a chat: invisible characters are escaped as in JSON, so JSON stays the same. */
export const printable = (text: string): string =>
  text.replace(UNSEEN, (sign) => {
    if (LINES.has(sign)) return sign;
    const units = Array.from({ length: sign.length }, (_, at) => sign.charCodeAt(at).toString(16).padStart(4, '0'));
    return units.map((unit) => `\\u${unit}`).join('');
  });
