import assert from 'node:assert/strict';
import { redact } from '../../../src/client/redact.ts';

describe('a token in the answer of a service', () => {
  const token = 'tsf_Zm9vYmFy-Grüße+quux/7';
  const bytes = Buffer.from(token);
  const forms: Readonly<Record<string, string>> = {
    plain: token,
    percent: [...bytes].map((byte) => `%${byte.toString(16)}`).join(''),
    'PERCENT': [...bytes].map((byte) => `%${byte.toString(16).toUpperCase()}`).join(''), // prettier-ignore
    hex: bytes.toString('hex'),
    base64: bytes.toString('base64'),
    base64url: bytes.toString('base64url'),
    header: Buffer.from(`Bearer ${token}`).toString('base64'),
    within: Buffer.from(`id=${token}; path`).toString('base64url'),
    reversed: [...token].reverse().join(''),
    'base64, reversed': [...bytes.toString('base64')].reverse().join(''),
    'reversed, base64': Buffer.from([...token].reverse().join('')).toString('base64'),
  };

  it('is redacted in any encoding, and nothing else is', () => {
    for (const [name, form] of Object.entries(forms)) {
      const clean = redact(`The key ${form} is not known.`, token);
      assert.match(clean, /^The key .*…/, name);
      for (let at = 0; at + 16 <= form.length; at++) assert.ok(!clean.includes(form.slice(at, at + 16)), `${name}: ${clean}`); // prettier-ignore
    }
    const plain = 'There is no series “north/a” in dataset_0123456789abcdef.';
    assert.equal(redact(plain, token), plain);
  });
});
