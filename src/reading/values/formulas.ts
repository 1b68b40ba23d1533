/** What a spreadsheet would run: a sign at the start, of full width too, also after blanks, or a control character. */
const FORMULA = /^(?:[\s\p{Cc}\u200b]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/u;

/** Puts an apostrophe before a text that a spreadsheet would take for a formula; {@link revived} takes it away again. */
export function defuse(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

export function revived(text: string): string {
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
}
