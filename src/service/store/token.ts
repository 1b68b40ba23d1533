import { toBase64 } from '#platform/bytes';

export const newToken = (): string => `tsf_${toBase64(crypto.getRandomValues(new Uint8Array(32)), 'base64url')}`;

/** Whether a text can be a token: without blanks, and long enough not to be guessed. */
export const isToken = (text: string): boolean => /^[\x21-\x7e]{20,200}$/.test(text);
