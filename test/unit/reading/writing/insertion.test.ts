import assert from 'node:assert/strict';
import { isoInstant } from '../../../../src/calendar/format.ts';
import { insertionOf } from '../../../../src/reading/writing/insertion.ts';
import { readSeries } from '../../../../src/reading/read.ts';
import { SeriesError } from '../../../../src/reading/types.ts';

/** A file with a forecast of two steps of its last series put into it. */
function inserted(text: string, fileName = 'a.csv', layout = {}): string {
  const { series, columns, format, lines, isNewestFirst } = readSeries(text, { fileName, layout });
  const one = series.at(-1)!;
  const step = one.times.at(-1)! - one.times.at(-2)!;
  const times = [1, 2].map((n) => one.times.at(-1)! + n * step);
  const { id, valueColumn, timeColumn, idColumn, timeKind } = one;
  const forecast = { id, valueColumn, timeColumn, idColumn, timeKind, times, values: [7.5, 8], quantiles: { '0.9': [9, 9] } }; // prettier-ignore
  const {
    offset,
    text: rows,
    rows: count,
  } = insertionOf({ text, fileName, columns, format, lines, isNewestFirst }, forecast);
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

  it('stand above totals and remarks below the table, also where the last row goes over several lines', () => {
    const rows = days.map((day) => `2024-01-0${day},${day}`).join('\n');
    for (const [after, end = '\n'] of [['"Total","36"'], [',36'], ['"Source: an office"'], ['(8 rows)', ''], ['\n# note\n"Total",36']])
      assert.equal(inserted(`day,sold\n${rows}\n${after}${end}`), `day,sold\n${rows}\n2024-01-09,7.5\n2024-01-10,8\n${after}${end}`); // prettier-ignore
    const quoted = `day,sold,note\r\n${days.map((day) => `2024-01-0${day},${day},"a\r\nb"`).join('\r\n')}\r\nTotal,36,\r\n`;
    assert.ok(inserted(quoted).endsWith(',8,"a\r\nb"\r\n2024-01-09,7.5,\r\n2024-01-10,8,\r\nTotal,36,\r\n'), inserted(quoted)); // prettier-ignore
  });

  it('stand on top where the newest do, the last first', () => {
    const falling = days.toReversed().map((day) => `2024-01-0${day};${day}`);
    const text = (head: string, newline: string) => `${head}${falling.join(newline)}${newline}`;
    for (const head of ['day;sold\r\n', 'A report\r\n\r\nday;sold\r\n', '']) {
      const end = text('', '\r\n');
      const own = inserted(`${head}${end}`, 'a.csv');
      assert.equal(own, `${head}2024-01-10;8\r\n2024-01-09;7.5\r\n${end}`, own);
    }
    const blocks = ['a', 'b'].flatMap((id) => falling.map((row) => `${id};${row}`));
    assert.ok(inserted(`shop;day;sold\n${blocks.join('\n')}\n`).endsWith('\nb;2024-01-09;7.5\nb;2024-01-10;8\n'));
  });

  it('have the day of the week of none of the rows before, also where those shown are all of one day', () => {
    const hours = (cell: (clock: string) => string) => `time;load\n${Array.from({ length: 24 }, (_, hour) => `${cell(`${String(hour).padStart(2, '0')}:00`)};${hour}`).join('\n')}\n`; // prettier-ignore
    const ways = [(clock: string) => `Mon 01.01.2024 ${clock}`, (clock: string) => `01.01.2024 ${clock} (Mo)`, (clock: string) => `2024-01-01 ${clock} Mon`]; // prettier-ignore
    for (const way of ways) assert.throws(() => inserted(hours(way)), SeriesError, way('10:00'));
  });

  it('stand below the right row where lines end in several ways', () => {
    const rows = days.map((day) => `2024-01-0${day},${day}`);
    const head = 'A report\r\rday,sold\r';
    const before = `${head}${rows.slice(0, 4).join('\r\n')}\n${rows.slice(4).join('\n')}`;
    assert.ok(inserted(`${before}\nTotal,36\n`).startsWith(`${before}\n2024-01-09,7.5\n`) || inserted(`${before}\nTotal,36\n`).startsWith(`${before}\r\n2024-01-09,7.5\r\n`)); // prettier-ignore
  });

  it('stand below the last row where its last cells are empty between tabs', () => {
    const text = inserted(`day\tsold\tnote\tcode\n${days.map((day) => `2024-01-0${day}\t${day}\t\t`).join('\n')}\n`);
    assert.ok(text.endsWith('\n2024-01-08\t8\t\t\n2024-01-09\t7.5\t\t\n2024-01-10\t8\t\t\n'), JSON.stringify(text.slice(-80))); // prettier-ignore
  });

  it('have the sign of percentages that the numbers before them have', () => {
    const rows = days.map((day) => `2024-01-0${day};${day},5 %;x`).join('\n');
    assert.ok(inserted(`day;load;note\n${rows}\n`).endsWith('\n2024-01-09;7,5 %;\n2024-01-10;8 %;\n'));
  });

  it('have the unit that stands behind the numbers before them', () => {
    const rows = days.map((day) => `2024-01-0${day};${day},5 kWh;x`).join('\n');
    assert.ok(inserted(`day;load;note\n${rows}\n`).endsWith('\n2024-01-09;7,5 kWh;\n2024-01-10;8 kWh;\n'));
    const flagged = days.map((day) => `2024-01-0${day},${day}${day === 7 ? ' p' : ''}`).join('\n');
    const { series, columns, format } = readSeries(`day,load\n${flagged}\n`, { fileName: 'a.csv', missing: 'report' });
    const [one] = series;
    const target = { text: `day,load\n${flagged}\n`, fileName: 'a.csv', columns, format };
    const { text } = insertionOf(target, { ...one!, times: [Date.UTC(2024, 0, 9)], values: [7.5] });
    assert.equal(text, '\n2024-01-09,7.5', 'a flag of few is none');
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
    const bare = inserted(`${[1990, 1870, 1760, 2004, 1950, 1777, 1812, 1999].join('\n')}\n`);
    assert.ok(bare.endsWith('\n1999\n7.5\n8\n'), 'also where they look like years');
  });

  it('are indented as the rows before, with their line ends', () => {
    const rows = days.map((day) => `    {"day": "2024-01-0${day}", "sold": ${day}}`);
    const text = inserted(`[\r\n${rows.join(',\r\n')}\r\n]\r\n`, 'a.json');
    assert.ok(text.endsWith(',\r\n    {"day":"2024-01-10","sold":8}\r\n]\r\n'), JSON.stringify(text.slice(-80)));
  });

  it('have day and clock in the two columns of the file, each as it is written there', () => {
    const file = (head: string, clockOf: (hour: number) => string) =>
      `${head}\n${Array.from({ length: 23 }, (_, hour) => `01.03.2024;${clockOf(hour)};x;${hour}`).join('\n')}\n`;
    const pad = (hour: number) => String(hour).padStart(2, '0');
    const ways = [
      ['date;time;note;load', (hour: number) => `${pad(hour)}:00`, '01.03.2024;23:00;;7.5\n02.03.2024;00:00;;8\n'],
      ['Datum;Uhrzeit;note;load', (hour: number) => `${hour}:00:00`, '01.03.2024;23:00:00;;7.5\n02.03.2024;0:00:00;;8\n'],
      ['date;time;note;load', (hour: number) => `${(hour + 11) % 12 + 1}:00 ${hour < 12 ? 'AM' : 'PM'}`, '01.03.2024;11:00 PM;;7.5\n02.03.2024;12:00 AM;;8\n'],
      ['date;hour;note;load', String, '01.03.2024;23;;7.5\n02.03.2024;0;;8\n'],
    ] as const; // prettier-ignore
    for (const [head, clockOf, end] of ways) {
      const text = inserted(file(head, clockOf));
      assert.ok(text.endsWith(`;22\n${end}`), text.slice(-80));
      const { series } = readSeries(text, { fileName: 'a.csv' });
      assert.deepEqual([series[0]!.points, series[0]!.gaps, series[0]!.frequency?.unit], [25, 0, 'hour'], head);
    }
    const ending = file('date;hour;note;load', (hour) => String(hour + 1));
    assert.throws(() => inserted(ending), /do not fit into a\.csv/, 'where hours may count to 24');
  });

  it('keep the midnight that the day column says beside the clock, in each way to write it', () => {
    const ways = [
      ['2024-03-0D 00:00:00', '2024-03-03 00:00:00,02:00,7.5\n2024-03-03 00:00:00,03:00,8\n'],
      ['2024-03-0DT00:00:00Z', '2024-03-03T00:00:00Z,02:00,7.5\n2024-03-03T00:00:00Z,03:00,8\n'],
      ['2024-03-0DT00:00:00+00:00', '2024-03-03T00:00:00+00:00,02:00,7.5\n2024-03-03T00:00:00+00:00,03:00,8\n'],
      ['3/D/2024 0:00', '3/3/2024 0:00,02:00,7.5\n3/3/2024 0:00,03:00,8\n'],
      ['3/D/2024 12:00:00 AM', '3/3/2024 12:00:00 AM,02:00,7.5\n3/3/2024 12:00:00 AM,03:00,8\n'],
      ['2024030DT000000', '20240303T000000,02:00,7.5\n20240303T000000,03:00,8\n'],
    ] as const;
    for (const [way, end] of ways) {
      const rows = Array.from({ length: 50 }, (_, n) => `${way.replace('D', String(1 + Math.floor(n / 24)))},${String(n % 24).padStart(2, '0')}:00,${n}`); // prettier-ignore
      const text = inserted(`date,time,load\n${rows.join('\n')}\n`);
      assert.ok(text.endsWith(`,49\n${end}`), text.slice(-100));
      const { series } = readSeries(text, { fileName: 'a.csv' });
      assert.deepEqual([series[0]!.points, series[0]!.gaps, series[0]!.frequency?.unit], [52, 0, 'hour'], way);
    }
  });

  it('have no place in rows whose values are a list', () => {
    const rows = days.map((day) => JSON.stringify({ time: `2024-01-0${day}`, values: [day, 2 * day] }));
    assert.throws(() => inserted(`[${rows.join()}]`, 'a.json'), /do not fit into a\.json/);
    assert.throws(() => inserted(`${rows.join('\n')}\n`, 'a.ndjson'), /do not fit into a\.ndjson/);
  });

  it('have no place where a time stands in other columns, of which one may be called so', () => {
    const text = `year,month,sold\n${days.map((month) => `2024,${month},${month}`).join('\n')}\n`;
    assert.throws(() => inserted(text), /do not fit into a\.csv/);
  });

  it('have no place beside times that are not written as the file has them', () => {
    const years = days.map((year) => 2010 + year);
    const files = [days.map((day) => `2024/1/${day}(${'月火水木金土日'[(day + 6) % 7]})`), ['1re', '2e', '3e', '4e'].map((part, at) => `${part.replace('re', 'er')} trimestre ${2020 + (at >> 2)}`), years.flatMap((year) => [`${year}H1`, `${year}H2`])]; // prettier-ignore
    const months = ['Januar', 'Februar', 'März', 'April', 'Mai', 'Juni', 'Juli'].map((month) => `${month} 2024`);
    for (const times of [...files, months]) {
      const rows = times.map((when, sold) => ({ when, sold }));
      assert.throws(() => inserted(`when,sold\n${rows.map(({ when, sold }) => `${when},${sold}`).join('\n')}\n`), /do not fit into a\.csv/, times[0]); // prettier-ignore
      assert.throws(() => inserted(JSON.stringify(rows), 'a.json'), /do not fit into a\.json/, times[0]);
      const lines = rows.map((row) => JSON.stringify(row)).join('\n');
      assert.throws(() => inserted(lines, 'a.ndjson'), /do not fit into a\.ndjson/, times[0]);
    }
    const inSeasons = (write: (year: number) => string) => inserted(`when,sold\n${years.map((year) => `${write(year)},${year % 7}`).join('\n')}\n`); // prettier-ignore
    assert.ok(inSeasons((year) => `FY${year}`).endsWith('\nFY2019,7.5\nFY2020,8\n'));
    assert.ok(inSeasons((year) => `${year}-${year - 1999}`).endsWith('\n2019-20,7.5\n2020-21,8\n'));
    const spans = days.map((day) => `2024-01-${String(day * 3).padStart(2, '0')} - 2024-01-${String(day * 3 + 2).padStart(2, '0')},${day}`); // prettier-ignore
    assert.ok(inserted(`when,sold\n${spans.join('\n')}\n`).endsWith('\n2024-01-27,7.5\n2024-01-30,8\n'));
  });

  it('are nested as the rows of JSON are, and have no place where a cell is more than that', () => {
    const rows = days.map((day) => ({
      at: { day: `2024-01-0${day}` },
      shop: 'a',
      v: { mean: day, max: 9 },
      'w.x': 'y',
    }));
    const last = { at: { day: '2024-01-10' }, v: { mean: 8 } };
    const layout = { valueColumns: ['v.mean'] };
    const json = inserted(JSON.stringify(rows), 'a.json', layout);
    assert.deepEqual((JSON.parse(json) as object[]).at(-1), last);
    const lines = inserted(rows.map((row) => JSON.stringify(row)).join('\n'), 'a.ndjson', layout);
    assert.deepEqual(JSON.parse(lines.split('\n').at(-1)!), last);
    const lacking = rows.map(({ shop, ...row }, index) => (index === 7 ? row : { ...row, shop }));
    const told = inserted(JSON.stringify(lacking), 'a.json', { ...layout, idColumns: ['w.x'] });
    assert.deepEqual((JSON.parse(told) as object[]).at(-1), { ...last, 'w.x': 'y' });
    const flat = inserted(JSON.stringify(days.map((day) => ({ 't.day': `2024-01-0${day}`, v: day }))), 'a.json');
    assert.deepEqual((JSON.parse(flat) as object[]).at(-1), { 't.day': '2024-01-10', v: 8 });
    const dated = days.map((day) => ({ t: { $date: `2024-01-0${day}T00:00:00Z` }, v: day }));
    assert.throws(() => inserted(JSON.stringify(dated), 'a.json'), /do not fit into a\.json/);
  });

  it('find keys that none of the last rows has', () => {
    const rows = [
      ...days.map((day) => ({ day: `2024-01-0${day}`, v: { sales: day } })),
      ...Array.from({ length: 25 }, (_, index) => ({ day: new Date(Date.UTC(2024, 0, 9 + index)).toISOString().slice(0, 10), visits: index })),
    ]; // prettier-ignore
    const layout = { valueColumns: ['v.sales'] };
    const last = { day: '2024-01-10', v: { sales: 8 } };
    assert.deepEqual((JSON.parse(inserted(JSON.stringify(rows), 'a.json', layout)) as object[]).at(-1), last);
    const lines = inserted(rows.map((row) => JSON.stringify(row)).join('\n'), 'a.ndjson', layout);
    assert.deepEqual(JSON.parse(lines.split('\n').at(-1)!), last);
  });

  it('go by the end of a large file, of which no more is parsed than tells its keys', () => {
    const rows = Array.from({ length: 4000 }, (_, index) => ({ day: isoInstant(index * 3_600_000), sold: index }));
    const { series, columns, format } = readSeries(JSON.stringify(rows), { fileName: 'a.json' });
    const { id, valueColumn, timeColumn, timeKind } = series[0]!;
    const forecast = { id, valueColumn, timeColumn, timeKind, times: [4000 * 3_600_000], values: [7.5] };
    const [before, ...after] = JSON.stringify(rows).split('},');
    const text = [`${before!}, unread`, ...after].join('},');
    const { text: put } = insertionOf({ text, fileName: 'a.json', columns, format }, forecast);
    assert.deepEqual(JSON.parse(put.slice(1)), { day: isoInstant(4000 * 3_600_000), sold: 7.5 });
  });

  it('are nested under keys that every object inherits too, and nothing else is changed', () => {
    for (const [outer, inner] of [
      ['constructor', 'prototype'],
      ['__proto__', 'x'],
      ['x', '__proto__'],
      ['toString', 'name'],
    ]) {
      const rows = days.map(
        (day) => `{"day":"2024-01-0${String(day)}","${outer!}":{"${inner!}":{"sold":${String(day)}}}}`,
      );
      const told = inserted(`[${rows.join()}]`, 'a.json');
      assert.ok(told.endsWith(`{"day":"2024-01-10","${outer!}":{"${inner!}":{"sold":8}}}]`), told.slice(-120));
      assert.equal(({} as { sold?: number }).sold, undefined);
    }
  });

  it('have a day and a clock of two keys in JSON too, and no place where other times or a name stand under several', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);
    const clocked = hours.map((time, value) => ({ day: '2024-03-01', time, value }));
    const last = { day: '2024-03-02', time: '01:00', value: 8 };
    assert.deepEqual((JSON.parse(inserted(JSON.stringify(clocked), 'a.json')) as object[]).at(-1), last);
    const parted = days.map((month) => ({ year: 2024, month, value: month }));
    const named = ['a', 'b'].flatMap((shop) =>
      ['x', 'y'].flatMap((item) => days.map((day) => ({ shop, item, day: `2024-01-0${day}`, sold: day }))),
    );
    for (const rows of [parted, named]) {
      assert.throws(() => inserted(JSON.stringify(rows), 'a.json'), /do not fit into a\.json/);
      const lines = rows.map((row) => JSON.stringify(row)).join('\n');
      assert.throws(() => inserted(lines, 'a.ndjson'), /do not fit into a\.ndjson/);
    }
  });

  it('do not fit into a file of another shape, which is said', () => {
    const text = JSON.stringify({ series: days.map((day) => ({ day: `2024-01-0${day}`, sold: day })) });
    assert.throws(
      () => inserted(text, 'a.json'),
      (error) => error instanceof SeriesError && /do not fit into a\.json/.test(error.message),
    );
  });
});
