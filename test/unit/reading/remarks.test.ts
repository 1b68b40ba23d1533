import assert from 'node:assert/strict';
import { readSeries } from '../../../src/reading/read.ts';
import { lines, only, pad, read } from './helpers.ts';

const day = (i: number) => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);
const briefly = ({ remarks }: ReturnType<typeof only>) => remarks.map(({ kind, rows, lines }) => [kind, rows, lines]);

describe('reading report', () => {
  it('is empty if all rows were used unchanged', () => {
    assert.deepEqual(only(lines(20, (i) => `${day(i)},${i}`, 'day,visits')).remarks, []);
  });

  it('lists rows of the same time with all their lines', () => {
    const text = lines(20, (i) => `${day(i)},${i}`, 'day,visits') + `${day(3)},9\n${day(3)},12\n${day(7)},1\n`;
    const series = only(text);
    assert.deepEqual(briefly(series), [['merged', 3, [[5, 5], [9, 9], [22, 24]]]]); // prettier-ignore
    assert.equal(series.remarks[0]?.text, '3 rows merged with others of the same time, as the mean');
    assert.equal(series.points, 20);
  });

  it('lists empty cells between values, not before and after them', () => {
    const cell = (i: number) => (i < 2 || i > 17 || i === 5 || i === 6 || i === 11 ? '' : String(i));
    const series = only(lines(20, (i) => `${day(i)},${cell(i)}`, 'day,visits'));
    assert.deepEqual(briefly(series), [['missing', 3, [[7, 8], [13, 13]]]]); // prettier-ignore
  });

  it('separates non-numeric cells and sentinels from empty cells', () => {
    const text = lines(30, (i) => `${day(i)},${i === 4 ? 'closed' : i === 9 ? '' : i}`, 'day,visits');
    const [series] = readSeries(text, { fileName: 'a.csv', missing: 'treat-as-missing' }).series;
    assert.deepEqual(briefly(series!), [['missing', 1, [[6, 6]]], ['missing', 1, [[11, 11]]]]); // prettier-ignore
    const coded = lines(30, (i) => `${day(i)},${i % 10 === 4 ? -999 : i}`, 'day,visits');
    const [other] = read(coded, 'a.csv', { missingCode: -999 }).series;
    assert.deepEqual(briefly(other!), [['missing', 3, [[6, 6], [16, 16], [26, 26]]]]); // prettier-ignore
  });

  it('lists rows without a readable time', () => {
    const text = lines(30, (i) => `${i === 12 ? 'soon' : day(i)},${i}`, 'day,visits');
    const [series] = readSeries(text, { fileName: 'a.csv', missing: 'treat-as-missing' }).series;
    assert.deepEqual(briefly(series!), [['left-out', 1, [[14, 14]]]]);
  });

  it('says that only the last 50,000 points are used', () => {
    const minute = (i: number) => new Date(Date.UTC(2024, 0, 1, 0, i)).toISOString();
    const series = only(lines(50_010, (i) => `${minute(i)},${i % 7}`, 'time,load'));
    assert.deepEqual(briefly(series), [['cut', 10, [[2, 11]]]]);
    assert.equal(series.remarks[0]?.text, 'only the last 50,000 of 50,010 points were used');
  });

  it('lists rows with an unusual offset, except the two of one zone', () => {
    const at = (offset: (i: number) => string) =>
      only(lines(30, (i) => `${day(i)}T08:00:00${offset(i)},${i}`, 'time,y'));
    const typo = at((i) => (i === 12 ? '+05:00' : '+02:00'));
    assert.deepEqual(briefly(typo), [['offset', 1, [[14, 14]]]]);
    assert.equal(typo.remarks[0]?.text, '1 row with a different UTC offset than the rest, such as +05:00');
    const some = at((i) => (i > 20 && i < 24 ? 'Z' : i === 27 ? '-03:00' : '+09:00'));
    assert.deepEqual(briefly(some), [['offset', 4, [[23, 25], [29, 29]]]]); // prettier-ignore
    assert.equal(some.remarks[0]?.text, '4 rows with a different UTC offset than the rest, such as +00:00');
    // of two places none is the zone of the file
    assert.deepEqual(briefly(at((i) => (i % 5 < 3 ? '+01:00' : '+08:00'))).map(([kind, rows]) => [kind, rows]), [['offset', 12]]); // prettier-ignore
    for (const offset of ['Z', '', '+02:00', ' CET', ' America/New_York'])
      assert.deepEqual(at(() => offset).remarks, []);
    const march = (i: number) => `2024-03-${pad(i + 17)}T08:00:00`;
    const berlin = lines(14, (i) => `${march(i)}+01:00,${i}`, 'time,y');
    const changing = `${berlin}2024-03-31T08:00:00+02:00,14\n2024-04-01T08:00:00+02:00,15\n`;
    assert.deepEqual(only(changing).remarks, []);
    const slip = `${changing}2024-04-02T08:00:00+01:00,16\n`;
    assert.deepEqual(briefly(only(slip)), [['offset', 1, [[18, 18]]]]);
    const words = lines(20, (i) => `2024-05-${pad(i + 1)} 08:00 ${i === 4 ? 'EST' : 'EDT'},${i}`, 'time,y');
    assert.deepEqual(briefly(only(words)), [['offset', 1, [[6, 6]]]]);
    const clocks = lines(20, (i) => `2024-05-${pad(i + 1)},08:00${i === 4 ? '+01:00' : '+02:00'},${i}`, 'date,clock,y');
    assert.deepEqual(briefly(only(clocks)), [['offset', 1, [[6, 6]]]]);
  });

  it('ignores the offsets of a series with its own zone', () => {
    const text = lines(30, (i) => `${i < 20 ? 'A' : 'B'},${day(i % 20)}T${i < 20 ? '08:00:00+01:00' : '16:00:00+09:00'},${i}`, 'unique_id,ds,y'); // prettier-ignore
    assert.deepEqual(read(text).series.map(({ remarks }) => remarks), [[], []]); // prettier-ignore
  });

  it('separates the columns and series of a file', () => {
    const wide = lines(10, (i) => `${day(i)},${i === 3 ? '' : i},${i}`, 'day,north,south');
    assert.deepEqual(read(wide).series.map(briefly), [[['missing', 1, [[5, 5]]]], []]);
    const long = lines(20, (i) => `${'AB'[i % 2]},2024-${pad(1 + (i >> 1))}-01,${i === 7 ? '' : i}`, 'unique_id,ds,y');
    assert.deepEqual(read(long).series.map(briefly), [[], [['missing', 1, [[9, 9]]]]]);
  });
});
