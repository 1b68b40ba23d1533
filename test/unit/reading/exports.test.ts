import assert from 'node:assert/strict';
import { brief, lines, only, pad, read } from './helpers.ts';

describe('exported files', () => {
  it('keeps commas between thousands where a column other than the time has dates with points', () => {
    const day = (at: number) => `2024-01-${pad(1 + at)}\t${pad(1 + at)}.12.2023\t${1 + (at % 9)},${100 + at}`;
    assert.equal(only(lines(31, day, 'date\treleased\tdownloads')).values[2], 3102);
  });

  it('reads a word with two digits as a label, and an English month with two digits as a time', () => {
    const row = (at: number) => `sub-0${1 + (at % 5)},2024-01-${pad(1 + Math.floor(at / 5))},${at}`;
    const { series } = read(lines(100, row, 'subject,day,score'));
    assert.deepEqual(series.map(brief)[4], 'sub-05 P1D 2024-01-01..2024-01-20 20 0');
    const years = only(lines(8, (at) => `Mar-${12 + at},${at}`, 'Year end,Sales'));
    assert.equal(brief(years), 'Sales P1Y 2012-03-01..2019-03-01 8 0');
  });

  it('reads numbers of accounts before their names as labels, not as years', () => {
    const accounts = ['1000 - Cash at bank', '1200 - Debtors', '1400 - Inventory', '2000 - Creditors'];
    const row = (at: number) => `${accounts[at % 4]!},2024-${pad(1 + Math.floor(at / 4))},${at}`;
    assert.deepEqual(read(lines(48, row, 'Account,Month,Amount')).series.map(brief)[3], '2000 - Creditors P1M 2024-01-01..2024-12-01 12 0'); // prettier-ignore
    const across = lines(4, (at) => `${accounts[at]!},${Array.from({ length: 12 }, (_, month) => at * month).join()}`, `Account,${Array.from({ length: 12 }, (_, month) => `2024-${pad(month + 1)}`).join()}`); // prettier-ignore
    assert.equal(read(across).series[1]!.id, '1200 - Debtors');
  });

  it('does not read an unnamed column beside a year and a month as the day', () => {
    const row = (at: number) =>
      `${2021 + Math.floor(at / 120)},${1 + (Math.floor(at / 10) % 12)},${1 + (at % 10)},${at}`;
    assert.equal(read(lines(360, row, 'Year,Month,,Sales')).series[0]!.frequency?.unit, 'month');
    const byStore = (at: number) =>
      `${2021 + Math.floor((at % 36) / 12)},${1 + (at % 12)},${1 + Math.floor(at / 36)},${at}`;
    assert.equal(read(lines(360, byStore, 'Year,Month,,Sales')).series[0]!.frequency?.unit, 'month');
  });

  it('reads Polish dates, weeks written 2023-KW01, and full-width years and months', () => {
    const polish = ['stycznia', 'lutego', 'marca', 'kwietnia', 'maja', 'czerwca', 'lipca', 'sierpnia', 'września', 'października', 'listopada', 'grudnia']; // prettier-ignore
    const days = lines(336, (at) => `${1 + (at % 28)} ${polish[Math.floor(at / 28)]!} 2023;${at}`, 'Data;Ilość');
    assert.equal(only(days).times.at(-1), Date.UTC(2023, 11, 28));
    assert.equal(brief(only(lines(52, (at) => `2023-KW${pad(1 + at)};${at}`, 'Woche;Menge'))), 'Menge P1W 2023-01-02..2023-12-25 52 0'); // prettier-ignore
    const wide = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
    const months = lines(24, (at) => wide(`${2022 + Math.floor(at / 12)}年${1 + (at % 12)}月,${at}`), '年月,売上');
    assert.equal(brief(only(months)), '売上 P1M 2022-01-01..2023-12-01 24 0');
  });

  it('reads months such as 01.2024 and 001.2024 in a header', () => {
    const header = Array.from({ length: 24 }, (_, at) => `${pad(1 + (at % 12))}.${2022 + Math.floor(at / 12)}`);
    const row = (at: number) => `A-${at};${header.map((_, month) => `${1 + at}.${100 + month},5`).join(';')}`;
    const { series } = read(lines(6, row, `Artikel;${header.join(';')}`));
    assert.deepEqual(series.map(brief)[5], 'A-5 P1M 2022-01-01..2023-12-01 24 0');
    const sap = read(lines(6, row, `Material;${header.map((each) => `0${each}`).join(';')}`));
    assert.deepEqual(sap.series.map(brief), series.map(brief));
  });

  it('reads numbers with a mark behind them, and reports that once', () => {
    const row = (at: number) => `${2000 + at},${at === 5 ? '7.5*' : at},${at < 3 ? '---' : `${at}.5#`}`;
    const { series, problems } = read(lines(24, row, 'Year,tmax,sun'));
    assert.deepEqual(series.map(brief), [
      'tmax P1Y 2000-01-01..2023-01-01 24 0',
      'sun P1Y 2003-01-01..2023-01-01 21 0',
    ]);
    assert.deepEqual([series[0]!.values[5], series[1]!.values[2]], [7.5, 5.5]);
    assert.deepEqual(problems.map(({ message }) => message), ['22 numbers such as “7.5*” have a mark behind them, which was left out.']); // prettier-ignore
    const months = Array.from({ length: 12 }, (_, month) => `${pad(month + 1)}/2023`);
    const account = (at: number) => `${4300 + at};Konto ${at};${months.map((_, month) => `1.${at}${pad(month)},50 ${at % 2 ? 'H' : 'S'}`).join(';')}`; // prettier-ignore
    const ledger = read(lines(4, account, `Konto;Bezeichnung;${months.join(';')}`)).series;
    assert.deepEqual(ledger.map(({ points, values }) => [points, values[11]]), [0, 1, 2, 3].map((at) => [12, 1011.5 + 100 * at])); // prettier-ignore
  });

  it('reads debits and credits behind amounts as signs in a series that has both', () => {
    const amount = (at: number) => `1.${pad(at)}0,50`;
    for (const [debit, credit] of [
      ['S', 'H'],
      [' S', ' H'],
      [' DR', ' CR'],
      ['Dr.', 'Cr.'],
    ] as const) {
      const row = (at: number) => `${pad(1 + at)}.01.2024;${amount(at)}${at % 9 ? debit : credit}`;
      const { series, problems } = read(lines(30, row, 'Datum;Saldo'));
      assert.deepEqual(Array.from(series[0]!.values.subarray(0, 3)), [1000.5, -1010.5, -1020.5], debit);
      assert.match(problems[0]!.message, /^30 numbers such as “1\.000,50 ?(?:H|C[Rr]\.?)” are debits or credits\./);
      const alone = read(lines(30, (at) => row(at).replace(credit, debit), 'Datum;Saldo')).series[0]!;
      assert.deepEqual(Array.from(alone.values.subarray(0, 3)), [1000.5, 1010.5, 1020.5], debit);
    }
    const accounts = (at: number) => `${pad(1 + (at >> 1))}.01.2024;Konto ${at % 2};${amount(at)} ${at % 2 ? 'S' : 'H'}`; // prettier-ignore
    const byAccount = read(lines(60, accounts, 'Datum;Konto;Saldo')).series;
    assert.deepEqual(byAccount.map(({ values }) => values[1]), [1020.5, 1030.5]); // prettier-ignore
  });

  it('reads sizes, terms and room numbers with a letter as names', () => {
    for (const names of [
      ['1080p', '720p', '480p'],
      ['1e', '2e', '3e'],
      ['30s', '12H', '5S', '1d'],
    ]) {
      const { series } = read(lines(48, (at) => `2024-01-${pad(1 + Math.floor(at / names.length))},${names[at % names.length]!},${at}`, 'day,kind,n')); // prettier-ignore
      assert.equal(series.length, names.length);
    }
  });

  it('reads months and weekdays in languages that the runtime knows', () => {
    const names = (language: string, month: number) =>
      new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, month));
    for (const language of ['ru', 'uk', 'fi', 'sk', 'ro', 'lt', 'el']) {
      const header = Array.from({ length: 12 }, (_, month) => names(language, month));
      const row = (at: number) => [2010 + at, ...header.map((_, month) => `${at},${month}`)].join(';');
      assert.equal(brief(only(lines(14, row, `;${header.join(';')}`))).split(' ')[1], 'P1M', language);
    }
    const days = lines(60, (at) => {
      const day = new Date(Date.UTC(2024, 0, 1 + at));
      return `${new Intl.DateTimeFormat('sv', { weekday: 'long', timeZone: 'UTC' }).format(day)} ${day.getUTCDate()}.${day.getUTCMonth() + 1}.2024;${at}`;
    }, 'Dag;Antal'); // prettier-ignore
    assert.equal(brief(only(days)), 'Antal P1D 2024-01-01..2024-02-29 60 0');
    const polish = ['pon', 'wt', 'śr', 'czw', 'pt', 'sob', 'nd'];
    const short = lines(28, (at) => `${polish[at % 7]!} ${1 + at}.01.2024;${at}`, 'Data;Liczba');
    assert.equal(brief(only(short)), 'Liczba P1D 2024-01-01..2024-01-28 28 0');
  });

  it('reads periods across with the newest first', () => {
    const header = Array.from({ length: 36 }, (_, at) => `${2023 - Math.floor(at / 12)}年${12 - (at % 12)}月`);
    const { series } = read(`指标,${header.join(',')}\n价格,${header.map((_, at) => 100 + at).join(',')}\n食品,${header.map((_, at) => 200 + at).join(',')}`); // prettier-ignore
    assert.deepEqual(series.map(brief), [
      '价格 P1M 2021-01-01..2023-12-01 36 0',
      '食品 P1M 2021-01-01..2023-12-01 36 0',
    ]);
    assert.equal(series[0]!.values[0], 135);
    const korean = Array.from({ length: 24 }, (_, at) => `${2022 + Math.floor(at / 12)}.${pad(1 + (at % 12))} 월`);
    const row = (at: number) => [`시${at}`, ...korean.map((_, month) => `${at}.${month}`)].join(',');
    assert.equal(
      brief(read(lines(3, row, `시도별,${korean.join(',')}`)).series[1]!),
      '시1 P1M 2022-01-01..2023-12-01 24 0',
    );
  });

  it('reads the times of Kibana, weather stations and weekly reports', () => {
    const month = (at: number) => ['Jan', 'Feb', 'Mar'][Math.floor(at / 28)]!;
    const kibana = lines(84, (at) => `"${month(at)} ${1 + (at % 28)}, 2023 @ 00:00:00.000",${at}`, '@timestamp,Count');
    assert.equal(only(kibana).times.at(-1), Date.UTC(2023, 2, 28));
    const clock = (at: number) => `${Math.floor(at / 2) % 12 || 12}:${at % 2 ? '30' : '00'}${at % 48 < 24 ? 'a' : 'p'}`;
    const station = lines(
      480,
      (at) => `${pad(20 + Math.floor(at / 48))}/01/24\t${clock(at)}\t${at / 10}`,
      'Date\tTime\tOut',
    );
    assert.equal(brief(only(station)), 'Out PT30M 2024-01-20..2024-01-29T23:30 480 0');
    const day = (at: number) =>
      new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(
        Date.UTC(2023, 0, 2 + at),
      );
    const weeks = lines(60, (at) => {
      const end = new Date(Date.UTC(2023, 0, 8 + at * 7));
      return `"${day(at * 7)} - ${day(at * 7 + 6)}, ${end.getUTCFullYear()}",${at}`;
    }, 'Week,Units'); // prettier-ignore
    assert.equal(brief(only(weeks)), 'Units P1W 2023-01-02..2024-02-19 60 0');
    const header = Array.from({ length: 8 }, (_, at) => `W0${1 + at}-23`);
    const units = (at: number) => `10${at},${header.map((_, week) => at + week).join(',')}`;
    assert.equal(brief(read(lines(6, units, `SKU,${header.join(',')}`)).series[0]!).slice(-28), 'P1W 2023-01-02..2023-02-20 8 0'.slice(-28)); // prettier-ignore
  });

  it('reads months and weeks of a column with any name beside years that come again', () => {
    const names = ['Januar', 'Februar', 'März', 'April', 'Mai', 'Juni', 'Juli', 'August', 'September', 'Oktober', 'November', 'Dezember']; // prettier-ignore
    const row = (at: number) =>
      `Jahr;${2010 + Math.floor(at / 12)};MONAT${pad(1 + (at % 12))};${names[at % 12]!};${at}`;
    const months = lines(48, row, 'Zeit_Code;Zeit;2_Auspraegung_Code;2_Auspraegung_Label;Anzahl');
    assert.equal(brief(only(months)), 'Anzahl P1M 2010-01-01..2013-12-01 48 0');
    const byAgent = (at: number) => `${at < 52 ? 'Anna' : 'Ben'};${1 + (at % 52)};2023;${100 + ((at * 7) % 50)}`;
    const weeks = read(lines(104, byAgent, 'Agent;Kalenderwoche;Jahr;Anrufe')).series;
    assert.deepEqual(weeks.map(brief), ['Anna P1W 2023-01-02..2023-12-25 52 0', 'Ben P1W 2023-01-02..2023-12-25 52 0']);
    const byTeam = (at: number) => `T${1 + (at % 4)};${2010 + Math.floor(at / 4)};${100 + ((at * 7) % 50)}`;
    assert.equal(read(lines(40, byTeam, 'Team;Jahr;Anrufe')).series.length, 4);
    const byClass = (at: number) => `${1 + (at % 12)};${2010 + Math.floor(at / 12)};${100 + ((at * 7) % 50)}`;
    assert.equal(read(lines(120, byClass, 'Class;Year;Calls')).series.length, 12);
  });

  it('takes currencies with what a rate is for as names of series', () => {
    const row = (at: number) =>
      `${2020 + Math.floor(at / 36)}-${pad(1 + (Math.floor(at / 3) % 12))};${['EUR1', 'USD1', 'JPY100'][at % 3]!};${1 + (at % 7) / 8}`;
    const { series, choices } = read(lines(144, row, 'Date;D1;Value'));
    assert.deepEqual(series.map(({ name, points }) => [name, points]), [['EUR1', 48], ['USD1', 48], ['JPY100', 48]]); // prettier-ignore
    assert.deepEqual(choices, []);
  });

  it('counts the rows of each month where nothing but coordinates is measured, and adds up no coordinates', () => {
    const place = (at: number) => `${(at % 13) / 8},${51 + (at % 17) / 8},E0${at % 3}`;
    const row = (at: number) => `${2020 + Math.floor(at / 120)}-${pad(1 + (Math.floor(at / 10) % 12))},${place(at)}`;
    const months = read(lines(480, row, 'Month,Longitude,Latitude,LSOA'));
    assert.deepEqual(months.series.map(brief), ['file P1M 2020-01-01..2023-12-01 48 0']);
    assert.deepEqual(months.series[0]!.values.slice(0, 3), Float64Array.of(10, 10, 10));
    const trips = lines(400, (at) => `2024-01-${pad(1 + (at % 31))} 0${at % 7}:1${at % 9}:0${at % 5},${place(at)}`, 'started_at,start_lng,start_lat,station'); // prettier-ignore
    const labels = read(trips).choices[0]!.options.map(({ label }) => label);
    assert.deepEqual(labels, ['Number of rows per day', 'Rows as they are']);
  });

  it('takes the sign and the code of a currency as one', () => {
    const row = (at: number) => `2024-01-${pad(1 + at)};${at % 2 === 0 ? '€' : 'EUR '}${100 + at}.50`;
    assert.equal(brief(only(lines(31, row, 'Date;Amount'))), 'Amount P1D 2024-01-01..2024-01-31 31 0');
  });

  it('takes the names right above the data where a report names its source in as many cells', () => {
    const head = 'Resource,/x/vm\nMetric,CPU\nAggregation,Avg\n\n"Timestamp (UTC)","vm1 CPU (Avg)"';
    const row = (at: number) => `2024-01-31 ${pad(Math.floor(at / 12))}:${pad((at % 12) * 5)},${at % 7}`;
    assert.equal(brief(only(lines(48, row, head))).split(' P')[0], 'vm1 CPU (Avg)');
  });

  it('reads half months as irregular rather than as their mean distance', () => {
    const pay = (at: number) =>
      `${2022 + Math.floor(at / 24)}-${pad(1 + (Math.floor(at / 2) % 12))}-${at % 2 ? '16' : '01'},${90 + (at % 5)}`;
    assert.equal(only(lines(48, pay, 'Pay date,Gross')).frequency, undefined);
  });

  it('reads numbers of documents beside their dates as no seconds', () => {
    const open = (at: number) => Math.floor(at ** 1.05 / 6); // Mondays to Fridays
    const day = (at: number) => new Date(Date.UTC(2024, 0, 1 + Math.floor(open(at) / 5) * 7 + (open(at) % 5)));
    const row = (at: number) => `|${4_900_000_000 + at}|${pad(day(at).getUTCDate())}.${pad(day(at).getUTCMonth() + 1)}.2024|   ${231 + ((at * 37) % 170)}${at % 3 ? '-' : ' '}|`; // prettier-ignore
    const { series } = read(lines(280, row, '|Mat.beleg |Buch.dat. |Menge in ErfassME|'), 'file.txt');
    assert.equal(series[0]!.times[0], Date.UTC(2024, 0, 1));
  });

  it('reads spans of clocks of twelve hours beside dates as instants', () => {
    const clock = (half: number) => `${1 + ((Math.floor(half / 2) + 11) % 12)}:${half % 2 ? '30' : '00'}${half < 24 ? 'AM' : 'PM'}`; // prettier-ignore
    const row = (at: number) => `1/${8 + Math.floor(at / 24)}/2024,${clock(16 + (at % 24))}-${clock(17 + (at % 24))},${at % 11}`; // prettier-ignore
    const calls = only(lines(240, row, 'Date,Time,Calls'));
    assert.deepEqual([calls.points, calls.times[1]], [240, Date.UTC(2024, 0, 8, 8, 30)]);
  });

  it('reads numbers of hours without a name that rise beside days, and periods of years by name', () => {
    const trips = lines(288, (at) => `2024-01-${pad(1 + Math.floor(at / 48))},${Math.floor(at / 2) % 24},${at % 2 ? 'EMBR' : '12TH'},${at % 17}`); // prettier-ignore
    assert.deepEqual(read(trips).series.map(brief), ['12TH PT1H 2024-01-01..2024-01-06T23:00 144 0', 'EMBR PT1H 2024-01-01..2024-01-06T23:00 144 0']); // prettier-ignore
    const row = (at: number) => `${2020 + Math.floor(at / 24)};${1 + (Math.floor(at / 2) % 12)};${at % 2 ? 'Material' : 'Erlöse'};${at},5`; // prettier-ignore
    const { series } = read(lines(96, row, 'Jahr;Periode;Konto;Ist'));
    assert.deepEqual(series.map(brief), ['Erlöse P1M 2020-01-01..2023-12-01 48 0', 'Material P1M 2020-01-01..2023-12-01 48 0']); // prettier-ignore
  });

  it('reads years across whose code stands behind them in brackets, and months written 2015MM01', () => {
    const years = Array.from({ length: 20 }, (_, at) => `${2000 + at} [YR${2000 + at}]`).join();
    const growth = (country: number) => `C${country},GDP,${Array.from({ length: 20 }, (_, at) => at / 4 + country).join()}`; // prettier-ignore
    const { series } = read(lines(3, growth, `Country Name,Series Name,${years}`));
    assert.deepEqual(series.map(brief)[0], 'C0 P1Y 2000-01-01..2019-01-01 20 0');
    for (const letter of ['Y', 'Y_', 'X', 'YR']) {
      const lettered = read(
        lines(3, growth, `Country Name,Series Name,${years.replaceAll(/(\d{4}) \[.*?\]/g, `${letter}$1`)}`),
      );
      assert.deepEqual(lettered.series.map(brief)[0], 'C0 P1Y 2000-01-01..2019-01-01 20 0', letter);
    }
    const row = (at: number) => `${2015 + Math.floor(at / 12)}MM${pad(1 + (at % 12))};${at}`;
    assert.equal(brief(only(lines(48, row, 'Perioden;CPI'))), 'CPI P1M 2015-01-01..2018-12-01 48 0');
  });

  it('reads dates across below the numbers of their weeks', () => {
    const weeks = Array.from({ length: 13 }, (_, at) => new Date(Date.UTC(2023, 5, 2 + 7 * at)).toISOString().slice(0, 10)); // prettier-ignore
    const row = (at: number) =>
      `${['Receipts', 'Payroll', 'Rent'][at]!},${weeks.map((_, week) => 100 * at + week).join()}`;
    const text = lines(
      3,
      row,
      `Forecast\n\nWeek,${weeks.map((_, at) => at + 1).join()}\nWeek commencing,${weeks.join()}`,
    );
    assert.deepEqual(read(text).series.map(brief)[0], 'Receipts P1W 2023-06-02..2023-08-25 13 0');
  });

  it('takes no year and month that repeat the time of a row for values, in any zone', () => {
    const months = Array.from({ length: 48 }, (_, at) => ({
      Fecha: Date.UTC(2015, at, 1) - 3_600_000 * (at % 12 > 2 && at % 12 < 10 ? 2 : 1),
      FK_Periodo: 1 + (at % 12),
      Anyo: 2015 + Math.floor(at / 12),
      Valor: 100 + ((at * 7) % 13) / 8,
    }));
    const { series, choices } = read(JSON.stringify({ Data: months }), 'file.json');
    assert.deepEqual([series.length, series[0]!.valueColumn, choices.length], [1, 'Valor', 0]);
  });

  it('adds up days whose events all lack the amount as nothing', () => {
    const row = (at: number) => `2024-0${1 + Math.floor(at / 28)}-${pad(1 + (at % 28))};${at % 9 === 4 ? ';50,00' : `${10 + (at % 7)},25;`}`; // prettier-ignore
    const days = lines(168, (at) => row(Math.floor(at / 2)), 'Date;Debit;Credit');
    const debit = read(days, 'file.csv', {
      valueColumns: ['Debit'],
      aggregate: { by: 'sum', step: { unit: 'day', count: 1 } },
    }).series[0]!;
    assert.deepEqual([debit.points, debit.gaps, debit.values[4]], [88, 0, 0]);
  });
});
