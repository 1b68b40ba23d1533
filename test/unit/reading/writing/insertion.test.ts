import assert from 'node:assert/strict';
import { insertionOf } from '../../../../src/reading/writing/insertion.ts';
import { readSeries } from '../../../../src/reading/read.ts';
import { SeriesError } from '../../../../src/reading/types.ts';

/** A file with a forecast of two steps of its last series put into it. */
function inserted(text: string, fileName = 'a.csv'): string {
  const { series, columns, format } = readSeries(text, { fileName });
  const one = series.at(-1)!;
  const step = one.times.at(-1)! - one.times.at(-2)!;
  const times = [1, 2].map((n) => one.times.at(-1)! + n * step);
  const { id, valueColumn, timeColumn, idColumn, timeKind } = one;
  const forecast = { id, valueColumn, timeColumn, idColumn, timeKind, times, values: [7.5, 8], quantiles: { '0.9': [9, 9] } }; // prettier-ignore
  const { offset, text: rows, rows: count } = insertionOf({ text, fileName, columns, format }, forecast);
  assert.equal(count, 2);
  return text.slice(0, offset) + rows + text.slice(offset);
}

const days = [1, 2, 3, 4, 5, 6, 7, 8];

describe('the rows of a forecast in its own file', () => {
  it('stand in its columns, in its way of writing times and numbers, with its line ends', () => {
    const rows = days.map((day) => `x;0${day}.01.2024;${day},5`).join('\r\n');
    const text = inserted(`note;day;sold\r\n${rows}\r\n`);
    assert.ok(
      text.endsWith('x;08.01.2024;8,5\r\n;09.01.2024;7,5\r\n;10.01.2024;8\r\n'),
      JSON.stringify(text.slice(-60)),
    );
  });

  it('name their series in a long file', () => {
    const rows = ['a', 'b'].flatMap((id) => days.map((day) => `2024-01-0${day},${id},${day}`));
    const text = inserted(`day,store,sold\n${rows.join('\n')}`);
    assert.ok(text.endsWith('\n2024-01-09,b,7.5\n2024-01-10,b,8'), JSON.stringify(text.slice(-60)));
  });

  it('are objects of a JSON array, and lines of NDJSON', () => {
    const points = days.map((day) => ({ day: `2024-01-0${day}`, sold: day }));
    const json = inserted(`${JSON.stringify(points, undefined, 2)}\n`, 'a.json');
    const last = (JSON.parse(json) as { day: string; sold: number }[]).at(-1);
    assert.deepEqual(last, { day: '2024-01-10', sold: 8 });
    const lines = inserted(`${points.map((point) => JSON.stringify(point)).join('\n')}\n`, 'a.ndjson');
    assert.deepEqual(JSON.parse(lines.trimEnd().split('\n').at(-1)!), last);
  });

  it('keep their columns apart where blanks do', () => {
    const rows = days.map((day) => `2024-01-0${day}  3  ${day}`);
    const text = inserted(`day  shop  sold\n${rows.join('\n')}\n`);
    const { series } = readSeries(text, { fileName: 'a.txt', layout: { valueColumns: ['sold'] }, missing: 'report' });
    assert.deepEqual([...series[0]!.values].slice(-3), [8, 7.5, 8]);
    assert.equal(series[0]!.frequency?.unit, 'day');
  });

  it('stand in the order of the columns where there is no head', () => {
    const text = inserted(days.map((day) => `2024-01-0${day},${day}`).join('\n'));
    assert.ok(text.endsWith('\n2024-01-09,7.5\n2024-01-10,8'), text);
  });

  it('stand in the columns of their kind where there is no head and the time is not the first', () => {
    const late = inserted(days.map((day) => `${day},2024-01-0${day}`).join('\n'));
    assert.ok(late.endsWith('\n7.5,2024-01-09\n8,2024-01-10'), late);
    const rows = ['a', 'b'].flatMap((id) => days.map((day) => `2024-01-0${day},${day},${id}`));
    const long = inserted(rows.join('\n'));
    assert.ok(long.endsWith('\n2024-01-09,7.5,b\n2024-01-10,8,b'), long);
  });

  it('are numbers below each other where there is one column', () => {
    const text = inserted(`sold\n${days.join('\n')}\n`);
    assert.ok(text.endsWith('8\n7.5\n8\n'), JSON.stringify(text));
  });

  it('are indented as the rows before, with their line ends', () => {
    const rows = days.map((day) => `    {"day": "2024-01-0${day}", "sold": ${day}}`);
    const text = inserted(`[\r\n${rows.join(',\r\n')}\r\n]\r\n`, 'a.json');
    assert.ok(text.endsWith(',\r\n    {"day":"2024-01-10","sold":8}\r\n]\r\n'), JSON.stringify(text.slice(-80)));
  });

  it('have no place where a time stands in several columns, of which one may be called so', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);
    const text = `date,time,load\n${hours.map((hour, load) => `2024-03-01,${hour},${load}`).join('\n')}\n`;
    assert.throws(() => inserted(text), /have no place in a\.csv/);
  });

  it('have no place in JSON either where a time or a name stands under several keys', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);
    const clocked = hours.map((time, value) => ({ day: '2024-03-01', time, value }));
    const parted = days.map((month) => ({ year: 2024, month, value: month }));
    const named = ['a', 'b'].flatMap((shop) =>
      ['x', 'y'].flatMap((item) => days.map((day) => ({ shop, item, day: `2024-01-0${day}`, sold: day }))),
    );
    for (const rows of [clocked, parted, named]) {
      assert.throws(() => inserted(JSON.stringify(rows), 'a.json'), /have no place in a\.json/);
      const lines = rows.map((row) => JSON.stringify(row)).join('\n');
      assert.throws(() => inserted(lines, 'a.ndjson'), /have no place in a\.ndjson/);
    }
  });

  it('have no place in a file of another shape, which is said', () => {
    const text = JSON.stringify({ series: days.map((day) => ({ day: `2024-01-0${day}`, sold: day })) });
    assert.throws(
      () => inserted(text, 'a.json'),
      (error) => error instanceof SeriesError && /have no place in a\.json/.test(error.message),
    );
  });
});
