import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { parquetWriteBuffer } from 'hyparquet-writer';
import writeWorkbook from 'write-excel-file/universal';
import { readSource } from '../../../../src/reading/thread/read-source.ts';
import { writeXlsx } from '../../../../src/reading/binary/write-workbook.ts';
import { SeriesError } from '../../../../src/reading/types.ts';

const day = (n: number, hour = 0) => new Date(Date.UTC(2024, 0, n + 1, hour));
const rows = (count: number, value = (n: number) => n + 0.5) => Array.from({ length: count }, (_, n) => [day(n), value(n)]); // prettier-ignore
const cell = (value: unknown) =>
  value instanceof Date ? { value, type: Date, format: 'yyyy-mm-dd hh:mm' } : typeof value === 'number' ? { value, type: Number } : value === null ? null : { value: String(value), type: String }; // prettier-ignore
const sheet = (name: string, data: readonly (readonly unknown[])[]) => ({ sheet: name, data: data.map((row) => row.map(cell)) }); // prettier-ignore

async function workbook(...sheets: ReturnType<typeof sheet>[]): Promise<Uint8Array> {
  const blob = await writeWorkbook(sheets as Parameters<typeof writeWorkbook>[0]).toBlob();
  return new Uint8Array(await blob.arrayBuffer());
}

const read = (content: Uint8Array, fileName: string, layout = {}) =>
  readSource({ content }, { fileName, layout, missing: 'report' });

async function refusal(reading: Promise<unknown>): Promise<SeriesError> {
  const error: unknown = await reading.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof SeriesError, String(error));
  return error;
}

describe('Excel workbooks', () => {
  it('are read below title rows, with native dates and numbers', async () => {
    const data = [
      ['Sales of the north'],
      ['day', 'sales, €', 'note'],
      ...rows(20).map((row) => [...row, 'a "b", c\nd']),
    ];
    const { series, choices, problems, format } = await read(await workbook(sheet('A', data)), 'north.xlsx');
    assert.deepEqual(problems, []);
    assert.deepEqual(choices.filter(({ kind }) => kind === 'sheet' || kind === 'decimal'), []); // prettier-ignore
    const [one] = series;
    assert.deepEqual([series.length, one?.timeColumn, one?.valueColumn, one?.timeKind], [1, 'day', 'sales, €', 'date']);
    assert.deepEqual([one?.times[1], one?.values[1], one?.points], [day(1).getTime(), 1.5, 20]);
    assert.equal(format.kind, 'csv');
  });

  it('may have digits of full width', async () => {
    const data = [...'１２３４'].map((n) => [`２０２４-０１-０${n}`, `${n}２．５`]);
    const { series } = await read(await workbook(sheet('A', [['day', 'n'], ...data])), 'a.xlsx');
    assert.deepEqual([series[0]?.times[0], series[0]?.values[3]], [Date.UTC(2024, 0, 1), 42.5]);
  });

  it('combine clock cells with the day cells beside them', async () => {
    const clock = (hour: number) => new Date(Date.UTC(1899, 11, 30, hour));
    const data = Array.from({ length: 96 }, (_, n) => [day(Math.floor(n / 24)), clock(n % 24), n + 0.5]);
    const { series } = await read(await workbook(sheet('A', [['Datum', 'Uhrzeit', 'Wert'], ...data])), 'a.xlsx');
    assert.deepEqual([series.length, series[0]?.timeColumn, series[0]?.points], [1, 'Datum + Uhrzeit', 96]);
    assert.equal(series[0]?.times[1], day(0, 1).getTime());
  });

  it('skip the empty range before a distant cell and report positions as the file has them', async () => {
    const book = unzipSync(await workbook(sheet('North & South', [['day', 'n'], ...rows(20)])));
    const [part] = Object.keys(book).filter((name) => name.startsWith('xl/worksheets/sheet'));
    const far = (row: number, column: string) =>
      zipSync({
        ...book,
        [part]: strToU8(strFromU8(book[part]).replace('</sheetData>', `<row r="${row}"><c r="${column}${row}"><v>7</v></c></row></sheetData>`)),
      }); // prettier-ignore
    for (const [row, column] of [
      [99_999_999, 'A'],
      [1_048_576, 'XFD'],
      [1_048_576, 'B'],
    ] as const) {
      const document = await read(far(row, column), 'far.xlsx');
      assert.equal(document.series[0]?.points, 20, `${column}${row}`);
      assert.ok(document.problems.every(({ place = '' }) => place.startsWith("'North & South'!") && place.includes(String(row))), JSON.stringify(document.problems)); // prettier-ignore
      assert.ok(document.problems.length > 0);
    }
    // a diagonal has no gaps to close
    const diagonal = Array.from({ length: 3000 }, (_, n) => {
      const letters = [...(n + 100).toString(26)]
        .map((digit) => String.fromCharCode(65 + parseInt(digit, 26)))
        .join('');
      return `<row r="${n + 100}"><c r="${letters}${n + 100}"><v>1</v></c></row>`;
    });
    const wide = zipSync({ ...book, [part]: strToU8(strFromU8(book[part]).replace('</sheetData>', `${diagonal.join('')}</sheetData>`)) }); // prettier-ignore
    assert.match((await refusal(read(wide, 'wide.xlsx'))).message, /cells that are far apart/);
  });

  it('with a distant cell in one sheet and many rows in another keep the positions of each sheet', async () => {
    const oops = rows(9).map(([time, n], row) => [time, row === 3 ? 'oops' : n]);
    const book = unzipSync(await workbook(sheet('Few', [['day', 'n'], ...rows(20)]), sheet('Many', [['n']]), sheet('Other', [['day', 'n'], ...oops]))); // prettier-ignore
    const append = (part: string, text: string) => {
      book[part] = strToU8(strFromU8(book[part]).replace('</sheetData>', `${text}</sheetData>`));
    };
    // the far row is as wide as it takes for its columns and the rows of the other sheet to be too many together
    const wide = ['', ...'ABC'].flatMap((first) => [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((last) => first + last));
    append('xl/worksheets/sheet1.xml', `<row r="1048576">${wide.map((column) => `<c r="${column}1048576"><v>7</v></c>`).join('')}</row>`); // prettier-ignore
    const other = await read(zipSync(book), 'a.xlsx', { sheet: 'Other' });
    assert.deepEqual(other.problems.map(({ place }) => place), ['Other!B5']); // prettier-ignore
    append('xl/worksheets/sheet2.xml', Array.from({ length: 20_100 }, (_, n) => `<row r="${n + 2}"><c r="A${n + 2}"><v>1</v></c></row>`).join('')); // prettier-ignore
    const few = await read(zipSync(book, { level: 1 }), 'a.xlsx', { sheet: 'Few' });
    assert.equal(few.series[0]?.points, 20);
    assert.ok(few.problems.some(({ place }) => place?.startsWith('Few!') && place.includes('1048576')));
  });

  it('are read although one sheet is a chart', async () => {
    const book = unzipSync(await workbook(sheet('Chart', [['day', 'n']]), sheet('A', [['day', 'n'], ...rows(20)])));
    const relations = 'xl/_rels/workbook.xml.rels';
    const changed = strFromU8(book[relations]).replace(/<Relationship\b(?=[^>]*sheet1\.xml)[^>]*>/, (tag) =>
      tag.replace('/worksheet"', '/chartsheet"').replace('worksheets/', 'chartsheets/'),
    );
    assert.notEqual(changed, strFromU8(book[relations]));
    const document = await read(zipSync({ ...book, [relations]: strToU8(changed) }), 'a.xlsx');
    assert.deepEqual([document.series[0]?.points, document.choices.length], [20, 0]);
  });

  it('keep the hours of a time, and numbers that look like thousands groups', async () => {
    const hours = Array.from({ length: 48 }, (_, n) => [day(0, n), 1.234 + n]);
    const { series } = await read(await workbook(sheet('A', [['time', 'load'], ...hours])), 'load.xlsx');
    assert.deepEqual([series[0]?.times[5], series[0]?.values[0]], [day(0, 5).getTime(), 1.234]);
  });

  it('ask which sheet to read if several have rows', async () => {
    const book = await workbook(sheet('Notes', [['read me']]), sheet('North', [['day', 'n'], ...rows(9)]), sheet('South', [['day', 's'], ...rows(12, (n) => -n)])); // prettier-ignore
    const first = await read(book, 'regions.xlsx');
    const [choice] = first.choices;
    assert.deepEqual([choice?.kind, choice?.suggested, choice?.question], ['sheet', 0, 'Which sheet should be read?']); // prettier-ignore
    assert.deepEqual(choice?.options.map(({ label }) => label), ['North', 'South']); // prettier-ignore
    assert.equal(first.series[0]?.points, 9);
    const other = await read(book, 'regions.xlsx', choice.options[1]?.layout);
    assert.deepEqual([other.series[0]?.valueColumn, other.series[0]?.points, other.choices.length], ['s', 12, 0]);
  });

  it('are one table if each sheet is called by a year and has the same columns below a title', async () => {
    const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
    const ways = [(year: number) => `Sales ${year}`, String, () => 'Sales'];
    for (const [at, title] of ways.entries()) {
      const sheets = [2021, 2022, 2023].map((year) => {
        const data = months.map((month, row) => [month, year - 2000 + row, 7 * row]);
        return sheet(at === 0 ? `Sales ${year}` : String(year), [
          [title(year)],
          [],
          ['month', 'sales', 'orders'],
          ...data,
        ]);
      });
      const { series, choices } = await read(await workbook(...sheets), 'a.xlsx');
      assert.deepEqual(series.map(({ id, points, frequency }) => [id, points, frequency?.unit]), [['sales', 36, 'month'], ['orders', 36, 'month']], title(1)); // prettier-ignore
      assert.ok(choices.every(({ kind }) => kind !== 'sheet'));
    }
  });

  it('name an unreadable cell by its address, and notes by their rows', async () => {
    const wide = [['day', ...Array.from({ length: 27 }, (_, n) => `c${n}`)], ...rows(20).map(([time], n) => [time, ...Array.from({ length: 27 }, (_, c) => (n === 2 && c === 26 ? 'oops' : n))])]; // prettier-ignore
    const book = await workbook(sheet("John's", wide));
    const refused = await refusal(readSource({ content: book }, { fileName: 'a.xlsx' }));
    assert.equal(refused.message, "a.xlsx, 'John''s'!AB4: “oops” is not a number. Treat these cells as missing, or fix the line."); // prettier-ignore
    const twice = [['day', 'n'], ...rows(20), [day(4), 9]];
    const { series, problems } = await read(await workbook(sheet('A', twice)), 'b.xlsx');
    assert.deepEqual([...new Set(problems.map(({ place }) => place))], ['A!22:22']);
    assert.deepEqual(series[0]?.remarks.map(({ text, lines }) => [/ \(rows? [\d, –]+\)$/.test(text), lines]), [[true, []]]); // prettier-ignore
  });

  it('are refused with a message if broken, empty or too large when unpacked', async () => {
    const broken = await refusal(read(new TextEncoder().encode('PK\u0003\u0004 no workbook'), 'broken.xlsx'));
    assert.match(broken.message, /broken\.xlsx is not a readable Excel workbook/);
    const empty = await refusal(read(await workbook(sheet('A', [['only this']])), 'empty.xlsx'));
    assert.match(empty.message, /has no sheet with rows/);
    const bomb = zipSync({ 'xl/worksheets/sheet1.xml': new Uint8Array(60_000_000) }, { level: 9 });
    const refused = await refusal(read(bomb, 'bomb.xlsx'));
    assert.deepEqual([refused.reason, /unpacks to 60 MB/.test(refused.message)], ['too-large', true]);
  });

  it('read back as the same series after writing', async () => {
    const times = rows(5).map(([time]) => (time as Date).getTime());
    const one = { id: 'x', valueColumn: '=x', timeColumn: 'day', timeKind: 'date' as const, times, values: [1, NaN, 3, 4, 5] }; // prettier-ignore
    const format = { kind: 'csv', encoding: 'utf-8', decimal: ',', dateFormat: 'D.M.YYYY', header: true, skippedLines: 0 } as const; // prettier-ignore
    const { series } = await read(await writeXlsx([one], format), 'back.xlsx');
    assert.deepEqual([series[0]?.valueColumn, [...(series[0]?.times ?? [])], [...(series[0]?.values ?? [])]], ['=x', times, [1, NaN, 3, 4, 5]]); // prettier-ignore
  });
});

describe('Parquet files', () => {
  const file = () =>
    new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: 'store', data: [...Array<string>(30).fill('a'), ...Array<string>(30).fill('b')] },
          { name: 'time', data: Array.from({ length: 60 }, (_, n) => day(n % 30)), type: 'TIMESTAMP' },
          { name: 'sold', data: Array.from({ length: 60 }, (_, n) => BigInt(n)), type: 'INT64' },
        ],
      }),
    );

  it('are read by column, from memory and from disk', async () => {
    const inMemory = await read(file(), 'shops.parquet');
    assert.deepEqual(inMemory.series.map(({ id, points }) => [id, points]), [['a', 30], ['b', 30]]); // prettier-ignore
    assert.deepEqual([inMemory.series[1]?.values[2], inMemory.series[1]?.times[2]], [32, day(2).getTime()]);
    const folder = mkdtempSync(path.join(tmpdir(), 'forecasts-parquet-'));
    const name = path.join(folder, 'shops.parquet');
    writeFileSync(name, file());
    const onDisk = await readSource({ path: name }, { fileName: 'shops.parquet' });
    rmSync(folder, { recursive: true });
    assert.deepEqual(onDisk.series.map(({ id }) => id), ['a', 'b']); // prettier-ignore
  });

  it('keep the columns beside one of JSON or bytes', async () => {
    const of = (value: (n: number) => unknown) => Array.from({ length: 20 }, (_, n) => value(n));
    const columnData = [
      { name: 'time', data: of(day), type: 'TIMESTAMP' as const },
      { name: 'tags', data: of((n) => [n, 234]), type: 'JSON' as const },
      { name: 'key', data: of((n) => new Uint8Array([n, 2, 3])), type: 'BYTE_ARRAY' as const },
      { name: 'sold', data: of((n) => n * 3), type: 'INT32' as const },
    ];
    const { series, problems } = await read(new Uint8Array(parquetWriteBuffer({ columnData })), 'tags.parquet');
    assert.deepEqual(problems, []);
    assert.deepEqual(series.map(({ valueColumn, points, values }) => [valueColumn, points, values[5]]), [['sold', 20, 15]]); // prettier-ignore
  });

  it('are refused with a message if corrupt or truncated', async () => {
    for (const content of [new TextEncoder().encode('PAR1 no file PAR1'), file().subarray(0, 200)]) {
      const { reason, message } = await refusal(read(content, 'broken.parquet'));
      assert.deepEqual([reason, /broken\.parquet is not a readable Parquet file/.test(message)], ['unreadable', true]);
    }
  });

  it('that claim more rows than they have are read to their end or refused', async () => {
    const claiming = (rows: number): Uint8Array => {
      const bytes = file();
      const size = new DataView(bytes.buffer).getUint32(bytes.length - 8, true);
      // the third field of the footer, an integer whose lowest bit is its sign
      const at = bytes.findIndex((byte, place) => place >= bytes.length - 8 - size && byte === 0x16 && bytes[place + 1] === 60 * 2); // prettier-ignore
      const digits: number[] = [];
      for (let left = rows * 2; left > 0; left = Math.floor(left / 128)) digits.push((left % 128) + (left > 127 ? 128 : 0)); // prettier-ignore
      const reported = Uint8Array.from([...bytes.subarray(0, at + 1), ...digits, ...bytes.subarray(at + 2)]);
      new DataView(reported.buffer).setUint32(reported.length - 8, size + digits.length - 1, true);
      return reported;
    };
    for (const rows of [61, 10_000_000]) assert.deepEqual((await read(claiming(rows), 'a.parquet')).series.map(({ points }) => points), [30, 30]); // prettier-ignore
    for (const rows of [1e9, 1e15]) assert.equal((await refusal(read(claiming(rows), 'a.parquet'))).reason, 'too-large'); // prettier-ignore
  });
});
