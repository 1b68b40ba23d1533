import assert from 'node:assert/strict';
import { cellFinder } from '../../../../src/reading/text/rows.ts';
import type { Delimiter } from '../../../../src/reading/types.ts';

/** What stands in the range of a cell, as an editor would mark it. */
const marked = (text: string, delimiter: Delimiter, line: number, cell: number) => {
  const range = cellFinder(text, delimiter)(line, cell);
  return range && text.split('\n')[line - 1]!.slice(range.column - 1, range.endColumn - 1);
};

describe('range of a cell in its line', () => {
  it('is its text without surrounding blanks', () => {
    const text = 'day,  sold ,x\n2024-01-01,  12 ,y\n';
    assert.equal(marked(text, ',', 2, 1), '12');
    assert.equal(marked(text, ',', 1, 1), 'sold');
    assert.equal(marked(text, ',', 2, 2), 'y');
  });

  it('includes the quotes of a quoted cell with delimiters in it', () => {
    assert.equal(marked('"a, ""b""",c', ',', 1, 0), '"a, ""b"""');
    assert.equal(marked('"a, ""b""",c', ',', 1, 1), 'c');
  });

  it('is a word if runs of blanks are the delimiter', () => {
    assert.equal(marked('  a   bb  c', ' ', 1, 1), 'bb');
  });

  it('is empty for an empty cell and undefined beyond the last cell and line', () => {
    assert.equal(marked('a,,c', ',', 1, 1), '');
    const finder = cellFinder('a,b\n', ',');
    assert.equal(finder(1, 2), undefined);
    assert.equal(finder(3, 0), undefined);
    assert.equal(finder(0, 0), undefined);
  });

  it('is found beside a cell of millions of characters', () => {
    const long = 'x'.repeat(9_000_000);
    assert.deepEqual(cellFinder(`${long},b`, ',')(1, 1), { column: 9_000_002, endColumn: 9_000_003 });
    assert.equal(cellFinder(`"${'""'.repeat(4_000_000)}",b`, ',')(1, 1)?.column, 8_000_004);
  });

  it('is correct for a line that is requested again after many others', () => {
    const text = Array.from({ length: 200 }, (_, i) => `${'x'.repeat(i % 7)},${i}`).join('\n');
    const finder = cellFinder(text, ',');
    const first = finder(5, 1);
    for (let line = 1; line <= 200; line++) finder(line, 1);
    assert.deepEqual(finder(5, 1), first);
    assert.deepEqual(first, { column: 6, endColumn: 7 });
  });
});
