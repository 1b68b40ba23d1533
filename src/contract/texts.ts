/** Texts that can be stored, and shown. */

/** A text as every service can store it: U+FFFD for NUL, and for half a character, which is what cutting a text can leave. */
export const fitText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/** What does not print, or changes how what stands around it is shown: controls, and marks of direction and format. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const LINES = new Set(['\n', '\t']);

/**
 * A text of others as a terminal or a chat may show it: what does not print is written as its code, as JSON writes it. JSON
 * stays what it is.
 */
export const printable = (text: string): string =>
  text.replace(UNSEEN, (sign) => {
    if (LINES.has(sign)) return sign;
    const units = Array.from({ length: sign.length }, (_, at) => sign.charCodeAt(at).toString(16).padStart(4, '0'));
    return units.map((unit) => `\\u${unit}`).join('');
  });
