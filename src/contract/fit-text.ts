/** A text as every service can store it: U+FFFD for NUL, and for half a character, which is what cutting a text can leave. */
export const fitText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');
