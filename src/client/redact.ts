const TELLING = 8; // so many characters of a token give it away

/** A text without any piece of the token, also where the service itself has cut or encoded it. */
export function redact(text: string, token: string | undefined): string {
  // a token of a few letters would be found in many a word
  if (!token || token.length < 4) return text;
  const length = Math.min(TELLING, token.length);
  const letters = text.split('');
  for (const form of formsOf(token)) {
    for (let from = 0; from + length <= form.length; from++) {
      const piece = form.slice(from, from + length);
      for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) letters.fill('', at, at + length);
    }
  }
  return letters.map((letter, at) => letter || (letters[at - 1] === '' ? '' : '…')).join('');
}

/** A token as a service may write it: encoded in the usual ways, and each backwards. */
function formsOf(token: string): string[] {
  const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text))).replaceAll('=', '');
  const backwards = (text: string) => [...text].reverse().join('');
  const hex = Array.from(new TextEncoder().encode(token), (byte) => byte.toString(16).padStart(2, '0'));
  const plain = [encodeURIComponent(token.toWellFormed()), hex.map((code) => `%${code}`).join(''), hex.join('')];
  // what stands before it shifts its letters by a fraction of a byte
  const encoded = [token, backwards(token)].flatMap((text) =>
    ['', '0', '00'].map((before) => base64(before + text).slice(before === '' ? 0 : 4)),
  );
  const forms = [token, ...plain, ...plain.map((form) => form.toUpperCase()), ...encoded];
  return [...forms, ...encoded.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')), ...forms.map(backwards)];
}
