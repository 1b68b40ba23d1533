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

describe('forecast rows inserted into a file', () => {
  it('follow its columns, time and number notation, and line endings', () => {
    const rows = days.map((day) => `x;0${day}.01.2024;${day},5`).join('\r\n');
    const text = inserted(`note;day;sold\r\n${rows}\r\n`);
    assert.ok(
      text.endsWith('x;08.01.2024;8,5\r\n;09.01.2024;7,5\r\n;10.01.2024;8\r\n'),
      JSON.stringify(text.slice(-60)),
    );
  });

  it('go above totals and notes, also after a row of several lines', () => {
    const rows = days.map((day) => `2024-01-0${day},${day}`).join('\n');
    for (const [after, end = '\n'] of [['"Total","36"'], [',36'], ['"Source: an office"'], ['(8 rows)', ''], ['\n# note\n"Total",36']])
      assert.equal(inserted(`day,sold\n${rows}\n${after}${end}`), `day,sold\n${rows}\n2024-01-09,7.5\n2024-01-10,8\n${after}${end}`); // prettier-ignore
    const quoted = `day,sold,note\r\n${days.map((day) => `2024-01-0${day},${day},"a\r\nb"`).join('\r\n')}\r\nTotal,36,\r\n`;
    assert.ok(inserted(quoted).endsWith(',8,"a\r\nb"\r\n2024-01-09,7.5,\r\n2024-01-10,8,\r\nTotal,36,\r\n'), inserted(quoted)); // prettier-ignore
  });

  it('go on top, last step first, in a file with the newest row first', () => {
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

  it('have the right weekday names, also if all preceding rows share one', () => {
    const hours = (cell: (clock: string) => string) => `time;load\n${Array.from({ length: 24 }, (_, hour) => `${cell(`${String(hour).padStart(2, '0')}:00`)};${hour}`).join('\n')}\n`; // prettier-ignore
    const ways = [(clock: string) => `Mon 01.01.2024 ${clock}`, (clock: string) => `01.01.2024 ${clock} (Mo)`, (clock: string) => `2024-01-01 ${clock} Mon`]; // prettier-ignore
    for (const way of ways) assert.throws(() => inserted(hours(way)), SeriesError, way('10:00'));
  });

  it('go below the right row in a file of mixed line endings', () => {
    const rows = days.map((day) => `2024-01-0${day},${day}`);
    const head = 'A report\r\rday,sold\r';
    const before = `${head}${rows.slice(0, 4).join('\r\n')}\n${rows.slice(4).join('\n')}`;
    assert.ok(inserted(`${before}\nTotal,36\n`).startsWith(`${before}\n2024-01-09,7.5\n`) || inserted(`${before}\nTotal,36\n`).startsWith(`${before}\r\n2024-01-09,7.5\r\n`)); // prettier-ignore
  });

  it('go below a last row that ends in empty tab-separated cells', () => {
    const text = inserted(`day\tsold\tnote\tcode\n${days.map((day) => `2024-01-0${day}\t${day}\t\t`).join('\n')}\n`);
    assert.ok(text.endsWith('\n2024-01-08\t8\t\t\n2024-01-09\t7.5\t\t\n2024-01-10\t8\t\t\n'), JSON.stringify(text.slice(-80))); // prettier-ignore
  });

  it('have the percent sign of the values above', () => {
    const rows = days.map((day) => `2024-01-0${day};${day},5 %;x`).join('\n');
    assert.ok(inserted(`day;load;note\n${rows}\n`).endsWith('\n2024-01-09;7,5 %;\n2024-01-10;8 %;\n'));
  });

  it('have the unit of the values above', () => {
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

  it('are objects of a JSON array or lines of NDJSON', () => {
    const points = days.map((day) => ({ day: `2024-01-0${day}`, sold: day }));
    const json = inserted(`${JSON.stringify(points, undefined, 2)}\n`, 'a.json');
    const last = (JSON.parse(json) as { day: string; sold: number }[]).at(-1);
    assert.deepEqual(last, { day: '2024-01-10', sold: 8 });
    const lines = inserted(`${points.map((point) => JSON.stringify(point)).join('\n')}\n`, 'a.ndjson');
    assert.deepEqual(JSON.parse(lines.trimEnd().split('\n').at(-1)!), last);
  });

  it('are aligned with blanks if the columns are', () => {
    const rows = days.map((day) => `2024-01-0${day}  3  ${day}`);
    const text = inserted(`day  shop  sold\n${rows.join('\n')}\n`);
    const { series } = readSeries(text, { fileName: 'a.txt', layout: { valueColumns: ['sold'] }, missing: 'report' });
    assert.deepEqual([...series[0]!.values].slice(-3), [8, 7.5, 8]);
    assert.equal(series[0]!.frequency?.unit, 'day');
  });

  it('follow the column order of a file without a header', () => {
    const text = inserted(days.map((day) => `2024-01-0${day},${day}`).join('\n'));
    assert.ok(text.endsWith('\n2024-01-09,7.5\n2024-01-10,8'), text);
  });

  it('follow the column types of a file without a header whose time is not first', () => {
    const late = inserted(days.map((day) => `${day},2024-01-0${day}`).join('\n'));
    assert.ok(late.endsWith('\n7.5,2024-01-09\n8,2024-01-10'), late);
    const rows = ['a', 'b'].flatMap((id) => days.map((day) => `2024-01-0${day},${day},${id}`));
    const long = inserted(rows.join('\n'));
    assert.ok(long.endsWith('\n2024-01-09,7.5,b\n2024-01-10,8,b'), long);
  });

  it('are one number a line in a single-column file', () => {
    const text = inserted(`sold\n${days.join('\n')}\n`);
    assert.ok(text.endsWith('8\n7.5\n8\n'), JSON.stringify(text));
    const bare = inserted(`${[1990, 1870, 1760, 2004, 1950, 1777, 1812, 1999].join('\n')}\n`);
    assert.ok(bare.endsWith('\n1999\n7.5\n8\n'), 'also where they look like years');
  });

  it('are indented like the rows above, with their line endings', () => {
    const rows = days.map((day) => `    {"day": "2024-01-0${day}", "sold": ${day}}`);
    const text = inserted(`[\r\n${rows.join(',\r\n')}\r\n]\r\n`, 'a.json');
    assert.ok(text.endsWith(',\r\n    {"day":"2024-01-10","sold":8}\r\n]\r\n'), JSON.stringify(text.slice(-80)));
  });

  it('have date and clock in their two columns, each in its notation', () => {
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

  it('have day, hour and minute in the three columns of the file', () => {
    const pad = (number: number) => String(number).padStart(2, '0');
    const ways = [
      [String, '2024-03-01;23;30;7.5\n2024-03-02;0;0;8\n'],
      [pad, '2024-03-01;23;30;7.5\n2024-03-02;00;00;8\n'],
    ] as const;
    for (const [write, end] of ways) {
      const row = (n: number) => `2024-03-01;${write(n >> 1)};${write((n % 2) * 30)};${n}`;
      const text = inserted(`Date;Hour;Minute;load\n${Array.from({ length: 47 }, (_, n) => row(n)).join('\n')}\n`);
      assert.ok(text.endsWith(`;46\n${end}`), text.slice(-80));
      const { series } = readSeries(text, { fileName: 'a.csv' });
      assert.deepEqual([series[0]!.points, series[0]!.gaps, series[0]!.frequency?.count], [49, 0, 30]);
    }
  });

  it('have midnight in the notation of the date column beside a clock', () => {
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

  it('are refused for rows whose values are a list', () => {
    const rows = days.map((day) => JSON.stringify({ time: `2024-01-0${day}`, values: [day, 2 * day] }));
    assert.throws(() => inserted(`[${rows.join()}]`, 'a.json'), /do not fit into a\.json/);
    assert.throws(() => inserted(`${rows.join('\n')}\n`, 'a.ndjson'), /do not fit into a\.ndjson/);
  });

  it('are refused if the time stands in other columns', () => {
    const text = `year,month,sold\n${days.map((month) => `2024,${month},${month}`).join('\n')}\n`;
    assert.throws(() => inserted(text), /do not fit into a\.csv/);
  });

  it('are refused beside times whose notation cannot be written', () => {
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

  it('are refused below counted days, and months of a year that stands above', () => {
    const counted = days.map((day) => `${day},${day * 3}`).join('\n');
    const period = `From 2024-01-01 to 2024-01-08\nday,sold\n${counted}\n`;
    const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'].map((month, at) => `${month},${at}`).join('\n');
    for (const text of [period, `Sales 2024\n\nmonth,sold\n${months}\n`]) {
      assert.notEqual(readSeries(text, { fileName: 'a.csv' }).series[0]!.timeKind, 'row');
      assert.throws(() => inserted(text), /do not fit into a\.csv/, text);
    }
  });

  it('have a zone by name behind the clock in a column of its own', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => `2024-03-01,${String(hour).padStart(2, '0')}:00 Asia/Tokyo,${hour}`); // prettier-ignore
    const { series, columns, format } = readSeries(`date,clock,y\n${hours.join('\n')}\n`, { fileName: 'a.csv' });
    const target = { text: `date,clock,y\n${hours.join('\n')}\n`, fileName: 'a.csv', columns, format };
    const { text } = insertionOf(target, { ...series[0]!, times: [Date.UTC(2024, 2, 1, 15)], values: [7] });
    assert.equal(text, '\n2024-03-02,00:00 Asia/Tokyo,7');
  });

  it('are nested like the JSON rows, and refused if a cell is nested deeper', () => {
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
    const reported = inserted(JSON.stringify(lacking), 'a.json', { ...layout, idColumns: ['w.x'] });
    assert.deepEqual((JSON.parse(reported) as object[]).at(-1), { ...last, 'w.x': 'y' });
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

  it('parse only the end of a large file', () => {
    const rows = Array.from({ length: 4000 }, (_, index) => ({ day: isoInstant(index * 3_600_000), sold: index }));
    const { series, columns, format } = readSeries(JSON.stringify(rows), { fileName: 'a.json' });
    const { id, valueColumn, timeColumn, timeKind } = series[0]!;
    const forecast = { id, valueColumn, timeColumn, timeKind, times: [4000 * 3_600_000], values: [7.5] };
    const [before, ...after] = JSON.stringify(rows).split('},');
    const text = [`${before!}, unread`, ...after].join('},');
    const { text: put } = insertionOf({ text, fileName: 'a.json', columns, format }, forecast);
    assert.deepEqual(JSON.parse(put.slice(1)), { day: isoInstant(4000 * 3_600_000), sold: 7.5 });
  });

  it('are nested under keys such as __proto__ without changing anything else', () => {
    for (const [outer, inner] of [
      ['constructor', 'prototype'],
      ['__proto__', 'x'],
      ['x', '__proto__'],
      ['toString', 'name'],
    ]) {
      const rows = days.map(
        (day) => `{"day":"2024-01-0${String(day)}","${outer!}":{"${inner!}":{"sold":${String(day)}}}}`,
      );
      const reported = inserted(`[${rows.join()}]`, 'a.json');
      assert.ok(reported.endsWith(`{"day":"2024-01-10","${outer!}":{"${inner!}":{"sold":8}}}]`), reported.slice(-120));
      assert.equal(({} as { sold?: number }).sold, undefined);
    }
  });

  it('have date and clock under two JSON keys, and are refused for other split times', () => {
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

  it('are refused with a message for a file of another layout', () => {
    const text = JSON.stringify({ series: days.map((day) => ({ day: `2024-01-0${day}`, sold: day })) });
    assert.throws(
      () => inserted(text, 'a.json'),
      (error) => error instanceof SeriesError && /do not fit into a\.json/.test(error.message),
    );
  });
});
