import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Frequency, addSteps } from '../../../../src/calendar/frequency.ts';
import { fromPoints, toPoints } from '../../../../src/reading/points.ts';
import { readSeries } from '../../../../src/reading/read.ts';
import type { DocumentFormat, ReadSeries } from '../../../../src/reading/types.ts';
import { defuse, revived } from '../../../../src/reading/values/numbers.ts';
import { frameOf, layoutOf, piecesOf, writeSeries, writtenRows } from '../../../../src/reading/writing/write.ts';
import { lines, only, pad, read } from '../helpers.ts';

const essence = (series: ReadSeries) => ({
  id: series.id,
  times: [...series.times],
  values: [...series.values],
  frequency: series.frequency,
});

/** Reads text, writes it, reads what was written. */
function roundTrip(text: string, fileName = 'file.csv'): void {
  const before = read(text, fileName);
  const written = writeSeries(before.series, before.format);
  const after = read(written, fileName);
  assert.deepEqual(after.series.map(essence), before.series.map(essence), written.slice(0, 300));
}

const month = (i: number) => `${2000 + Math.floor(i / 12)}-${pad((i % 12) + 1)}`;

describe('writeSeries', () => {
  it('writes an unchanged file', () => {
    const files = [
      lines(24, (i) => `${month(i)},${112 + i}`, 'Month,Passengers'),
      lines(24, (i) => `0${1 + Math.floor(i / 24)}.02.2021 ${pad(i)}:00;${i},5`, 'Zeit;Last'),
      lines(24, (i) => `1/${i + 1}/2021 ${(i % 12) + 1}:05 PM\t${i}`, 'when\tkW'),
      lines(24, (i) => `${Date.UTC(2021, 0, 1 + i)},${i}.25`, 'timestamp,value'),
      lines(24, (i) => `${2000 + Math.floor(i / 4)}-Q${(i % 4) + 1},${i}`, 'quarter,gdp'),
      lines(24, (i) => `${['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'][i % 12]}-${20 + Math.floor(i / 12)},${i}`, 'm,v'),
      lines(24, (i) => `2021-W${pad(i + 1)},${i}`, 'week,v'),
      lines(24, (i) => `${month(i)}-01,${i},${i * 2}`, 'date,a,b'),
      lines(24, (i) => `${'AB'[Math.floor(i / 12)]},${month(i % 12)}-01,${i}`, 'unique_id,ds,y'),
      lines(24, (i) => `2021-01-${pad(i + 1)}|${i}`),
    ]; // prettier-ignore
    for (const file of files) {
      const { series, format } = read(file);
      assert.equal(writeSeries(series, format), file);
    }
  });

  it('writes JSON and NDJSON with their original names', () => {
    const points = Array.from({ length: 5 }, (_, i) => ({ timestamp: `2021-01-0${i + 1}T00:00:00Z`, value: i }));
    const { series, format } = read(JSON.stringify(points), 'a.json');
    assert.deepEqual(JSON.parse(writeSeries(series, format)), points);
    const rows = points.map(({ timestamp, value }) => ({ t: Date.parse(timestamp), kW: value === 2 ? null : value }));
    const ndjson = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    const parsed = read(ndjson, 'a.ndjson');
    assert.equal(writeSeries(parsed.series, parsed.format), ndjson);
  });

  it('writes the same piece by piece, whatever columns single series have', () => {
    const times = [0, 1, 2].map((day) => Date.UTC(2021, 0, 1 + day));
    const series = ['a/x', 'b/x', 'a/y', 'b/y', 'c/x', 'd/x'].map((id, n) => ({
      id,
      idColumn: 'shop',
      valueColumn: id.slice(2),
      timeKind: 'date' as const,
      times: id === 'c/x' ? [] : times,
      values: id === 'c/x' ? [] : [n, n + 1, n + 2],
      ...(id === 'd/x' ? { quantiles: { 0.9: [7, 8, 9] } } : {}),
    }));
    for (const kind of ['csv', 'json', 'ndjson'] as const) {
      const format: DocumentFormat = { kind, encoding: 'utf-8', decimal: '.', header: true, skippedLines: 0 };
      const layout = layoutOf(series);
      assert.equal(
        JSON.stringify(layout).includes('[0,1,2]'),
        false,
        'each piece is sent with the points of the first series',
      );
      const [start, between, end] = frameOf(layout, format);
      const pieces = [...piecesOf(series, layout, 1)];
      assert.equal(pieces.length, 3);
      const texts = pieces.map((piece) => [...writtenRows(piece, layout, format)].join(''));
      const text = start + texts.filter(Boolean).join(between) + end;
      assert.equal(text, writeSeries(series, format));
    }
  });

  it('adds forecast quantiles as columns', () => {
    const { series, format } = read(lines(12, (i) => `${month(i)};${i},5`, 'Monat;Wert'));
    const [history] = series;
    assert.ok(history);
    const times = [addSteps(history.times.at(-1)!, { unit: 'month', count: 1 }, 1)];
    const text = writeSeries(
      [{ ...history, times, values: [12.25], quantiles: { '0.1': [11], '0.9': [13.5] } }],
      format,
    );
    assert.equal(text, 'Monat;Wert;0.1;0.9\n2001-01;12,25;11;13,5\n');
  });

  it('escapes spreadsheet formulas and reads them back', () => {
    for (const text of [
      '\n=1',
      '\r\n+1',
      ' =1',
      '\u00a0@a',
      '\u3000-1',
      '＝1',
      '＋1',
      '－1',
      '＠a',
      ' \t＝1',
      '\ufeff=1',
      '\nx',
      '\t',
    ]) {
      assert.equal(defuse(text), `'${text}`, JSON.stringify(text));
      assert.equal(revived(defuse(text)), text);
    }
    for (const text of ['a=1', 'x', '', "'", "'x", ' x', '1', '.']) {
      assert.equal(defuse(text), text);
      assert.equal(revived(text), text);
    }
    assert.equal(defuse('=1+1'), "'=1+1");
    assert.equal(defuse('-5 degrees'), "'-5 degrees");
    const text = lines(
      20,
      (i) => `${i % 2 ? '=cmd|x' : '@SUM(1)'},2021-01-${pad(1 + (i >> 1))},${-i}`,
      'name,date,+load',
    );
    const { series, format } = read(text);
    const written = writeSeries(series, format);
    assert.match(written, /^name,date,'\+load\n'@SUM\(1\),2021-01-01,0\n/);
    assert.ok(!/(^|[,;\t"])[=@+]/m.test(written));
    assert.deepEqual(read(written).series.map(essence), series.map(essence));
  });

  const frequencies: Frequency[] = [
    { unit: 'second', count: 1 },
    { unit: 'minute', count: 15 },
    { unit: 'hour', count: 1 },
    { unit: 'day', count: 1 },
    { unit: 'day', count: 1, open: [[0, 5 * 86_400_000]] },
    { unit: 'week', count: 1 },
    { unit: 'month', count: 1 },
    { unit: 'month', count: 1, anchor: 'end' },
    { unit: 'quarter', count: 1 },
    { unit: 'year', count: 1 },
  ];
  const format = fc.record<DocumentFormat>({
    kind: fc.constantFrom('csv', 'json', 'ndjson'),
    encoding: fc.constant('utf-8'),
    delimiter: fc.constantFrom(',', ';', '\t', '|', ' ', ''),
    decimal: fc.constantFrom('.', ','),
    dateFormat: fc.constantFrom(
      'YYYY-MM-DD',
      'YYYY-MM',
      'DD.MM.YYYY',
      'epoch-ms',
      'epoch-s',
      'MMM D, YYYY',
      'YYYY-[Q]Q',
      'YYYY',
    ),
    header: fc.boolean(),
    skippedLines: fc.constant(0),
  });

  it('round-trips numbers at any frequency in any format', () => {
    fc.assert(
      fc.property(
        format,
        fc.constantFrom(...frequencies),
        fc.array(fc.double({ noDefaultInfinity: true }), { minLength: 8, maxLength: 40 }),
        (how, frequency, drawn) => {
          const numbers = [0.5, ...drawn.map((value) => (Object.is(value, -0) ? 0 : value)), 2.25];
          const start = Date.parse(frequency.anchor ? '2019-01-31' : '2019-01-01');
          const times = Float64Array.from(numbers, (_, step) => addSteps(start, frequency, step));
          const written = writeSeries([{ id: 'load', valueColumn: 'load', timeColumn: 'time', timeKind: 'instant', times, values: numbers }], how);
          const document = readSeries(written, { fileName: how.kind === 'csv' ? 'load.csv' : `load.${how.kind}` });
          assert.deepEqual(document.choices.map(({ kind }) => kind).filter((kind) => kind !== 'date-order'), []);
          assert.deepEqual([...document.series[0]!.values], numbers, written);
          if (document.choices.length === 0) assert.deepEqual(document.series[0]!.times, times, written);
        },
      ),
      { numRuns: 400 },
    );
  }); // prettier-ignore

  it('round-trips messy files', () => {
    roundTrip(lines(30, (i) => `2021-01-${pad(i + 1)};${i % 7 === 3 ? 'NA' : `1.${200 + i},5`}`, 'Tag;Wert'));
    roundTrip(lines(30, (i) => String(i * i), 'load'));
    roundTrip(
      lines(40, (i) => `${i < 20 ? 'France' : 'Spain'},${month(i % 20)},${i},${i * 2}.5`, 'country,month,tests,deaths'),
    );
    roundTrip(lines(40, (i) => `${month(i)},${i < 9 ? '' : i},${i > 30 ? 'NA' : i * 2}`, 'month,late,early'));
    roundTrip(lines(20, (i) => `${month(i)},1.${1800 + i}`, 'month,rate'));
    roundTrip(lines(4, (i) => `${'ABCD'[i]},1,2,3,4`, 'name,2001,2002,2003,2004'));
    roundTrip(
      JSON.stringify({
        a: [
          [1609459200.781, 1],
          [1609459215.781, 2],
        ],
        b: [
          [1609459200.781, 1],
          [1609459215.781, 5],
        ],
      }),
      'a.json',
    );
    roundTrip(lines(30, (i) => `${month(i)},"1,${200 + i}"`, 'Month,"Sales, total"'));
  });
});

describe('points of the interface', () => {
  it('round-trip through a series', () => {
    const series = only(lines(12, (i) => `${month(i)},${i === 3 ? '' : i}`, 'Month,v'));
    const points = toPoints(series);
    assert.deepEqual(points[3], { timestamp: '2000-04-01T00:00:00Z', value: null });
    const back = fromPoints(points.map(({ timestamp, value }) => ({ timestamp, value: value === null ? undefined : Number(value), metadata: undefined })));
    assert.deepEqual([back.times, back.values, back.frequency], [series.times, series.values, series.frequency]);
  }); // prettier-ignore

  it('count rows without a time', () => {
    const points = toPoints(only('1\n2\n3\n'));
    assert.deepEqual(points[2], { timestamp: '1970-01-01T00:00:02Z', value: 3, metadata: { row: 3 } });
  });

  it('refuse an invalid timestamp', () => {
    assert.throws(() => fromPoints([{ timestamp: 'soon', value: 1, metadata: undefined }]), /Point 1: “soon” is not/);
  });
});
