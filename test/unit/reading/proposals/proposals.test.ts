import assert from 'node:assert/strict';
import { brief, lines, MONTHS_EN, only, pad, read } from '../helpers.ts';

const DAY = 86_400_000;
const iso = (day: number) => new Date(Date.UTC(2024, 0, 1) + day * DAY).toISOString().slice(0, 10);
const clock = (minutes: number) => `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}:${pad((minutes * 7) % 60)}`;
const labels = (text: string) => read(text).choices.map(({ kind, options }) => [kind, ...options.map(({ label }) => label)]); // prettier-ignore

describe('event rows', () => {
  /** 5 to 8 orders a day at any time of it. */
  const orders = lines(390, (i) => `${50_000 + i * 3},${iso(Math.floor(i / 6.5))} ${clock((i * i * 61 + i * 17) % 1440)},${(i * 13) % 47}.5,${'abc'[i % 3]!}`, 'Order Number,Created,Total,Item'); // prettier-ignore

  it('are summed, counted or averaged after one question', () => {
    const document = read(orders);
    assert.deepEqual(labels(orders), [['aggregate', 'Sum of Total per day', 'Number of rows per day', 'Average of Total per day', 'Rows as they are']]); // prettier-ignore
    const [series] = document.series;
    assert.deepEqual([series?.valueColumn, series?.duplicates, series?.aggregate], ['Total', 0, { step: { unit: 'day', count: 1 }, by: 'sum' }]); // prettier-ignore
    const count = read(orders, 'orders.csv', document.choices[0]?.options[1]?.layout);
    assert.deepEqual([count.series.length, count.choices], [1, []]);
    assert.equal(
      count.series[0]?.values.reduce((sum, value) => sum + value),
      390,
    );
    const plain = read(orders, 'orders.csv', document.choices[0]?.options[3]?.layout);
    assert.equal(plain.series[0]?.aggregate, undefined);
    assert.ok(document.roles.some(({ column, role }) => column === 'Order Number' && role === 'left-out'));
  });

  it('are summed by quantity, not by price, and by order if lines add up to it', () => {
    const price = [2.5, 4.25, 7.95, 12.75, 1.65];
    const lines1 = lines(400, (i) => `INV${500 + Math.floor(i / 4)},item ${'abcde'[(i * i) % 5]!},${1 + ((i * 7) % 12)},${iso(Math.floor(i / 12))} ${clock((Math.floor(i / 4) ** 2 * 61) % 1440)},${price[(i * i) % 5]!}`, 'InvoiceNo,Description,Quantity,InvoiceDate,UnitPrice'); // prettier-ignore
    assert.equal(labels(lines1)[0]?.[1], 'Sum of Quantity per day');
    const order = (i: number) => (i % 3 === 0 ? `${20 + ((i * 7) % 31)},5,${25 + ((i * 7) % 31)}` : ',,');
    const shop = lines(300, (i) => `#${1000 + Math.floor(i / 3)},${iso(Math.floor(i / 7))} ${clock(Math.floor(i / 3) * 97 % 1440)},${order(i)},1,item ${'abcde'[(i * i) % 5]!},${price[(i * i) % 5]!}`, 'Name,Created at,Subtotal,Shipping,Total,Lineitem quantity,Lineitem name,Lineitem price'); // prettier-ignore
    assert.equal(labels(shop)[0]?.[1], 'Sum of Total per day');
  });

  it('are recognized at whole hours too, apart from sensor readings', () => {
    const every3 = (i: number) => `${iso(Math.floor(i / 8))} ${pad((i % 8) * 3)}:00:00`;
    const orders3 = lines(
      240,
      (i) => `${7000 + i * 3 + (i % 2)},${every3(i)},${(i * 7919) % 97}.5`,
      'Order No,Created,Total',
    );
    assert.deepEqual(labels(orders3)[0]?.slice(0, 2), ['aggregate', 'Sum of Total per day']);
    const sensor = lines(240, (i) => `${7000 + i * 3},${every3(i)},${(20 + 5 * Math.sin(i / 9)).toFixed(2)}`, 'reading no,Time,Temp'); // prettier-ignore
    assert.equal(read(sensor).series[0]?.aggregate, undefined);
    const measured = lines(240, (i) => `${iso(Math.floor(i / 24))} ${pad(i % 24)}:0${(i * 7) % 5}:${pad((i * 37) % 60)},id${i},${(i * 7919) % 97}.5`, 'Time,Test-ID,Mbit/s'); // prettier-ignore
    assert.equal(read(measured).series[0]?.aggregate, undefined);
  });

  it('are not a few repeated rows', () => {
    const days = lines(40, (i) => `${iso(i === 20 ? 19 : i)},${i}`, 'day,sold');
    assert.deepEqual(read(days).choices, []);
    assert.equal(only(days).duplicates, 1);
  });
});

describe('numeric key columns', () => {
  it('are found by their effect under any name', () => {
    const text = lines(120, (i) => `${iso(i >> 2)},${10 + (i % 2)},${200 + ((i >> 1) % 2)},${(i * 7) % 31}`, 'day,floor,wing,visitors'); // prettier-ignore
    assert.deepEqual(read(text).series.map(brief), ['10/200', '11/200', '10/201', '11/201'].map((id) => `${id} P1D 2024-01-01..2024-01-30 30 0`)); // prettier-ignore
  });

  it('are not order numbers or flags', () => {
    const text = lines(
      90,
      (i) => `${iso(Math.floor(i / 3))},${i * 17},${i % 2},${(i * 7) % 31}`,
      'day,order,paid,total',
    );
    assert.deepEqual(labels(text).map(([kind]) => kind), ['aggregate']); // prettier-ignore
  });

  it('are flags where nothing else tells the rows of each time apart', () => {
    const text = lines(120, (i) => `${iso(i >> 2)},${(i >> 1) % 2},${i % 2},${(i * 7) % 31}.5`, 'day,unit,is_used,target'); // prettier-ignore
    assert.deepEqual(read(text).series.map(brief), ['0/0', '0/1', '1/0', '1/1'].map((id) => `${id} P1D 2024-01-01..2024-01-30 30 0`)); // prettier-ignore
  });
});

describe('times on both axes', () => {
  const cells = (row: number, count: number) => Array.from({ length: count }, (_, i) => row * count + i).join();

  it('are months by years in either orientation', () => {
    const down = lines(12, (row) => `${MONTHS_EN[row]!},${[0, 1, 2].map((year) => year * 12 + row).join()}`, 'Month,2021,2022,2023'); // prettier-ignore
    const across = lines(3, (row) => `${2021 + row},${cells(row, 12)}`, `Year,${MONTHS_EN.join()}`);
    for (const text of [down, across]) {
      const series = only(text);
      assert.equal(brief(series), 'file P1M 2021-01-01..2023-12-01 36 0');
      assert.deepEqual([...series.values.slice(0, 3), series.values[35]], [0, 1, 2, 35]);
    }
  });

  it('are hours down and days across', () => {
    const text = lines(24, (row) => `${pad(row)}:00,${[0, 1, 2, 3].map((day) => day * 24 + row).join()}`, `hour,${[0, 1, 2, 3].map(iso).join()}`); // prettier-ignore
    const series = only(text);
    assert.equal(brief(series), 'file PT1H 2024-01-01..2024-01-04T23:00 96 0');
    assert.deepEqual([...series.values.slice(0, 3)], [0, 1, 2]);
  });

  it('are the longest of several blocks of numbered columns', () => {
    const names = (word: string) => Array.from({ length: 52 }, (_, step) => `${word}${step}`);
    const head = ['product', ...names('W'), 'min', 'max', ...names('Normalized ')].join();
    const { series } = read(lines(8, (row) => `P${row},${Array.from({ length: 106 }, (_, at) => (row + 3) * at).join()}`, head)); // prettier-ignore
    assert.deepEqual([series.length, series[0]!.points, series[1]!.values[51]], [8, 52, 4 * 51]);
  });

  it('are numbered steps with a series in each row', () => {
    const text = lines(6, (row) => `item ${row},${'xyz'[row % 3]!},${cells(row, 40)}`, `id,cat,${Array.from({ length: 40 }, (_, i) => `d_${i + 1}`).join()}`); // prettier-ignore
    const { series } = read(text);
    assert.deepEqual(series.map(({ id, points, timeKind }) => [id, points, timeKind]), Array.from({ length: 6 }, (_, row) => [`item ${row}`, 40, 'row'])); // prettier-ignore
    const counted = lines(6, (row) => `N${row},40,${cells(row, 40)}`, `Series,N,${Array.from({ length: 40 }, (_, i) => i + 1).join()}`); // prettier-ignore
    assert.deepEqual(read(counted).series.map(({ id, points }) => [id, points]), Array.from({ length: 6 }, (_, row) => [`N${row}`, 40])); // prettier-ignore
  });
});

describe('preamble of a table', () => {
  it('gives the day of clocks, the year of months and the days that are counted', () => {
    const clocks = lines(
      30,
      (i) => `${pad(Math.floor(i / 6))}:${i % 6}0:00 ${i}`,
      'Linux 5.15 (web1) 2024-03-05\n\ntime load',
    );
    assert.equal(brief(only(clocks)), 'load PT10M 2024-03-05..2024-03-05T04:50 30 0');
    const months = lines(12, (i) => `${MONTHS_EN[i]!},${i}`, 'Report of 2022\n\nMonth,Sales');
    assert.equal(brief(only(months)), 'Sales P1M 2022-01-01..2022-12-01 12 0');
    const days = lines(
      31,
      (i) => `${String(i).padStart(4, '0')},${i * 3}`,
      '# Start date: 20240101\n# End date: 20240131\nNth day,Users',
    );
    assert.equal(brief(only(days)), 'Users P1D 2024-01-01..2024-01-31 31 0');
  });
});

describe('lines that begin with #', () => {
  it('are rows if most lines begin so', () => {
    const text = lines(30, (i) => `#${1000 + i},${iso(i)},${i}`, 'Name,Day,Total');
    assert.equal(brief(only(text, 'file.csv', { valueColumns: ['Total'] })), 'Total P1D 2024-01-01..2024-01-30 30 0');
  });
});

describe('header of a table', () => {
  it('includes units below it and may repeat its names', () => {
    const logger = `"TOA5","CR1000","x"\n"TIMESTAMP","RECORD","Temp"\n"TS","RN","Deg C"\n"","","Avg"\n${lines(30, (i) => `"${iso(i)} 00:00:00",${i},${i % 9}.5`)}`;
    assert.equal(brief(only(logger, 'file.csv', { valueColumns: ['Temp'] })), 'Temp P1D 2024-01-01..2024-01-30 30 0');
    const rows = (from: number) => lines(10, (i) => `${iso(from + i)} ${from + i}`);
    assert.equal(brief(only(`day load\n${rows(0)}day load\n${rows(10)}`)), 'load P1D 2024-01-01..2024-01-20 20 0');
    const drawn = `--------\n|day|load|\n--------\n${lines(20, (i) => `|${iso(i)}|${i}|`)}--------\n`;
    assert.equal(brief(only(drawn)), 'load P1D 2024-01-01..2024-01-20 20 0');
  });
});

describe('times on an axis', () => {
  it('are fiscal periods, and clock ranges beside days', () => {
    const periods = lines(24, (i) => `FY${22 + Math.floor(i / 12)} P${pad((i % 12) + 1)},${i}`, 'Period,Sales');
    assert.equal(brief(only(periods)), 'Sales P1M 2022-01-01..2023-12-01 24 0');
    const split = lines(48, (i) => `${2022 + Math.floor(i / 24)};0${pad((Math.floor(i / 2) % 12) + 1)};${['Sales', 'Rent'][i % 2]!};${i}.5`, 'Fiscal Year;Posting Period;Account;Balance'); // prettier-ignore
    assert.deepEqual(read(split).series.map(brief), ['Sales', 'Rent'].map((id) => `${id} P1M 2022-01-01..2023-12-01 24 0`)); // prettier-ignore
    const at = (half: number) => `${pad(Math.floor(half / 2) % 24)}:${half % 2 ? '30' : '00'}`;
    const spans = lines(96, (i) => `${iso(Math.floor(i / 48))},${at(i % 48)}–${at((i % 48) + 1)},${i % 7}`, 'Date,Interval,Calls'); // prettier-ignore
    assert.equal(brief(only(spans)), 'Calls PT30M 2024-01-01..2024-01-02T23:30 96 0');
  });

  it('are numeric parts in unnamed columns', () => {
    const hours = lines(72, (i) => `${iso(Math.floor(i / 24))},${i % 24},${(i * 7) % 31}.5`);
    assert.deepEqual(read(hours).series.map(brief), ['file PT1H 2024-01-01..2024-01-03T23:00 72 0']);
    const months = lines(
      30,
      (i) => `${2020 + Math.floor(i / 12)};${MONTHS_EN[i % 12]!};${i}.5;${(i * 7) % 31}`,
      ';;Prices;Change',
    );
    assert.equal(read(months).series.map(brief)[0], 'Prices P1M 2020-01-01..2022-06-01 30 0');
  });

  it('take the order of day and month from consecutive days, also of irregular times', () => {
    const at = (i: number) =>
      `${pad(1 + (Math.floor(i / 20) % 12))}/01/2024`.replace(/^(..)\/01/, (_, day: string) => `01/${day}`);
    const text = lines(100, (i) => `${at(i)} ${clock((i % 20) * 60 + ((i * i) % 37))},${i % 9}.5`, 'when,level');
    assert.deepEqual(
      read(text)
        .choices.map(({ kind }) => kind)
        .filter((kind) => kind === 'date-order'),
      [],
    );
  });
});

describe('equally likely readings', () => {
  it('become a question if plain numbers below years may be quarters, months, weeks or series', () => {
    for (const [many, points, label] of [
      [4, 80, 'Quarters of a year'],
      [12, 240, 'Months of a year'],
      [52, 1040, 'Weeks of a year'],
    ] as const) {
      // prettier-ignore
      const numbers = Array.from({ length: many }, (_, i) => i + 1);
      const text = lines(20, (i) => `${1990 + i},${numbers.map((n) => (n * 37 + i * 11) % 101).join()}`, `year,${numbers.join()}`); // prettier-ignore
      const { choices } = read(text);
      assert.deepEqual(labels(text), [['reading', label, 'Separate series']]);
      const [across, apart] = choices[0]!.options.map(({ layout }) => read(text, 'shops.csv', layout));
      assert.deepEqual([across!.series.length, across!.series[0]!.points, across!.choices], [1, points, []]);
      assert.deepEqual([apart!.series.length, apart!.series[0]!.points], [many, 20]);
      assert.deepEqual(apart!.choices.map(({ kind }) => kind), ['value-columns']); // prettier-ignore
    }
  });

  it('say how many series each gives, also if a column tells rows apart', () => {
    const text = lines(30, (i) => `${'ABC'[i % 3]!},${2010 + Math.floor(i / 3)},${[1, 2, 3, 4].map((n) => (n * 7 + i) % 11).join()}`, 'region,year,1,2,3,4'); // prettier-ignore
    assert.deepEqual(read(text).choices[0]!.options.map(({ detail }) => detail), ['3 series · 40 points', '12 series · 10 points']); // prettier-ignore
  });

  it('are asked once if the order of day and month shifts all rows of a day alike', () => {
    const row = (i: number) => `03/04/2024 08:${pad(i)}:00.${100 + i},${i % 7}.25,${(i * 5) % 11}.5`;
    const text = lines(60, row, '(PDH-CSV 4.0),CPU,Memory');
    assert.deepEqual(read(text).choices.map(({ kind }) => kind), ['value-columns']); // prettier-ignore
    assert.deepEqual(read(text).problems.map(({ message }) => message), ['All rows are from one day: 03/04/2024 08:00:00.100 is read as month, day, year.']); // prettier-ignore
    const one = lines(60, (i) => `03/04/2024 08:${pad(i)}:00,${i % 7}.25`, 'time,CPU');
    assert.deepEqual(read(one).choices.map(({ kind }) => kind), ['date-order']); // prettier-ignore
  });

  it('include minutes beside hours as a time, but not minima', () => {
    const at = (i: number, minutes: number) => new Date(Date.UTC(2024, 3, 1) + i * minutes * 60_000);
    const dayOf = (i: number, minutes: number) => at(i, minutes).toISOString().slice(0, 10);
    const parts = (i: number) => `${dayOf(i, 15)},${at(i, 15).getUTCHours()},${at(i, 15).getUTCMinutes()},${(i * 7) % 11}`; // prettier-ignore
    const measured = read(lines(480, parts, 'Date,Hour,Minute,Flow'));
    assert.deepEqual([measured.series.map((one) => brief(one)), measured.isUncertain], [['Flow PT15M 2024-04-01..2024-04-05T23:45 480 0'], false]); // prettier-ignore
    // hours from 1 to 24, each of them the end of an hour
    const ends = (i: number) => `${dayOf(i, 60)},${(i % 24) + 1},0,${(i * 7) % 11}`;
    assert.deepEqual(read(lines(480, ends, 'Date,Hour,Minute,Flow')).series.map((one) => brief(one)), [
      'Flow PT1H 2024-04-01T01:00..2024-04-21 480 0',
    ]); // prettier-ignore
    const buoy = (i: number) => `${dayOf(i, 60).replaceAll('-', ',')},${i % 24},50,${(i * 7) % 11}.5`;
    assert.deepEqual(read(lines(480, buoy, 'YY,MM,DD,hh,mm,WVHT')).series.map((one) => brief(one)), [
      'WVHT PT1H 2024-04-01T00:50..2024-04-20T23:50 480 0',
    ]); // prettier-ignore
    const minima = (i: number, range = 40) => {
      const hour = Math.floor(i / 3);
      const least = 12 + ((i * 37) % range);
      return `${dayOf(hour, 60)},${hour % 24},${'ABC'[i % 3]!},${least},${least + 1 + (i % 5)}`;
    };
    assert.deepEqual(read(lines(1440, (i) => minima(i), 'Date,Hour,Site,Min,Max')).series.slice(0, 2).map((one) => brief(one)), [
      'A/Min PT1H 2024-04-01..2024-04-20T23:00 480 0',
      'A/Max PT1H 2024-04-01..2024-04-20T23:00 480 0',
    ]); // prettier-ignore
    assert.equal(read(lines(1440, (i) => minima(i, 5), 'Date,Hour,Site,Min,Max')).series.length, 6);
    const inParts = lines(1440, (i) => minima(i).replaceAll('-', ','), 'Year,Month,Day,Hour,Site,Min,Max');
    assert.deepEqual(read(inParts).series.slice(0, 2).map((one) => brief(one)), [
      'A/Min PT1H 2024-04-01..2024-04-20T23:00 480 0',
      'A/Max PT1H 2024-04-01..2024-04-20T23:00 480 0',
    ]); // prettier-ignore
  });

  it('are separate sensors if that turns uneven steps into even ones', () => {
    const at = (i: number) => new Date(Date.UTC(2024, 0, 1) + Math.floor(i / 3) * 900_000 + [0, 137_000, 401_000][i % 3]!); // prettier-ignore
    const text = lines(300, (i) => `${at(i).toISOString()},${[101, 205, 333][i % 3]!},${20 + ((i * 7) % 5)}.5`, 'time,sensor_id,value'); // prettier-ignore
    assert.deepEqual(read(text).series.map((one) => brief(one)), [
      '101 PT15M 2024-01-01..2024-01-02T00:45 100 0',
      '205 PT15M 2024-01-01T00:02:17Z..2024-01-02T00:47:17Z 100 0',
      '333 PT15M 2024-01-01T00:06:41Z..2024-01-02T00:51:41Z 100 0',
    ]); // prettier-ignore
  });
});

describe('what is a number too', () => {
  it('is a clock with a point beside the day', () => {
    const half = (i: number) => `${iso(Math.floor(i / 26))},${9 + ((i % 26) >> 1)}.${i % 2 ? '30' : '00'},${i % 7}`;
    assert.equal(
      brief(only(lines(260, half, 'Date,Time,Load'))),
      'Load PT30M 2024-01-01T09:00..2024-01-10T21:30 260 0',
    );
    const hour = (i: number) => `${iso(Math.floor(i / 24))},${i % 24}.00,${i % 7}`;
    const { series, format } = read(lines(240, hour, 'Date,From,Load'));
    assert.deepEqual(series.map(brief), ['Load PT1H 2024-01-01..2024-01-10T23:00 240 0']);
    assert.equal(format.dateFormat, 'YYYY-MM-DD + H.mm');
    const price = (i: number) => `${iso(Math.floor(i / 3))},${'abc'[i % 3]!},${[9.3, 10, 10.15][i % 3]!.toFixed(2)}`;
    assert.equal(read(lines(90, price, 'Date,Item,Price')).series.length, 3, 'prices');
  });

  it('is a year with the day of the year', () => {
    const { series, format } = read(lines(120, (i) => `${2_023_001 + i},${i % 7}`, 'day,level'));
    assert.deepEqual(series.map(brief), ['level P1D 2023-01-01..2023-04-30 120 0']);
    assert.equal(format.dateFormat, 'YYYYDDD');
    assert.equal(only(lines(120, (i) => `${2_023_001 + i},${i % 7}`, 'Invoice,Amount'), 'file.csv', { valueColumns: ['Amount'] }).timeKind, 'row'); // prettier-ignore
  });

  it('is no amount of one currency where there are several', () => {
    const daily = lines(60, (i) => `${iso(i >> 1)},${'€$'[i % 2]!}${i}.50`, 'Date,Amount');
    assert.deepEqual(read(daily).series.map(brief), ['€', '$'].map((sign) => `${sign} P1D 2024-01-01..2024-01-30 30 0`)); // prettier-ignore
    const orders = lines(120, (i) => `${iso(Math.floor(i / 4))},${1000 + i},${(i * 7) % 4 ? 'EUR' : 'USD'} ${(i * 37) % 101}.50`, 'Date,Order,Amount'); // prettier-ignore
    const { series, choices } = read(orders);
    assert.deepEqual(series.map(({ id, aggregate }) => [id, aggregate?.by]), [['USD', 'sum'], ['EUR', 'sum']]); // prettier-ignore
    assert.equal(choices[0]?.options[0]?.label, 'Sum of Amount per day');
    assert.equal(only(daily.replaceAll('$', '€')).valueColumn, 'Amount', 'a single one is no key');
    const { aggregate, reading } = choices[0]!.options[1]!.layout;
    const counted = only(orders, 'orders.csv', { aggregate: aggregate!, reading: reading! });
    assert.deepEqual([counted.id, counted.points, counted.values[0], counted.valueColumn], ['orders', 30, 4, undefined]); // prettier-ignore
  });

  it('is none of most events where many lack it, unless another column has it in its stead', () => {
    const labels = (row: (i: number) => string, header: string) =>
      read(lines(150, row, header)).choices[0]!.options.map(({ label }) => label);
    const ticket = (i: number) => `${iso(Math.floor(i / 5))},ABC-${i},${i % 3 ? (i * 37) % 13 : ''}`;
    assert.deepEqual(labels(ticket, 'Created,Key,Points'), ['Number of rows per day', 'Sum of Points per day', 'Average of Points per day', 'Rows as they are']); // prettier-ignore
    const paid = (i: number) => `${iso(Math.floor(i / 5))},A${i},${i % 2 ? `${(i * 37) % 101}.50,` : `,${i}.25`}`;
    assert.equal(labels(paid, 'Date,Code,Amount,Paid Out')[0], 'Sum of Amount per day');
    const call = (i: number) => `${iso(Math.floor(i / 5))},C${i},${(i * 37) % 101}`;
    for (const name of ['Duration', 'elapsed', 'Talk time (minutes)', 'duration_ms', 'Elapsed seconds'])
      assert.equal(labels(call, `Start,Call,${name}`)[0], `Average of ${name} per day`);
    for (const names of ['Employee,Minutes', 'Projekt,Minuten', 'Machine,Duration', 'Reason,downtime_minutes', 'Name,Minutes worked'])
      assert.equal(labels(call, `Start,${names}`)[0], `Sum of ${names.split(',')[1]} per day`); // prettier-ignore
    const shop = (i: number) => `${iso(Math.floor(i / 5))},${['view', 'sale', 'cart'][i % 3]},${i % 3 === 1 ? `${(i * 37) % 101}.50` : ''}`; // prettier-ignore
    assert.equal(labels(shop, 'Time,Type,Amount')[0], 'Sum of Amount per day', 'lacking by the kind in words');
    const budget = (i: number) => `${iso(Math.floor(i / 5))},A${i}${',,,'.slice(0, 1 + (i % 3))}${(i * 37) % 101}.50${',,'.slice(i % 3)}`; // prettier-ignore
    assert.match(labels(budget, 'Date,Code,Food,Rent,Fares')[0]!, /^Sum of/, 'one of several');
    const rare = (i: number) => `${iso(Math.floor(i / 5))},ABC-${i},${i % 29 ? '' : i * 3.5}`;
    assert.equal(labels(rare, 'Created,Key,Points')[0], 'Number of rows per day', 'lacking in nearly all');
  });

  it('is the number that a logger gives its readings, which are no orders', () => {
    const feed = Array.from({ length: 100 }, (_, i) => ({
      created_at: new Date(Date.UTC(2024, 0, 1) + i * 600_000).toISOString(),
      entry_id: 5000 + i,
      field1: String((i * 37) % 11),
    }));
    const document = read(JSON.stringify({ channel: { id: 9, name: 'house' }, feeds: feed }), 'feed.json');
    assert.deepEqual(document.series.map(brief), ['field1 PT10M 2024-01-01..2024-01-01T16:30 100 0']);
    assert.deepEqual(document.choices, []);
  });
});

describe('Counters of steps without a date', () => {
  const panel = (name: string, rows: number, isThere = (_: number) => true) => {
    const all = Array.from({ length: rows * 12 }, (_, n) => n).filter(isThere);
    const cells = (n: number) => [1_000_000 + n, 1 + Math.floor(n / 12), [10, 24, 55][n % 3], 1062 + (Math.floor(n / 3) % 4), n * 7].join(); // prettier-ignore
    return `id,${name},center_id,meal_id,orders\n${all.map(cells).join('\n')}\n`;
  };

  it('are the times of each series, whatever they are called', () => {
    for (const name of ['week', 'WEEK_NO', 'DAY', 'cycle', 'x']) {
      const { series } = read(panel(name, 40));
      const [first] = series;
      assert.deepEqual([series.length, first!.timeColumn, first!.timeKind, first!.points], [12, name, 'row', 40], name);
    }
    const { series } = read(panel('week', 40, (n) => n % 17 !== 5));
    assert.equal(series.length, 12, 'rows that lack');
  });

  it('are no ids of things, and no numbers that leap or come again', () => {
    for (const text of [
      panel('item', 40),
      lines(90, (n) => `${1 + ((n * 7) % 40)},${(n * 31) % 17}`, 'age,points'),
      lines(90, (n) => `${n % 9},${(n * 31) % 17}`, 'quality,acid'),
    ])
      assert.deepEqual([read(text).series[0]!.timeColumn, read(text).series[0]!.timeKind], [undefined, 'row']);
  });
});
