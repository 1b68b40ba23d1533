import assert from 'node:assert/strict';
import fc from 'fast-check';
import { elementLines, parseJson } from '../../../../src/reading/json/json.ts';
import { readSeries } from '../../../../src/reading/read.ts';
import type { Phrase } from '../../../../src/reading/phrase.ts';
import { SeriesError } from '../../../../src/reading/types.ts';

const valueOf = (text: string) => parseJson(text, 'a.json');
/** Where a text is broken: the characters before it in its line, what was expected and what was found. */
const placeOf = (text: string) => {
  try {
    parseJson(text, 'a.json');
  } catch (error) {
    if (!(error instanceof SeriesError)) throw error;
    const [, , expected, found] = error.phrase.args as readonly Phrase[];
    return [error.column! - 1, expected!.message, found!.message];
  }
  throw new Error(`${text} is not broken`);
};

describe('JSON beyond the standard', () => {
  it('reads NaN, Infinity and None as Python and R write them', () => {
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

  it('parses standard JSON as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        assert.deepEqual(valueOf(text), JSON.parse(text));
        assert.doesNotThrow(() => elementLines(text, []));
      }),
      { numRuns: 200 },
    );
  });

  it('reports the position, the expected token and the found one', () => {
    assert.equal(placeOf('[1, 2')[2], 'the end of the text');
    assert.equal(placeOf('[1, 2')[0], 5);
    const [offset, , found] = placeOf('{"a": 1 "b": 2}');
    assert.deepEqual([offset, found], [8, '“"b":”']);
    assert.equal(placeOf('{"a": oops}')[2], '“oops”');
    assert.equal(placeOf('{"a": 1}}')[0], 8);
    assert.equal(placeOf("{'a': 1}")[0], 1);
    assert.equal(placeOf('[01]')[0], 2);
  });

  it('refuses excessive nesting without crashing', () => {
    assert.equal(placeOf('['.repeat(100_000)).length, 3);
    assert.throws(
      () => readSeries('['.repeat(100_000), { fileName: 'a.json' }),
      (error) => error instanceof SeriesError && error.reason === 'broken-json',
    );
  });

  it('never throws, and accepts nothing beyond JSON.parse but those words', () => {
    const pieces = fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '1', '-', '.5', 'true', 'nul', '\n', '\\', '"');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        try {
          JSON.parse(text);
        } catch {
          assert.equal(placeOf(text).length, 3, text);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('position in a JSON text', () => {
  it('is a line and a column from 1', () => {
    const text = '{\n  "a": oops\n}';
    assert.throws(() => parseJson(text, 'a.json'), { line: 2, column: 8 });
    assert.throws(() => parseJson('oops', 'a.json', 7), { line: 7, column: 1 });
  });

  it('is the line of each array element at any depth', () => {
    const text = '{"x": "[", "data": {"rows": [\n{"a": 1},\n\n{"a": 2}, {"a": 3}\n]}}';
    assert.deepEqual(elementLines(text, ['data', 'rows']), [2, 4, 4]);
    assert.deepEqual(elementLines('[\n1,\n2]', []), [2, 3]);
    assert.deepEqual(elementLines('{"a": 1}', ['b']), []);
  });

  it('is known in all that is read, also above what nests very deep', () => {
    const deep = `${'['.repeat(300)}1${']'.repeat(300)}`;
    assert.deepEqual(elementLines(`{"rows": [\n1,\n2], "more": ${deep}}`, ['rows']), [2, 3]);
    assert.deepEqual(parseJson('[-None,\n2]', 'a.json'), [null, 2]);
    assert.deepEqual(elementLines('[-None,\n2]', []), [1, 2]);
  });
});
