import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { toBase64 } from './bytes.ts';

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
    return form === 'hex' ? bytesToHex(bytes) : toBase64(bytes, form);
  },
});
