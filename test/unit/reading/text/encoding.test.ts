import assert from 'node:assert/strict';
import { Decoder } from '../../../../src/reading/text/encoding.ts';
import { SeriesError } from '../../../../src/reading/types.ts';

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => new Uint8Array(Buffer.from(text, encoding));
const swapped = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le').swap16());

/** A text decoded in parts of so many bytes. */
function decoded(all: Uint8Array, size = all.length): { text: string; encoding: string } {
  const decoder = new Decoder('a.csv');
  let text = '';
  for (let at = 0; at < all.length; at += size) text += decoder.push(all.subarray(at, at + size));
  return { text: text + decoder.finish(), encoding: decoder.encoding };
}

describe('encoding of a document', () => {
  const text = 'Straße;Umsatz €\nZürich;1\n北京;2\n😀;3\n';

  it('is found by its byte order mark, and without one by zero bytes', () => {
    const plain = 'month,sales\n2024-01,1\n';
    assert.equal(decoded(bytes(plain)).encoding, 'utf-8');
    assert.equal(decoded(bytes(`\ufeff${plain}`, 'utf16le')).encoding, 'utf-16le');
    assert.equal(decoded(bytes(plain, 'utf16le')).encoding, 'utf-16le');
    assert.equal(decoded(swapped(`\ufeff${plain}`)).encoding, 'utf-16be');
    assert.equal(decoded(swapped(plain)).encoding, 'utf-16be');
    assert.equal(decoded(new Uint8Array(0)).encoding, 'utf-8');
  });

  it('does not depend on where the bytes are split', () => {
    const utf16 = swapped(`\ufeff${text}`);
    for (const size of [1, 2, 3, 5, 1000]) {
      assert.deepEqual(decoded(bytes(text), size), { text, encoding: 'utf-8' }, String(size));
      if (size > 1) assert.equal(decoded(utf16, size).text.replace('\ufeff', ''), text, String(size));
    }
  });

  it('is windows-1252 for single-byte letters that differ from Latin-1', () => {
    const western = Uint8Array.from([...bytes('caf'), 0xe9, ...bytes(';5 '), 0x80, 10]);
    assert.deepEqual(decoded(western), { text: 'café;5 €\n', encoding: 'windows-1252' });
    assert.deepEqual(decoded(western, 1), { text: 'café;5 €\n', encoding: 'windows-1252' });
  });

  it('is windows-1252 for signs such as degrees without other letters', () => {
    const decoder = new Decoder('a.csv');
    const text = 'Date,Temperature(°C),Area(m²)\n2024-01-01,1,2\n';
    assert.equal(decoder.push(Buffer.from(text, 'latin1')) + decoder.finish(), text);
  });

  it('stays UTF-8 despite a few damaged bytes', () => {
    const damaged = Uint8Array.from([...bytes('Zürich;1\n'), 0xff, ...bytes(';2\nGenève;3\n')]);
    const { text: read, encoding } = decoded(damaged, 10);
    assert.equal(encoding, 'utf-8');
    assert.equal(read, 'Zürich;1\n\ufffd;2\nGenève;3\n');
  });

  it('is found although the last character is truncated', () => {
    const cut = bytes('Zürich;1\nGenè').slice(0, -1);
    assert.deepEqual(decoded(cut), { text: 'Zürich;1\nGen\ufffd', encoding: 'utf-8' });
    assert.equal(decoded(Uint8Array.from([...bytes('a;1\nb'), 0xe9])).text, 'a;1\nbé');
  });

  it('is refused for binary data, with what to do', () => {
    const refused = (first: readonly number[], sentence: RegExp) => {
      assert.throws(
        () => new Decoder('sales.csv').push(Uint8Array.from(first)),
        (error) => error instanceof SeriesError && error.reason === 'binary' && sentence.test(error.message),
      );
    };
    refused([0x50, 0x4b, 3, 4], /^sales\.csv is a workbook or zip archive\. Save the sheet as CSV first\.$/);
    refused([0xd0, 0xcf, 0x11, 0xe0], /old Excel workbook/);
    refused([0x50, 0x41, 0x52, 0x31], /Parquet/);
    refused([0x1f, 0x8b], /compressed\. Unpack it first/);
    refused([65, 66, 0, 67, 68, 69, 70, 71], /null bytes/);
  });
});

describe('documents in other encodings', () => {
  it('are in Latin letters if single letters stand within Latin words', () => {
    const months = ['Januar', 'Februar', 'März'].flatMap((month) => ['Zürich', 'Genève'].map((canton) => `2015,${month},${canton},120`)); // prettier-ignore
    const text = `Jahr,Monat,Kanton,Ankünfte,Logiernächte\n${months.join('\n')}\n`;
    const latin = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    assert.deepEqual(decoded(latin), { text, encoding: 'windows-1252' });
  });

  it('are read in the encoding that gives words', () => {
    const documents: Record<string, number[]> = {
      'windows-1251': [0xc4, 0xe0, 0xf2, 0xe0, 0x2c, 0xc2, 0xfb, 0xf0, 0xf3, 0xf7, 0xea, 0xe0],
      'windows-1250': [0x4d, 0x69, 0x65, 0x73, 0x69, 0xb9, 0x63, 0x2c, 0x53, 0x70, 0x72, 0x7a, 0x65, 0x64, 0x61, 0xbf],
      'windows-1252': [0x53, 0x74, 0xfc, 0x63, 0x6b, 0x2c, 0x48, 0xf6, 0x68, 0x65],
      shift_jis: [0x93, 0xfa, 0x95, 0x74, 0x2c, 0x94, 0x84, 0x8f, 0xe3],
      'euc-kr': [0xb3, 0xaf, 0xc2, 0xa5, 0x2c, 0xb8, 0xc5, 0xc3, 0xe2],
      gb18030: [0xc8, 0xd5, 0xc6, 0xda, 0x2c, 0xcf, 0xfa, 0xca, 0xdb],
    };
    for (const [name, bytes] of Object.entries(documents)) {
      const decoder = new Decoder('a.csv');
      const text = decoder.push(Uint8Array.from(bytes)) + decoder.finish();
      assert.equal(decoder.encoding, name, text);
    }
  });
});
