import assert from 'node:assert/strict';
import { cellFinder, cutRows } from '../../../../src/reading/text/rows.ts';
import { sniffDialect } from '../../../../src/reading/text/delimited.ts';
import { brief, lines, only, pad, read } from '../helpers.ts';

const day = (i: number) => `2024-01-${pad(i + 1)}`;
const DAILY = 'P1D 2024-01-01..2024-01-20 20 0';
const dialect = (text: string) => {
  const { delimiter, header, linesBefore, width } = sniffDialect(text, {});
  return { delimiter, header, linesBefore, width };
};

describe('dialect of a text', () => {
  it('has the delimiter that splits rows evenly, also if another one occurs in cells', () => {
    for (const delimiter of [',', ';', '\t', '|', ' '] as const) {
      const text = lines(20, (i) => [day(i), i].join(delimiter), ['day', 'sold'].join(delimiter));
      assert.deepEqual(dialect(text), { delimiter, header: ['day', 'sold'], linesBefore: 0, width: 2 }, delimiter);
    }
    assert.equal(dialect(lines(20, (i) => `${day(i)};${i},5`, 'day;sold, net')).delimiter, ';');
    assert.equal(dialect(lines(20, (i) => String(i * 3))).delimiter, '');
    const quoted = lines(20, (i) => `${day(i)},"Smith, John; Jr.",${i}`, 'day,name,sold');
    assert.equal(dialect(quoted).delimiter, ',');
  });

  it('has a header below titles and comments, or none', () => {
    const text = `Sales of all shops\nSource: the till\n\n${lines(20, (i) => `${day(i)},${i}`, 'day,sold')}`;
    assert.deepEqual(dialect(text), { delimiter: ',', header: ['day', 'sold'], linesBefore: 3, width: 2 });
    assert.equal(brief(only(text)), `sold ${DAILY}`);
    assert.equal(dialect(lines(20, (i) => `${day(i)},${i}`)).header, undefined);
    assert.equal(brief(only(`# day,sold\n${lines(20, (i) => `${day(i)},${i}`)}`)), `sold ${DAILY}`);
  });

  it('has no header in a data row with a word that may name a time, such as a trace of rain', () => {
    const text = lines(
      20,
      (i) => `"US1","${day(i)}","${i + 5}","${i % 4 ? '0.01' : 'T'}"`,
      '"STATION","DATE","TMAX","PRCP"',
    );
    assert.deepEqual(dialect(text).header, ['STATION', 'DATE', 'TMAX', 'PRCP']);
    assert.equal(brief(only(text)), `TMAX ${DAILY}`);
  });

  it('begins with the first rows where a device that failed soon after wrote words', () => {
    const failing = (i: number) => (i >= 3 && i < 13 ? 'offline,offline' : `${i},${i}`);
    const dated = lines(60, (i) => `${new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10)},${failing(i)}`);
    assert.equal(sniffDialect(`day,a,b\n${dated}`, {}).firstLine, 2);
    assert.equal(sniffDialect(dated, {}).header, undefined);
    assert.equal(
      sniffDialect(
        lines(60, (i) => `${i},${failing(i)}`, 'id,a,b'),
        {},
      ).firstLine,
      2,
    );
  });

  it('keeps a row of names whose first cell is a time', () => {
    const clock = (i: number) => `${String(Math.floor(i / 6) + 1).padStart(2, '0')}:${i % 6}0:00 AM`;
    const rows = Array.from(
      { length: 30 },
      (_, i) => `${clock(i)}     all     ${20 + (i % 5)}.60      0.00      5.90      0.10      0.00     70.40`,
    );
    const names = '12:00:00 AM     CPU     %user     %nice   %system   %iowait    %steal     %idle';
    const text = `Linux 5.15.0-91-generic (web1) \t01/10/2024 \t_x86_64_\t(4 CPU)\n\n${names}\n${rows.join('\n')}\n`;
    assert.equal(dialect(text).header?.slice(-7).join(), 'CPU,%user,%nice,%system,%iowait,%steal,%idle');
  });

  it('reads the unnamed row names of R', () => {
    const text = lines(20, (i) => `${i + 1},${day(i)},${i * 2}`, 'day,sold');
    assert.equal(brief(only(text, 'file.csv', { valueColumns: ['sold'] })), `sold ${DAILY}`);
  });

  it('is refused for a table of a million columns without a search', () => {
    for (const delimiter of [',', ';', '\t']) {
      const wide = lines(3, (row) => Array.from({ length: 1_000_000 }, () => row).join(delimiter));
      assert.throws(() => read(wide), { name: 'SeriesError', reason: 'too-large', message: /more than 20,000 columns/ }); // prettier-ignore
    }
  });

  it('is found at once beside a cell of thousands of blanks', () => {
    const text = lines(20, (i) => `${day(i)},${i === 9 ? `"${'2024-01-01 '.repeat(6000)}"` : i}`, 'day,sold');
    read(text, 'file.csv', {});
    const times = Array.from({ length: 9 }, () => {
      const before = process.threadCpuUsage();
      assert.equal(dialect(text).delimiter, ',');
      return process.threadCpuUsage(before).user;
    });
    // a busy machine may double all of them, a search from each blank takes seconds
    assert.ok(Math.min(...times) < 200_000, `${times.join()} microseconds`);
  });

  it('does not depend on line endings', () => {
    const text = lines(20, (i) => `${day(i)},${i}`, 'day,sold');
    for (const end of ['\r\n', '\r']) assert.equal(brief(only(text.replaceAll('\n', end))), `sold ${DAILY}`);
    assert.equal(brief(only(text.trimEnd())), `sold ${DAILY}`);
  });

  it('has the header by which its best reading gives most', () => {
    const header = (head: string, row: (i: number) => string) => dialect(lines(20, row, head)).header;
    const total = header(',Visitors,Visits\nDay,7681,9250', (i) => `${day(i)},${i + 300},${i + 400}`);
    assert.deepEqual(total, ['', 'Visitors', 'Visits'], 'no row of totals that names the time');
    const titled = header('SunOS db01 5.11 i86pc x 01/10/2024\n\n00:00:01 %usr %sys %wio %idle', (i) => `00:${10 + i}:01 ${i} 1 0 ${99 - i}`); // prettier-ignore
    assert.deepEqual(titled, ['00:00:01', '%usr', '%sys', '%wio', '%idle'], 'no title that is about as wide');
    const labels = header('Unit\tVolts\tVolts\nX_Value\tleft\tright', (i) => `${i}.0\t${i}.5\t${i}.7`);
    assert.deepEqual(labels, ['X_Value', 'left', 'right'], 'no labels that repeat');
    const sheet = header(',Employed,Share\nUnit,000,Percent', (i) => `Jan-${2000 + i},${i}.5,4.${i}`);
    assert.deepEqual(sheet, ['', 'Employed', 'Share'], 'no numbers');
    const empty = (i: number) => `sensor.power\t\t${day(i)} 00:00:00\t\t\t\t${i}.5`;
    assert.equal(dialect(lines(20, empty, 'id\tunit\tstart\tmin\tmax\tmean\tsum')).delimiter, '\t');
  });

  it('keeps line numbers after comments, blank lines and cells with line breaks', () => {
    const text = 'a,b\n# one, "two"\n\n1,2\n"x\ny",3\n// two\n4,5';
    assert.deepEqual(cutRows(text, ',', { line: 3 }).rows.map(({ line }) => line), [3, 4, 6, 7, 9, 10]); // prettier-ignore
    const rows = lines(20, (i) => `${day(i)},${i === 9 ? '?!' : i}${i === 4 ? '\n# late,"so\n\n' : ''}`, 'day,sold');
    const { problems, series } = read(rows);
    assert.deepEqual(problems.map(({ line, kind }) => [line, kind]), [[7, 'note'], [14, 'not-a-number']]); // prettier-ignore
    assert.equal(series[0]?.points, 19);
  });

  it('takes quotation marks that nothing closes above the table for signs', () => {
    const above = '"Station 5, a\n"By hand, of 1\n"Rain "\n';
    const table = lines(28, (i) => `${day(i)},"a, b",${i}`, 'day,place,sold');
    for (const text of [above + table, above.replaceAll(',', ' ') + table]) {
      const [series] = read(text).series;
      assert.deepEqual([series?.points, series?.valueColumn], [28, 'sold'], text.slice(0, 40));
    }
  });

  it('has the names in a comment shorter than the rows, or with blanks in them, and those of the nearest table', () => {
    const columnsOf = (text: string) => read(text).columns;
    const bank = `Owner;\n#Date;#Text;#Sum;\n${lines(28, (i) => `${day(i)};a;${i},5;;`)}`;
    assert.deepEqual(columnsOf(bank).slice(0, 3), ['Date', 'Text', 'Sum']);
    const quoted = `"# of sale","Net, of tax",Sum\n${lines(28, (i) => `${day(i)},${i},${i * 5}`)}`;
    assert.deepEqual(columnsOf(quoted), ['of sale', 'Net, of tax', 'Sum']);
    const apart = `       eth0\nDate        KB/s in  KB/s out\n${lines(28, (i) => `${day(i)}  ${i}.5  ${i * 7}`)}`;
    assert.deepEqual(columnsOf(apart), ['Date', 'KB/s in', 'KB/s out']);
    const signed = `% of 1951\n% Date, Rain, Air\n\n${lines(28, (i) => `${day(i)}  ${i}.5  ${i * 7}`)}`;
    assert.deepEqual(columnsOf(signed), ['Date', 'Rain', 'Air']);
    const below = `nr,kind,place\n7,x,33\n\n日,時,量\n${lines(28, (i) => `${day(i)},08:00,${i}`)}`;
    assert.deepEqual(columnsOf(below), ['日', '時', '量']);
  });

  it('suggests the sign for three decimals by the writing of the days where semicolons cut', () => {
    const suggested = (write: (i: number) => string) =>
      read(lines(28, write, 'when;flow')).choices.find(({ kind }) => kind === 'decimal')?.suggested;
    assert.equal(
      suggested((i) => `${day(i)};${(i % 7) + 1}.${123 + i}`),
      0,
    );
    assert.equal(
      suggested((i) => `${String(i + 1).padStart(2, '0')}.01.2024;${(i % 7) + 1}.${123 + i}`),
      1,
    );
    assert.equal(
      suggested((i) => `${day(i)};${(i % 7) + 1},${123 + i}`),
      1,
    );
  });

  it('has a header whose only name is above the last of several columns', () => {
    for (const title of ['', 'Market data;;\n'])
      assert.equal(brief(only(`${title};;Prices\n${lines(20, (i) => `${day(i)};08:00;${i},5`)}`)), 'Prices P1D 2024-01-01T08:00..2024-01-20T08:00 20 0'); // prettier-ignore
    assert.equal(only(`Report of prices;;\n${lines(20, (i) => `${day(i)};08:00;${i},5`)}`).valueColumn, 'Column 3');
  });
});

describe('spreadsheet formulas and notes with commas', () => {
  it('reads the text within ="…", also in the header', () => {
    const text = lines(9, (row) => `="2024-01-0${row + 1}",="${row}.5"`, '="day","=load"').replace('"=load"', '="load"'); // prettier-ignore
    assert.equal(brief(only(text)), 'load P1D 2024-01-01..2024-01-09 9 0');
  });

  it('leaves out notes that begin like comments or fill few cells without number or time', () => {
    const rows = lines(9, (row) => `2024-01-0${row + 1},${row},${row},x`, 'day,a,b,note');
    for (const remark of [
      'Source: National Office, 2024.',
      'Quelle: Amt, Bonn, 2024',
      'EDGE (c) European Union, 2001-2024',
    ]) {
      const { series, problems } = read(`${rows}\n${remark}\n`);
      assert.deepEqual(series.map(({ points }) => points), [9, 9], remark); // prettier-ignore
      assert.deepEqual(problems.map(({ line, severity }) => [line, severity]), [[12, 'info']], remark); // prettier-ignore
    }
    const remarked = lines(9, (row) => `${row === 2 ? 'ok' : 'Note: late'},2024-01-0${row + 1},${row}`, 'note,day,a');
    assert.deepEqual(read(remarked).series.map(({ points }) => points), [9], 'a column of remarks'); // prettier-ignore
    const ids = lines(
      18,
      (row) => `Source: ${row % 2 ? 'web' : 'shop'},2024-01-0${(row >> 1) + 1},${row},`,
      'kind,day,a,b',
    );
    assert.deepEqual(read(ids).series.map(({ points }) => points), [9, 9], 'names that begin as remarks do'); // prettier-ignore
    const late = lines(9, (row) => `${row > 6 ? 'Note: late' : row},2024-01-0${row + 1},${row},`, 'kind,day,a,b');
    assert.deepEqual(read(late).series.find(({ valueColumn }) => valueColumn === 'a')?.points, 9, 'remarks with a time'); // prettier-ignore
    const long = lines(9, (row) => `shop,2024-01-0${row + 1},${row === 4 ? '' : row},,`, 'id,day,a,b,c');
    assert.equal(read(long).problems.length, 0, 'a row of a name, a time and nothing else is a row');
  });
});

describe('second table below the first', () => {
  const hours = lines(30, (row) => `2024-01-0${1 + Math.floor(row / 24)}T${pad(row % 24)}:00,${row % 7}`, 'time,temp');
  const days = lines(9, (row) => `2024-01-0${row + 1},${row}`, 'time,highest');

  it('is left out and reported with its line, also with its own time or below comments', () => {
    for (const [text, line] of [
      [`latitude,longitude,timezone\n52.5,13.4,GMT\n\n${hours}\n${days}`, 36],
      [`${hours}# ---\n# Sources\nSource,Sessions\ngoogle,123\n(direct),55\n`, 34],
    ] as const) {
      const { series, problems } = read(text);
      assert.deepEqual(series.map(brief), ['temp PT1H 2024-01-01..2024-01-02T05:00 30 0']);
      assert.deepEqual(problems.map((problem) => [problem.line, problem.severity, problem.message]), [[line, 'warning', 'Another table begins here. It was left out, together with everything below it. To read it, put it into a file of its own.']]); // prettier-ignore
    }
  });

  it('is the one that is read if it has the rows', () => {
    const rows = lines(
      12,
      (row) => `2024-01-01T${pad(row)}:00,${row},${row * 2},${row * 3},${row % 5}`,
      'time,a,b,c,d',
    );
    const text = `latitude,longitude,elevation,utc_offset_seconds,timezone,abbreviation\n52.5,13.4,38,0,GMT,GMT\n\n${rows}`;
    assert.deepEqual(read(text).series.map(({ id }) => id), ['a', 'b', 'c', 'd']); // prettier-ignore
  });

  it('is not assumed after a repeated header, for text cells, or without a separator', () => {
    const [head, ...own] = days.trim().split('\n');
    const again = [head, ...own.slice(0, 4), '', head, ...own.slice(4)].join('\n');
    assert.equal(only(again).points, 9);
    const named = lines(9, (row) => `${row === 5 ? '\n' : ''}2024-01-0${row + 1},${row},x`, 'time,v,note');
    assert.equal(only(named).points, 9);
    const closed = ['date,v', ...own.slice(0, 4), '', 'closed,closed', ...own.slice(4)].join('\n');
    assert.equal(only(closed).points, 9, 'and is told as cells that are no times and numbers');
    const row = (at: number) => `2024-01-${pad(at + 1)},Oslo,${at}`;
    const long = (between: string) => lines(28, (at) => `${at === 14 ? between : ''}${row(at)}`, 'date,shop,sales');
    for (const between of ['\nDate,Shop,Sales\n', '\nDay,Monday,\n', '\nPeriod,Second half,\n', '\n# part\nNorth,open,\n'])
      assert.equal(only(long(between)).points, 28, between); // prettier-ignore
    assert.equal(read(`${long('')}\nmonth,sales`).problems.at(-1)?.severity, 'warning', 'a head without rows');
  });
});

describe('repeated names in a header', () => {
  const rows = (count: number) => lines(12, (row) => `2024-01-${10 + row},${Array.from({ length: count }, (_, at) => row * 3 + at).join()}`); // prettier-ignore
  const names = (head: string, count = 4) => read(`${head}\n${rows(count)}`).series.map(({ id }) => id);

  it('are told apart by another header row, also if that fills only its first cells', () => {
    const reported = ['sales Bonn', 'visits Bonn', 'sales Rome', 'visits Rome'];
    assert.deepEqual(names(',Bonn,Bonn,Rome,Rome\ndate,sales,visits,sales,visits'), reported);
    assert.deepEqual(names(',Bonn,,Rome,\ndate,sales,visits,sales,visits'), reported);
    assert.deepEqual(names('Shops 2024\n\n,Bonn,,Rome,\ndate,sales,visits,sales,visits'), reported);
    assert.deepEqual(names('Price,Close,Close,High,High\nTicker,A,B,A,B\nDate,,,,'), ['Close A', 'Close B', 'High A', 'High B']); // prettier-ignore
  });

  it('are numbered if nothing tells them apart', () => {
    assert.deepEqual(names('date,sales,visits,sales,visits'), ['sales', 'visits', 'sales (2)', 'visits (2)']);
    assert.deepEqual(names(',Bonn,Bonn,Bonn,Bonn\ndate,sales,visits,sales,visits'), ['sales', 'visits', 'sales (2)', 'visits (2)']); // prettier-ignore
    assert.deepEqual(names(',Bonn,Rome\ndate,sales,visits', 2), ['sales', 'visits']);
  });
});

describe('malformed rows', () => {
  it('are reported: too many cells, too few, notes below the table', () => {
    const row = (i: number) => (i === 4 ? `${day(i)},4,9` : i === 7 ? day(i) : `${day(i)},${i}`);
    const { problems, series } = read(`${lines(20, row, 'day,sold')}Source: the till\n`);
    const kinds = problems.map(({ line, kind, severity }) => [line, kind, severity]);
    assert.ok(
      kinds.some(([line, kind, severity]) => line === 6 && kind === 'ragged' && severity === 'error'),
      JSON.stringify(kinds),
    );
    assert.ok(
      kinds.some(([line, kind]) => line === 22 && kind === 'note'),
      JSON.stringify(kinds),
    );
    assert.deepEqual([series[0]?.points, series[0]?.missing], [19, 1]);
  });

  it('are left out if they repeat the header, as in concatenated files', () => {
    const part = (from: number) => lines(10, (i) => `${day(from + i)},${from + i}`, 'day,sold');
    const { series, problems } = read(part(0) + part(10));
    assert.equal(brief(series[0]!), `sold ${DAILY}`);
    assert.deepEqual(problems, []);
  });

  it('have cells that can be located in their line', () => {
    const finder = cellFinder('day, sold ,"a,b"\n1,,3\n', ',');
    assert.deepEqual([0, 1, 2].map((cell) => finder(1, cell)), [
      { column: 1, endColumn: 4 },
      { column: 6, endColumn: 10 },
      { column: 12, endColumn: 17 },
    ]); // prettier-ignore
    assert.deepEqual(finder(2, 1), { column: 3, endColumn: 3 }, 'an empty cell has a place of no width');
    assert.deepEqual([finder(2, 3), finder(9, 0)], [undefined, undefined]);
    assert.deepEqual(cellFinder('  1   2', ' ')(1, 1), { column: 7, endColumn: 8 });
  });
});
