import assert from 'node:assert/strict';
import { linesFromEnd, rowsFromEnd } from '../../../../src/reading/json/last-rows.ts';

/** Rows of some 400 kB in which objects, quotation marks and what looks like the end of a row stand everywhere. */
const rows = Array.from({ length: 3000 }, (_, index) => ({
  at: index,
  tags: Array.from({ length: index % 20 }, (__, n) => ({ tag: n, note: '"},{"at":1},{' })),
  in: { sold: index, '},{': '\\"' },
}));

describe('rows of JSON from the end', () => {
  it('are those of the array, the last one first, however they are laid out', () => {
    const texts = [JSON.stringify(rows), JSON.stringify(rows, undefined, 2), ` [ ${rows.map((row) => JSON.stringify(row)).join(' ,\r\n ')}\r\n]`]; // prettier-ignore
    for (const text of texts)
      assert.deepEqual([...rowsFromEnd(text.slice(0, text.lastIndexOf(']')).trimEnd())], rows.toReversed());
    assert.deepEqual([...linesFromEnd(`${rows.map((row) => JSON.stringify(row)).join('\n\n')}\n`)], rows.toReversed());
  });

  it('may have NaN, and be long themselves', () => {
    const long = [1, 2, 3].map((at) => ({ at, tags: rows }));
    assert.deepEqual([...rowsFromEnd(JSON.stringify(long).slice(0, -1))], long.toReversed());
    const text = JSON.stringify(rows).replaceAll('"sold":7', '"sold":NaN,"n":7').slice(0, -1);
    const told = [...rowsFromEnd(text)] as { at: number; in: { sold: number | null } }[];
    assert.deepEqual([told.length, told.at(-8)?.in.sold, told[0]?.at], [3000, null, 2999]);
  });

  it('are not looked for again and again in a row that is the whole file', () => {
    const points = Array.from({ length: 60_000 }, (_, value) => ({ time: `day ${String(value)}`, value }));
    const text = JSON.stringify([{ name: 'a', points }]).slice(0, -1);
    const { parse } = JSON;
    let parsed = 0;
    JSON.parse = (piece: string): unknown => ((parsed += piece.length), parse(piece));
    try {
      assert.deepEqual([...rowsFromEnd(text)], [{ name: 'a', points }]);
    } finally {
      JSON.parse = parse;
    }
    assert.ok(parsed < 4 * text.length, `${String(parsed)} characters parsed of ${String(text.length)}`);
  });

  it('are parsed only as they are asked for', () => {
    const text = `[{"broken":, ${JSON.stringify(rows).slice(1, -1)}`;
    assert.deepEqual(rowsFromEnd(text).next().value, rows.at(-1));
    assert.deepEqual(linesFromEnd('{"broken":\n{"at":1}').next().value, { at: 1 });
  });
});
