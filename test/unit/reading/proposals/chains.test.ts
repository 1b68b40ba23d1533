import assert from 'node:assert/strict';
import { brief, lines, MONTHS_EN, only, pad, read } from '../helpers.ts';

const cells = <T>(count: number, of: (n: number) => T) => Array.from({ length: count }, (_, n) => of(n));
const numbers = (count: number) => cells(count, (n) => n);
const day = (n: number) => new Date(Date.UTC(2024, 0, 1) + n * 86_400_000);
const serial = (year: number, month: number) => Date.UTC(year, month) / 86_400_000 + 25_569;

describe('a time spread over cells', () => {
  it('is a year in a column, months in the header and days in the rows', () => {
    const years = cells(
      62,
      (n) => `${2023 + Math.floor(n / 31)},${(n % 31) + 1},${MONTHS_EN.map((_, at) => n + at).join()}`,
    );
    const series = only(`Year,Day,${MONTHS_EN.join()}\n${years.join('\n')}`);
    assert.equal(brief(series), 'file P1D 2023-01-01..2024-12-31 731 0');
  });

  it('is a week in the header and its days in the rows', () => {
    const weeks = cells(4, (n) =>
      day(7 * n)
        .toISOString()
        .slice(0, 10),
    ).join();
    const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
    const text = lines(7, (n) => `${days[n]!},${cells(4, (week) => week * 7 + n).join()}`, `Weekday,${weeks}`);
    const series = only(text);
    assert.equal(brief(series), 'file P1D 2024-01-01..2024-01-28 28 0');
    assert.deepEqual([...series.values], numbers(28));
  });

  it('is a day and its parts by number, whatever their column is called', () => {
    const level = (n: number) => 20 + Math.round(90 * Math.sin(n / 7)) / 10;
    for (const [many, name, step] of [
      [24, 'Godzina', 'PT1H'],
      [24, 'H', 'PT1H'],
      [48, '時刻コード', 'PT30M'],
    ] as const) {
      const text = lines(
        many * 20,
        (n) =>
          `${day(Math.floor(n / many))
            .toISOString()
            .slice(0, 10)},${(n % many) + 1},${level(n)}`,
        `Data,${name},MW`,
      );
      const document = read(text);
      assert.deepEqual([document.series.map(({ points, frequency }) => [points, frequency?.unit]).flat(), document.choices], [[many * 20, many === 24 ? 'hour' : 'minute'], []], `${name} ${step}`); // prettier-ignore
    }
  });

  it('is a question where the same numbers may be those of shops', () => {
    const sales = (n: number) => (n * 7919) % 101;
    const monthly = (name: string) => lines(36, (n) => `${2020 + Math.floor(n / 12)},${(n % 12) + 1},${sales(n)}`, `Rok,${name},Obrót`); // prettier-ignore
    const [choice] = read(monthly('Okres')).choices;
    assert.equal(choice?.question, 'What is the column Okres?');
    assert.deepEqual(choice.options.map(({ label }) => label), ['Months of a year', 'Separate series']); // prettier-ignore
    const separate = read(monthly('Okres'), 'file.csv', choice.options[1]!.layout);
    assert.equal(separate.series.length, 12);
    assert.equal(only(monthly('Miesiąc')).points, 36);
    assert.equal(read(monthly('Shop')).series.length, 12);
  });

  it('is a month above the table and its days in a column', () => {
    const down = lines(31, (n) => `${n + 1},${n * 3}.5`, 'Rainfall of March 2023\n\nDay,mm');
    assert.equal(brief(only(down)), 'mm P1D 2023-03-01..2023-03-31 31 0');
  });

  it('is a month in one column and the day in another', () => {
    const text = lines(
      91,
      (n) => `${MONTHS_EN[day(n).getUTCMonth()]!} 2024,${day(n).getUTCDate()},${n}`,
      'Period,Day,Sales',
    );
    assert.equal(brief(only(text)), 'Sales P1D 2024-01-01..2024-03-31 91 0');
  });

  it('is a year in the header, or in a column, and the day without a year', () => {
    const dayOf = (n: number) => `${pad(day(n).getUTCDate())}/${pad(day(n).getUTCMonth() + 1)}`;
    const across = lines(
      366,
      (n) => `${dayOf(n)},${[0, 1, 2].map((year) => year * 366 + n).join()}`,
      'date,2021,2022,2023',
    );
    assert.equal(brief(only(across)), 'file P1D 2021-01-01..2023-12-31 1095 0');
  });

  it('may have months as the letters of three, and numbers called so', () => {
    const seasons = ['DJF', 'JFM', 'FMA', 'MAM', 'AMJ', 'MJJ', 'JJA', 'JAS', 'ASO', 'SON', 'OND', 'NDJ'];
    const down = lines(48, (n) => `${seasons[n % 12]!} ${2000 + Math.floor(n / 12)} ${n}.5`, 'SEAS YR ANOM');
    assert.equal(brief(only(down)), 'ANOM P1M 2000-01-01..2003-12-01 48 0');
    const numbered = lines(48, (n) => `${serial(2010 + Math.floor(n / 12), n % 12)},${2010 + Math.floor(n / 12)},${(n % 12) + 1},${n * 7}`, 'Month,Year,Month_num,Seats'); // prettier-ignore
    assert.equal(brief(only(numbered)), 'Seats P1M 2010-01-01..2013-12-01 48 0');
  });

  it('leaves out the row of a total in any words that say so', () => {
    const months = cells(12, (n) => `${MONTHS_EN[n]!},${n},${12 + n},${24 + n}`);
    const text = `Label,2022,2023,2024\n${[...months, 'Total général,66,210,354'].join('\n')}\n`;
    assert.equal(brief(only(text)), 'file P1M 2022-01-01..2024-12-01 36 0');
  });
});

describe('days as a spreadsheet counts them', () => {
  it('are times of a header, of months and of weeks', () => {
    for (const [step, at] of [
      ['P1M', (n: number) => serial(2022, n)],
      ['P1W', (n: number) => serial(2022, 0) + 7 * n],
    ] as const) {
      const text = lines(3, (row) => `Store ${row},${cells(12, (n) => 900 + row * n).join()}`, `Store,${cells(12, at).join()}`); // prettier-ignore
      assert.match(brief(read(text).series[0]!), new RegExp(`^Store 0 ${step} 2022-01-01.* 12 0$`));
    }
  });

  it('are no times where values count on by one', () => {
    const text = lines(3, (row) => `City ${row},${cells(12, (n) => 54_000 + row + n).join()}`, `City,${cells(12, (n) => 1990 + n).join()}`); // prettier-ignore
    assert.equal(brief(read(text).series[0]!), 'City 0 P1Y 1990-01-01..2001-01-01 12 0');
    const few = lines(
      20,
      (n) => `City ${n},${10_000 + n * 77},${10_030 + n * 80},${10_060 + n * 91}`,
      'City,2020,2021,2022',
    );
    assert.equal(brief(read(few).series[0]!), 'City 0 P1Y 2020-01-01..2022-01-01 3 0');
  });
});

describe('what else a row says of a time', () => {
  it('is no value: the years and months of another time, and days as a number', () => {
    const market = lines(66, (n) => `${'AB'[n % 2]!},${1990 + (n >> 1)},${2006 + ((n * 7) % 16)},${1 + ((n * 5) % 12)},${n * 3}`, 'Country,Market_Year,Calendar_Year,Month,Value'); // prettier-ignore
    assert.deepEqual(read(market).choices, []);
    const posted = lines(60, (n) => `${day(n).toISOString().slice(0, 10)},${day(n + (n % 3)).toISOString().slice(0, 10).replaceAll('-', '')},${n}.5`, 'Date,Posted,Amount'); // prettier-ignore
    assert.deepEqual(read(posted).choices, []);
  });
});

describe('a part of a time', () => {
  const dateOf = (n: number) => day(n).toISOString().slice(0, 10);
  const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

  it('is no time beside dates that say it already', () => {
    const text = lines(30, (n) => `${dateOf(6 + 7 * n)},Sunday,${n}`, 'Date,Weekday,Sales');
    assert.equal(brief(only(text)), 'Sales P1W 2024-01-07..2024-07-28 30 0');
    const shops = lines(
      60,
      (n) => `${dateOf(6 + 7 * (n >> 1))},Sunday,${'AB'[n % 2]!},${n}`,
      'Date,Weekday,Shop,Sales',
    );
    assert.equal(brief(read(shops).series[0]!), 'A P1W 2024-01-07..2024-07-28 30 0');
  });

  it('is a day of the week that begins, or ends, with the date', () => {
    for (const [first, names] of [
      [0, weekdays],
      [6, [weekdays[6]!, ...weekdays.slice(0, 6)]],
    ] as const) {
      for (const at of [first, first + 6]) {
        const rows = cells(70, (n) => `${dateOf(at + n - (n % 7))},${names[n % 7]!},${n}`);
        const begin = `2024-01-0${first + 1}`;
        for (const order of [rows, rows.toReversed()]) {
          const series = only(`Week,Weekday,Sales\n${order.join('\n')}\n`);
          assert.equal(brief(series), `Sales P1D ${begin}..${dateOf(first + 69)} 70 0`);
          assert.deepEqual([...series.values], numbers(70));
        }
      }
    }
  });

  it('is no share, and no number of a column, beside years', () => {
    const shares = lines(40, (n) => `${2000 + (n >> 1)},${'NS'[n % 2]!},${(n % 28) + 1}/${3 + (n % 2)},${n}`, 'Year,Region,Ratio,Sales'); // prettier-ignore
    assert.equal(brief(read(shares).series[0]!), 'N P1Y 2000-01-01..2019-01-01 20 0');
    for (const head of ['Year,101,102,103', 'Year,1.1,1.2,1.3']) {
      const text = lines(12, (n) => `${2010 + n},${n},${n + 5},${n + 7}`, head);
      assert.equal(brief(read(text).series[0]!), `${head.split(',')[1]!} P1Y 2010-01-01..2021-01-01 12 0`);
    }
  });

  it('is a week or a quarter in the header, below the year', () => {
    const header = (names: string) => brief(read(lines(5, (n) => `r${n},${n},2,3,4,5`, `Sales 2023\n\nRegion,${names}`)).series[0]!); // prettier-ignore
    assert.equal(header('W1,W2,W3,W4,W5'), 'r0 P1W 2023-01-02..2023-01-30 5 0');
    const questions = lines(5, (n) => `Q${n + 1},${n}`, 'Survey 2023\n\nItem,Share');
    assert.equal(brief(only(questions)), 'Share – rows 5 0');
  });

  it('is an hour from beginning to end with any word between', () => {
    const names = cells(24, (n) => `${pad(n)}:00 bis ${pad(n + 1)}:00`).join(';');
    const text = lines(30, (n) => `${dateOf(n)};${numbers(24).join(';')}`, `Datum;${names}`);
    assert.equal(brief(only(text)), 'file PT1H 2024-01-01..2024-01-30T23:00 720 0');
  });
});
