import assert from 'node:assert/strict';
import { readSeries } from '../../../../src/reading/read.ts';
import { brief, lines, only, pad, read } from '../helpers.ts';

describe('times written as plain numbers', () => {
  it('reads decimal years by months and quarters, as R writes them', () => {
    const decimal = (i: number, parts: number) => (1990 + i / parts).toFixed(3);
    assert.equal(
      brief(only(lines(30, (i) => `${decimal(i, 12)},${i}`, 'time,value'))),
      'value P1M 1990-01-01..1992-06-01 30 0',
    );
    assert.equal(
      brief(only(lines(30, (i) => `${decimal(i, 4)},${i}`, 'time,value'))),
      'value P3M 1990-01-01..1997-04-01 30 0',
    );
  });

  it('reads decimal years at mid-month', () => {
    const text = lines(30, (i) => `${(1990 + (i + 0.5) / 12).toFixed(4)},${i}`, 'decimal_date,co2');
    assert.equal(brief(only(text)), 'co2 P1M 1990-01-01..1992-06-01 30 0');
  });

  it('reads other decimal years as days', () => {
    // 2024 has 366 days
    const text = lines(30, (i) => `${(2024 + (i + 3) / 366).toFixed(6)},${i}`, 'time,value');
    const { times, frequency } = only(text, 'file.csv', { timeColumn: 'time' });
    assert.equal(new Date(times[0]!).toISOString().slice(0, 10), '2024-01-04');
    assert.deepEqual(frequency, { unit: 'day', count: 1 });
  });

  it('reads spreadsheet serial days only in a column named as a time', () => {
    const rows = (head: string) => lines(20, (i) => `${44_197 + i},${i * 2}`, head);
    assert.equal(brief(only(rows('Date,sold'))), 'sold P1D 2021-01-01..2021-01-20 20 0');
    const { series } = read(rows('visits,sold'));
    assert.ok(series.every(({ timeKind }) => timeKind === 'row'));
  });

  it('reads spreadsheet serial hours to the second', () => {
    const text = lines(48, (i) => `${(44_197 + i / 24).toFixed(5)},${i}`, 'Timestamp,load');
    const { times, frequency } = only(text);
    assert.deepEqual(frequency, { unit: 'hour', count: 1 });
    assert.equal(new Date(times[25]!).toISOString(), '2021-01-02T01:00:00.000Z');
  });

  it('reads clocks without a day as consecutive days', () => {
    const text = lines(50, (i) => `${pad((i + 20) % 24)}:00,${i}`, 'clock,load');
    assert.equal(brief(only(text)), 'load PT1H 1970-01-01T20:00..1970-01-03T21:00 50 0');
  });

  it('reads seconds, milliseconds, microseconds and nanoseconds since 1970', () => {
    for (const zeros of ['', '000', '000000', '000000000']) {
      const text = lines(20, (i) => `${1_704_067_200 + i * 3600}${zeros},${i}`, 'ts,load');
      assert.equal(brief(only(text)), 'load PT1H 2024-01-01..2024-01-01T19:00 20 0', zeros);
    }
  });

  it('does not take falling values, such as free disk space, for times', () => {
    for (const start of [2950, 203_012, 1_700_000_000]) {
      const falls = (i: number) => start - 7 * i;
      for (const text of [lines(30, (i) => String(falls(i)), 'level'), lines(30, (i) => `${falls(i)},${(i * 7) % 5}`, 'level,y')])
        assert.equal(read(text).series[0]!.timeKind, 'row', text.slice(0, 20)); // prettier-ignore
    }
  });

  it('reads falling or repeated epoch seconds and eight-digit days without a header', () => {
    const falling = lines(20, (i) => `${1_704_067_200 - i * 3600},${i}`);
    assert.equal(brief(only(falling)), 'file PT1H 2023-12-31T05:00..2024-01-01 20 0');
    const station = lines(40, (i) => `USW1,202401${pad((i % 20) + 1)},${i < 20 ? 'TMAX' : 'TMIN'},${i}`);
    assert.deepEqual(read(station).series.map(brief), ['TMAX', 'TMIN'].map((id) => `${id} P1D 2024-01-01..2024-01-20 20 0`)); // prettier-ignore
    const amounts = lines(20, (i) => `x${i % 3},${20_240_101 + i * 37},${i}`);
    assert.equal(read(amounts).series[0]!.timeKind, 'row', 'numbers of eight digits of which some are days');
  });

  it('reads 2015… as days of 2015, not as months of the 16th century', () => {
    const text = lines(24, (i) => `${15 + Math.floor(i / 12)}${pad((i % 12) + 1)}01,${(i * 7) % 10}`, 'date,sold');
    const [series] = read(text).series;
    assert.equal(new Date(series!.times[0]!).toISOString().slice(0, 10), '2015-01-01');
    assert.equal(series!.frequency?.unit, 'month');
  });

  it('reads what the person chose, and refuses with a message if a column has no times', () => {
    const text = lines(20, (i) => `${44_197 + i},${i * 2},${'xy'[i % 2]}z`, 'visits,sold,kind');
    const [series] = read(text, 'file.csv', { timeColumn: 'visits' }).series;
    assert.equal(new Date(series!.times[0]!).toISOString().slice(0, 10), '2021-01-01');
    assert.throws(() => read(text, 'file.csv', { timeColumn: 'kind' }), /The column “kind” has no times/);
    assert.throws(
      () => read(text, 'file.csv', { timeColumn: 'gone' }),
      /no column “gone”. Choose one of “visits”, “sold”/,
    );
  });

  it('does not take rising ids and order numbers with as many digits as epoch times for times', () => {
    const numbers = [10 ** 9, 10 ** 12].map((first) => Array.from({ length: 40 }, (_, n) => String(first + n * 7)));
    const snowflakes = Array.from({ length: 40 }, (_, n) => String(175928847299117063n + BigInt(n * n) * 4194304000n));
    const file = (name: string, ids: readonly string[]) => `${name},sold\n${ids.map((id, n) => `${id},${n % 7}`).join('\n')}\n`; // prettier-ignore
    for (const ids of [...numbers, snowflakes]) {
      for (const name of ['id', 'order_id', 'tweetId', 'Auftragsnummer', 'invoice no.']) {
        const { series } = readSeries(file(name, ids), { fileName: 'a.csv', layout: { valueColumns: ['sold'] } });
        assert.deepEqual([series[0]!.timeKind, series[0]!.points], ['row', 40], `${name} ${ids[1]}`);
      }
      for (const name of ['time_id', 'open_time', 'ts', ...(ids === snowflakes ? [] : ['tick'])]) {
        const { series } = readSeries(file(name, ids), { fileName: 'a.csv', layout: { valueColumns: ['sold'] } });
        assert.deepEqual([series[0]!.timeColumn, series[0]!.timeKind], [name, 'instant'], `${name} ${ids[1]}`);
      }
    }
    const { series } = readSeries(file('tick', snowflakes), {
      fileName: 'a.csv',
      layout: { valueColumns: ['sold'] },
    });
    assert.equal(series[0]!.timeKind, 'row', 'no milliseconds of the last century');
  });
});
