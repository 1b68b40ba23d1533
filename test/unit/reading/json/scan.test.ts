import assert from 'node:assert/strict';
import fc from 'fast-check';
import { elementLines, lineAt, scanJson } from '../../../../src/reading/json/scan.ts';
import { readSeries } from '../../../../src/reading/read.ts';
import { SeriesError } from '../../../../src/reading/types.ts';

const valueOf = (text: string) => {
  const scanned = scanJson(text);
  if ('fault' in scanned) throw new Error(scanned.fault.expected.message);
  return scanned.value;
};
/** Where a text is broken: the sign there, what was expected and what was found. */
const faultOf = (text: string) => {
  const scanned = scanJson(text);
  if (!('fault' in scanned)) throw new Error(`${text} is not broken`);
  const { offset, expected, found } = scanned.fault;
  return [offset, expected.message, found.message];
};

describe('JSON that the platform does not take', () => {
  it('is read with the words of Python and R for what is no number', () => {
    assert.deepEqual(valueOf('[1, NaN, nan, None, Infinity, -Infinity, -2.5e3]'), [
      1,
      null,
      null,
      null,
      Infinity,
      -Infinity,
      -2500,
    ]);
    const { series } = readSeries('{"y": [1, NaN, 3, 4, 5]}', { fileName: 'a.json' });
    assert.deepEqual([...series[0]!.values], [1, NaN, 3, 4, 5]);
  });

  it('is read as the platform reads it where that takes it', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        assert.deepEqual(valueOf(text), JSON.parse(text));
      }),
      { numRuns: 200 },
    );
  });

  it('is told with the place, what was expected and what stands there', () => {
    assert.equal(faultOf('[1, 2')[2], 'the end of the text');
    assert.equal(faultOf('[1, 2')[0], 5);
    const [offset, , found] = faultOf('{"a": 1 "b": 2}');
    assert.deepEqual([offset, found], [8, '“"b":”']);
    assert.equal(faultOf('{"a": oops}')[2], '“oops”');
    assert.equal(faultOf('{"a": 1}}')[0], 8);
    assert.equal(faultOf("{'a': 1}")[0], 1);
    assert.equal(faultOf('[01]')[0], 2);
  });

  it('does not end the program where it is nested too deep', () => {
    assert.equal(faultOf('['.repeat(100_000)).length, 3);
    assert.throws(
      () => readSeries('['.repeat(100_000), { fileName: 'a.json' }),
      (error) => error instanceof SeriesError && error.reason === 'broken-json',
    );
  });

  it('never throws and never takes what the platform refuses, but for those words', () => {
    const pieces = fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '1', '-', '.5', 'true', 'nul', '\n', '\\', '"');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        if ('value' in scanJson(text)) assert.doesNotThrow(() => JSON.parse(text) as unknown, text);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the place of something in a JSON text', () => {
  it('is a line and a column, from 1', () => {
    const text = '{\n  "a": oops\n}';
    assert.deepEqual(lineAt(text, text.indexOf('oops')), { line: 2, column: 8 });
    assert.deepEqual(lineAt(text, 0), { line: 1, column: 1 });
  });

  it('is the line of each element of an array, however deep it stands', () => {
    const text = '{"x": "[", "data": {"rows": [\n{"a": 1},\n\n{"a": 2}, {"a": 3}\n]}}';
    assert.deepEqual(elementLines(text, ['data', 'rows']), [2, 4, 4]);
    assert.deepEqual(elementLines('[\n1,\n2]', []), [2, 3]);
    assert.deepEqual(elementLines('{"a": 1}', ['b']), []);
  });
});
