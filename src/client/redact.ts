/** A part of a token as long as this gives it away. */
const PART = 8;

/** A text in which no part of the token stands, also where the service itself has cut or encoded it. */
export function redact(text: string, token: string | undefined): string {
  // a token of a few letters would stand in many a word
  if (!token || token.length < 4) return text;
  const part = Math.min(PART, token.length);
  const forms = [token, encodeURIComponent(token.toWellFormed()), base64(token), base64(`Bearer ${token}`)];
  const parts = new Set(
    forms.flatMap((form) =>
      Array.from({ length: Math.max(0, form.length - part + 1) }, (_, at) => form.slice(at, at + part)),
    ),
  );
  let [left, from, at] = ['', 0, 0];
  while (at + part <= text.length) {
    if (parts.has(text.slice(at, at + part))) {
      let end = at + part;
      while (end < text.length && parts.has(text.slice(end - part + 1, end + 1))) end++;
      left += `${text.slice(from, at)}…`;
      from = at = end;
    } else at++;
  }
  return left + text.slice(from);
}

/** A text of others as it can be printed: without the token, and what would not be seen or would steer a terminal by its code. */
export const shown = (text: string, token?: string): string =>
  redact(text, token).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`);

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
