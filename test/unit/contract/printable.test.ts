import assert from 'node:assert/strict';
import { printable } from '../../../src/contract/texts.ts';

describe('unprintable characters', () => {
  it('are shown as codes, and JSON of such text stays the same', () => {
    assert.equal(printable('a\x1b[31mb\x07\tc\n'), 'a\\u001b[31mb\\u0007\tc\n');
    assert.equal(
      printable('\u202egnp.exe\u2066\u200b\u2028\x9b\x7f'),
      '\\u202egnp.exe\\u2066\\u200b\\u2028\\u009b\\u007f',
    );
    assert.equal(printable('\u{e0041}\ud800 ä 東京 🎉'), '\\udb40\\udc41\\ud800 ä 東京 🎉');
    const value = { name: 'x\x1b\u202e\x9b\u{e0041}\u0085' };
    const json = printable(JSON.stringify(value));
    assert.match(json, /^[\x20-\x7e]*$/);
    assert.deepEqual(JSON.parse(json), value);
  });
});
