/** A part of a token as long as this gives it away. */
const PART = 8;

/** A text in which no part of the token stands, also where the service itself has cut or encoded it. */
export function redact(text: string, token: string | undefined): string {
  // a token of a few letters would stand in many a word
  if (!token || token.length < 4) return text;
  const part = Math.min(PART, token.length);
  const forms = formsOf(token);
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

/** What a service may make of a token before it says it: encoded in the usual ways, and each backwards. */
function formsOf(token: string): string[] {
  const bytes = [...new TextEncoder().encode(token)];
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0'));
  const percent = hex.map((code) => `%${code}`).join('');
  const backwards = (text: string) => [...text].reverse().join('');
  // what stands before it moves its letters by a part of a byte
  const encoded = [token, backwards(token)].flatMap((text) => ['', '0', '00'].map((before) => base64(before + text).slice(before === '' ? 0 : 4).replaceAll('=', ''))); // prettier-ignore
  const forms = [token, encodeURIComponent(token.toWellFormed()), percent, percent.toUpperCase(), hex.join(''), hex.join('').toUpperCase(), ...encoded]; // prettier-ignore
  return [...forms, ...encoded.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')), ...forms.map(backwards)];
}

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
