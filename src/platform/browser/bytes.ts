import { Gunzip, gzipSync } from 'fflate';
import { joined } from '../joined.ts';

type Form = 'base64' | 'base64url';

const AT_ONCE = 32_768; // characters that are made at a time: more than this are too many arguments

export function toBase64(bytes: Uint8Array, form: Form = 'base64'): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += AT_ONCE) {
    text += String.fromCharCode(...bytes.subarray(from, from + AT_ONCE));
  }
  const made = btoa(text);
  return form === 'base64' ? made : made.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export function fromBase64(text: string, form: Form = 'base64'): Uint8Array<ArrayBuffer> {
  const letters = atob(form === 'base64' ? text : text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

export const gzip = (bytes: Uint8Array): Uint8Array => gzipSync(bytes, { level: 1, mtime: 0 });

export function gunzip(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const inflated = new Gunzip((part) => parts.push(part));
  inflated.push(bytes, true);
  return joined(parts);
}

export async function* gunzipParts(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  for (let read; !(read = await reader.read()).done;) yield read.value;
}
