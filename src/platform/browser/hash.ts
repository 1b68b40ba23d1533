import { sha256 } from '@noble/hashes/sha2.js';
import { toBase64 } from './bytes.ts';

/** A digest of Node's form, of what is added to it. */
export interface Hash {
  update(data: string | Uint8Array): Hash;
  copy(): Hash;
  digest(form: 'hex' | 'base64' | 'base64url'): string;
}

const encoder = new TextEncoder();

export const createHash = (_algorithm: 'sha256', hash = sha256.create()): Hash => ({
  update(data) {
    hash.update(typeof data === 'string' ? encoder.encode(data) : data);
    return this;
  },
  copy: () => createHash('sha256', hash.clone()),
  digest(form) {
    const bytes = hash.digest();
    return form === 'hex'
      ? Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
      : toBase64(bytes, form);
  },
});
