import { randomBytes } from 'node:crypto';

/** A new token of this service: 32 random bytes. */
export const newToken = (): string => `tsf_${randomBytes(32).toString('base64url')}`;

/** Whether a text can be a token: without blanks, and long enough not to be guessed. */
export const isToken = (text: string): boolean => /^[\x21-\x7e]{20,200}$/.test(text);
