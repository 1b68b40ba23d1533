/** A part of a token as long as this gives it away. */
const PART = 8;

/** A text in which no part of the token stands, also where the service itself has cut or encoded it. */
export function redact(text: string, token: string | undefined): string {
  // a token of a few letters would stand in many a word
  if (!token || token.length < 4) return text;
  const length = Math.min(PART, token.length);
  const letters = text.split('');
  for (const form of formsOf(token)) {
    for (let from = 0; from + length <= form.length; from++) {
      const part = form.slice(from, from + length);
      for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) letters.fill('', at, at + length);
    }
  }
  return letters.map((letter, at) => letter || (letters[at - 1] === '' ? '' : '…')).join('');
}

/** What a service may make of a token before it says it: encoded in the usual ways, and each backwards. */
function formsOf(token: string): string[] {
  const backwards = (text: string) => [...text].reverse().join('');
  const hex = Array.from(new TextEncoder().encode(token), (byte) => byte.toString(16).padStart(2, '0'));
  const percent = hex.map((code) => `%${code}`).join('');
  // what stands before it moves its letters by a part of a byte
  const encoded = [token, backwards(token)].flatMap((text) =>
    ['', '0', '00'].map((before) =>
      base64(before + text)
        .slice(before === '' ? 0 : 4)
        .replaceAll('=', ''),
    ),
  );
  const forms = [
    token,
    encodeURIComponent(token.toWellFormed()),
    percent,
    percent.toUpperCase(),
    hex.join(''),
    hex.join('').toUpperCase(),
    ...encoded,
  ];
  return [...forms, ...encoded.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')), ...forms.map(backwards)];
}

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
