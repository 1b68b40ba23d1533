import assert from 'node:assert/strict';
import { brief, lines, only, pad, read } from './helpers.ts';

const clock = (row: number) => `${((row + 11) % 12) + 1}:00:00 ${row % 24 < 12 ? 'AM' : 'PM'}`;
const asked = (text: string, fileName = 'file.csv') => read(text, fileName).choices.map(({ kind }) => kind);

/** The day so many days after 2023-01-02, a Monday. */
const isoDay = (days: number) => new Date(Date.UTC(2023, 0, 2 + days)).toISOString().slice(0, 10);

/** Instants of chance events, so many milliseconds apart in the mean. */
function arrivals(mean: number): () => Date {
  let [state, time] = [7, Date.UTC(2024, 0, 1)];
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return new Date((time += Math.round(-Math.log(state / 2_147_483_647) * mean)));
  };
}

describe('ordinary files', () => {
  it('split at commas although 12-hour clocks have a space before AM or PM', () => {
    const row = (at: number) => `1/${1 + Math.floor(at / 24)}/2024 ${clock(at)},RTO,${at % 24 < 12 ? 'AE' : 'AE'},${1000 + at}.500,true`; // prettier-ignore
    const series = only(lines(240, row, 'begin,region,area,mw,is_verified'));
    assert.equal(brief(series), 'mw PT1H 2024-01-01..2024-01-10T23:00 240 0');
  });

  it('take the order of day and month from clocks that restart', () => {
    const row = (at: number) => `${pad(1 + Math.floor(at / 96))}-01-2024;${pad(Math.floor((at % 96) / 4))}:${pad((at % 4) * 15)};${at}`; // prettier-ignore
    const text = lines(96 * 7, row, 'Van;Tijdstip;Volume');
    assert.deepEqual(asked(text), []);
    assert.equal(brief(only(text)), 'Volume PT15M 2024-01-01..2024-01-07T23:45 672 0');
  });

  it('have the year once, above its months', () => {
    const months = ['Januar', 'Februar', 'März', 'April', 'Mai', 'Juni', 'Juli', 'August', 'September', 'Oktober', 'November', 'Dezember']; // prettier-ignore
    const row = (at: number) => `${at % 12 === 0 ? 2021 + at / 12 : ''};${months[at % 12]!};${at + 100},5`;
    assert.equal(brief(only(lines(36, row, ';;Index'))), 'Index P1M 2021-01-01..2023-12-01 36 0');
  });

  it('have days or months across below their year', () => {
    const days = Array.from({ length: 14 }, (_, day) => `${pad(day + 1)}.01.`).join(';');
    const values = (row: number) => Array.from({ length: 14 }, (_, day) => row * 100 + day).join(';');
    const calls = `Kennzahlen Januar 2024\n\nKennzahl;${days}\n${lines(3, (row) => `Art ${row};${values(row)}`)}`;
    assert.deepEqual(read(calls).series.map(brief)[1], 'Art 1 P1D 2024-01-01..2024-01-14 14 0');
    const budget = `Budget 2023\n\nAccount,Jan,Feb,Mar,Apr,May,Jun\nRent,1,2,3,4,5,6\nPay,3,4,5,6,7,8\n`;
    assert.deepEqual(read(budget).series.map(brief)[0], 'Rent P1M 2023-01-01..2023-06-01 6 0');
  });

  it('have one row of many periods, also below titles', () => {
    const months = ['janeiro', 'fevereiro', 'março', 'abril', 'maio', 'junho', 'julho', 'agosto', 'setembro', 'outubro', 'novembro', 'dezembro']; // prettier-ignore
    const head = [2021, 2022].flatMap((year) => months.map((month) => `"${month} ${year}"`)).join();
    const values = Array.from({ length: 24 }, (_, at) => `0.${at + 10}`).join();
    const titled = `"Tabela 1737 - IPCA"\n"Variação mensal (%)"\n"Brasil","Mês"\n"",${head}\n"Brasil",${values}\n"Fonte: IBGE"\n`;
    assert.equal(brief(only(titled)), 'Brasil P1M 2021-01-01..2022-12-01 24 0');
    assert.equal(brief(only(`${head}\n${values}\n`)), 'file P1M 2021-01-01..2022-12-01 24 0');
  });

  it('of a bank suggest the amount, not the balance before or after it', () => {
    const next = arrivals(30_000_000);
    let balance = 2000;
    const row = (at: number) => {
      const amount = ((at * 7919) % 140) - 80.5;
      const before = balance;
      balance += amount;
      const day = next().toISOString().slice(0, 10).replaceAll('-', '');
      return `123456789\tEUR\t${day}\t${before}\t${balance}\t${amount}\tShop ${at % 20}`;
    };
    const [choice, ...others] = read(lines(240, row), 'account.tab').choices;
    assert.deepEqual([choice?.kind, choice?.options[0]?.label, others], ['aggregate', 'Sum of Column 6 per day', []]);
  });

  it('have numeric time parts across and down', () => {
    const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
    const row = (cells: number) => (at: number) =>
      `${2019 + at},${numbers(cells)
        .map((n) => at * cells + n)
        .join()}`;
    assert.equal(brief(only(lines(5, row(12), `Year,${numbers(12).join()}`))), 'file P1M 2019-01-01..2023-12-01 60 0');
    assert.equal(brief(only(lines(3, row(52), `Year,${numbers(52).map((n) => `W${n}`).join()}`))), 'file P1W 2018-12-31..2021-12-27 156 1'); // prettier-ignore
    const day = (at: number) =>
      `${at + 1},${numbers(12)
        .map((n) => at * 12 + n)
        .join()}`;
    const months = numbers(12)
      .map((n) => `2023-${pad(n)}`)
      .join();
    assert.equal(brief(only(lines(31, day, `day,${months}`))), 'file P1D 2023-01-01..2023-12-31 365 0');
  });

  it('have numeric stores and classes that are not time parts', () => {
    const row = (head: string, cells: number) => (at: number) => [head + pad(at + 1), ...Array.from({ length: cells }, (_, n) => (at * 7 + n * 5) % 11)].join(); // prettier-ignore
    const weekly = lines(30, (at) => `${isoDay(at * 7)},${at % 7},${at % 5},4,${at % 3},9,1`, 'week,1,2,3,4,5,6');
    assert.deepEqual(read(weekly).series.map(brief)[0], '1 P1W 2023-01-02..2023-07-24 30 0');
    assert.equal(read(lines(30, row('20', 5), 'year,1,2,3,4,5')).series.length, 5);
    const years = Array.from({ length: 10 }, (_, at) => 2010 + at).join();
    const teams = lines(
      4,
      (at) => `T${at + 1},${Array.from({ length: 10 }, (_, n) => at + n).join()}`,
      `team,${years}`,
    );
    assert.equal(read(teams).series.length, 4);
    const invoices = lines(28, (at) => `${100101 + at},${at % 9}`, 'invoice,sales');
    assert.equal(read(invoices).series[0]?.timeKind, 'row');
  });

  it('have months and quarters in any order', () => {
    const yearly = (names: string, of: readonly number[]) =>
      brief(only(lines(5, (at) => [2019 + at, ...of.map((n) => at * 20 + n)].join(), `year,${names}`)));
    assert.equal(yearly('Q4,Q3,Q2,Q1', [4, 3, 2, 1]), 'file P3M 2019-01-01..2023-10-01 20 0');
    const alphabetical = yearly(
      'Apr,Aug,Dec,Feb,Jan,Jul,Jun,Mar,May,Nov,Oct,Sep',
      [4, 8, 12, 2, 1, 7, 6, 3, 5, 11, 10, 9],
    );
    assert.equal(alphabetical, 'file P1M 2019-01-01..2023-12-01 60 0');
  });

  it('have numbered parts of the day below days', () => {
    const cells = (at: number) => Array.from({ length: 10 }, (_, day) => (at * 3 + day) % 17).join();
    const head = Array.from({ length: 10 }, (_, day) => isoDay(day)).join();
    const periods = (count: number) => read(lines(count, (at) => `${at + 1},${cells(at)}`, `period,${head}`)).series;
    assert.deepEqual(periods(48).map(brief), ['file PT30M 2023-01-02..2023-01-11T23:30 480 0']);
    assert.equal(periods(8).length, 8);
  });

  it('have unnamed weeks after years, and days only if a year of them exists', () => {
    const weeks = lines(200, (at) => `${2020 + Math.floor(at / 52)} ${(at % 52) + 1} ${at % 9}.5`);
    assert.equal(brief(only(weeks)), 'file P1W 2019-12-30..2023-10-30 200 1');
  });

  it('have interleaved levels of several tanks', () => {
    const levels = [500, 90];
    const next = arrivals(2_200_000);
    const row = () => {
      const time = next();
      const tank = Math.floor(time.getTime() / 7) % 2;
      levels[tank]! += (time.getTime() % 11) / 5 - 1;
      return `${time.toISOString()},${'AB'[tank]},${levels[tank]!.toFixed(2)}`;
    };
    const { series } = read(lines(400, row, 'time,tank,level'));
    assert.deepEqual(series.map(({ id, aggregate }) => [id, aggregate?.by]).sort(), [['A', 'mean'], ['B', 'mean']]); // prettier-ignore
  });

  it('have weeks with the letters of other languages', () => {
    for (const name of ['S', 'Semaine ', 'Semana ', 'uge ', 'v']) {
      const series = only(lines(52, (row) => `${name}${pad(row + 1)} 2022;${row}`, 'Semaine;Ventes'));
      assert.equal(brief(series), 'Ventes P1W 2022-01-03..2022-12-26 52 0', name);
    }
    assert.equal(brief(only(lines(6, (row) => `S${1 + (row % 2)} ${2020 + (row >> 1)};${row}`, 'a;y'))), 'y P6M 2020-01-01..2022-07-01 6 0'); // prettier-ignore
  });

  it('repeat the hour and day in another zone, as neither values nor candidate times', () => {
    const at = (row: number) => new Date(Date.UTC(2024, 0, 1, 8 + row)).toISOString().slice(0, 19);
    const row = (each: number) =>
      `${at(each)}-00:00,${at(each - 8).slice(0, 10)},${(each % 24) + 1},${(each * 37) % 90}.5`;
    const text = lines(120, row, 'INTERVALSTARTTIME_GMT,OPR_DT,OPR_HR,MW');
    assert.deepEqual(asked(text), []);
    assert.equal(only(text).valueColumn, 'MW');
  });

  it('have the days of a week across, whatever the weekday of the row’s date', () => {
    const week = (first: number) => (row: number) => {
      const date = new Date(Date.UTC(2024, 0, first + 7 * row)).toISOString().slice(0, 10);
      return `${date},${Array.from({ length: 7 }, (_, day) => row * 7 + day).join(',')}`;
    };
    const monday = lines(8, week(1), 'Week starting,Mon,Tue,Wed,Thu,Fri,Sat,Sun');
    const ending = lines(8, week(7), 'Week ending,Mon,Tue,Wed,Thu,Fri,Sat,Sun');
    const sunday = lines(8, week(7), 'Week of,Sunday,Monday,Tuesday,Wednesday,Thursday,Friday,Saturday');
    assert.equal(brief(only(monday)), 'file P1D 2024-01-01..2024-02-25 56 0');
    assert.equal(brief(only(ending)), 'file P1D 2024-01-01..2024-02-25 56 0');
    assert.equal(brief(only(sunday)), 'file P1D 2024-01-07..2024-03-02 56 0');
    assert.deepEqual(
      [...only(sunday).values],
      Array.from({ length: 56 }, (_, day) => day),
    );
    // a Wednesday before 1970
    const old = lines(8, week(3 - 7 * 3000), 'Week of,Sun,Mon,Tue,Wed,Thu,Fri,Sat');
    assert.equal(brief(only(old)), 'file P1D 1966-07-03..1966-08-27 56 0');
  });

  it('have years above their quarters', () => {
    const rows = lines(3, (row) => `Region ${row},${Array.from({ length: 8 }, (_, at) => row * 10 + at).join(',')}`);
    const text = `,2022,,,,2023,,,\nRegion,Q1,Q2,Q3,Q4,Q1,Q2,Q3,Q4\n${rows}`;
    assert.deepEqual(read(text).series.map(brief)[1], 'Region 1 P3M 2022-01-01..2023-10-01 8 0');
  });

  it('have Hungarian and Turkish month names, SAP periods and full-width digits', () => {
    const hungarian =
      'január február március április május június július augusztus szeptember október november december';
    const turkish = 'Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık';
    const wide = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
    const cells: readonly ((month: number) => string)[] = [
      (month) => `2024. ${hungarian.split(' ')[month]!}`,
      (month) => `2024. ${hungarian.split(' ')[month]!} 1.`,
      (month) => `${turkish.split(' ')[month]!} 2024`,
      (month) => `1 ${turkish.split(' ')[month]!} 2024`,
      (month) => `${String(month + 1).padStart(3, '0')}.2024`,
      (month) => wide(`2024-${String(month + 1).padStart(2, '0')}-01`).replaceAll('-', '－'),
    ];
    for (const cell of cells) {
      const [series] = read(
        lines(12, (month) => `${cell(month)};${wide(String((month * 7) % 5))}`, 'Period;Amount'),
      ).series;
      assert.equal(series?.summary, 'Amount · monthly · Jan 2024 – Dec 2024 · 12 points, no gaps', cell(1));
    }
  });

  it('have document numbers that begin with a year and are not months', () => {
    const row = (each: number) => `2024${String(each + 1).padStart(3, '0')};${((each * 37) % 11) * 10}`;
    const [series] = read(lines(12, row, 'Invoice;Amount')).series;
    assert.doesNotMatch(series?.summary ?? '', /monthly/);
  });

  it('have year, month, day and hour in unnamed columns', () => {
    const at = (row: number) => new Date(Date.UTC(2024, 0, 30) + row * 3_600_000);
    const row = (each: number) =>
      [
        at(each).getUTCFullYear(),
        at(each).getUTCMonth() + 1,
        at(each).getUTCDate(),
        at(each).getUTCHours(),
        each * 3,
      ].join(' ');
    const series = only(Array.from({ length: 96 }, (_, each) => row(each)).join('\n'), 'tide.txt');
    assert.equal(brief(series), 'tide PT1H 2024-01-30..2024-02-02T23:00 96 0');
    const yearly = only(Array.from({ length: 9 }, (_, each) => `${2010 + each} ${1 + each}`).join('\n'), 'a.txt');
    assert.equal(brief(yearly), 'a P1Y 2010-01-01..2018-01-01 9 0');
  });

  it('of a buoy have minutes beside the hours', () => {
    const row = (each: number) => `2024 01 ${pad(1 + Math.floor(each / 144))} ${pad(Math.floor((each % 144) / 6))} ${pad((each % 6) * 10)} ${(each % 17) + 0.5}`; // prettier-ignore
    const text = `#YY  MM DD hh mm WVHT\n#yr  mo dy hr mn m\n${Array.from({ length: 300 }, (_, each) => row(each)).join('\n')}`;
    assert.match(brief(only(text, 'buoy.txt')), / PT10M 2024-01-01..2024-01-03T01:50 300 0$/);
  });

  it('have readings of several sensors that share no times, with a late clock, or only on change', () => {
    const late = (sensor: string, first: number) =>
      lines(200, (row) => `${sensor},${(20 + Math.sin(row / 9)).toFixed(1)},${new Date(Date.UTC(2024, 2, 1) + first + row * 301_457 + ((row * 7919) % 4000)).toISOString()}`); // prettier-ignore
    const rows = `entity_id,state,last_changed\n${late('sensor.a', 6700)}${late('sensor.b', 1200)}`;
    assert.deepEqual(
      read(rows).series.map(({ name, frequency }) => [name, frequency]),
      ['sensor.a', 'sensor.b'].map((name) => [name, { unit: 'minute', count: 5 }]),
    );
    const changed = (sensor: string, level: number) => {
      let time = Date.UTC(2024, 2, 1);
      return lines(400, (row) => `${sensor},${(level + 3 * Math.sin(row / 20)).toFixed(1)},${new Date((time += 60_000 + ((row * row * 48_271) % 99_991) * 20)).toISOString()}`); // prettier-ignore
    };
    const { series, choices } = read(`entity_id,state,last_changed\n${changed('room', 21)}${changed('freezer', -18)}`);
    assert.deepEqual(series.map(({ name, aggregate }) => [name, aggregate]), ['room', 'freezer'].map((name) => [name, { step: { unit: 'hour', count: 1 }, by: 'mean' }])); // prettier-ignore
    assert.equal(choices[0]?.options[0]?.label, 'Average of state per hour');
  });

  it('have the day of the year beside the year', () => {
    const row = (each: number) => `${2022 + Math.floor(each / 365)},${1 + (each % 365)},${(each * 7) % 31}`;
    assert.equal(brief(only(lines(500, row, 'YEAR,DOY,T2M'))), 'T2M P1D 2022-01-01..2023-05-15 500 0');
  });

  it('have months with a dot after the year', () => {
    const row = (each: number) => `${2020 + Math.floor(each / 12)}.${pad(1 + (each % 12))},${each * 3}`;
    assert.equal(brief(only(lines(36, row, '시점,서울'))), '서울 P1M 2020-01-01..2022-12-01 36 0');
  });

  it('have a 13th month for the whole year', () => {
    const row = (each: number) => `A,${2010 + Math.floor(each / 13)}${pad(1 + (each % 13))},${each}`;
    assert.equal(brief(only(lines(65, row, 'MSN,YYYYMM,Value'))), 'Value P1M 2010-01-01..2014-12-01 60 0');
  });

  it('have days with a clock below their year', () => {
    const row = (each: number) => `01-03 10:${pad(Math.floor(each / 60))}:${pad(each % 60)},${each}.5`;
    const text = `"Date:","01 Mar 2024"\n\n${lines(600, row, 'time,usr')}`;
    assert.equal(brief(only(text)), 'usr PT1S 2024-03-01T10:00..2024-03-01T10:09:59Z 600 0');
  });

  it('have names that are years, and names above repeated units', () => {
    const day = (each: number) => `${1 + (each % 28)}/${1 + Math.floor(each / 28)}/2024`;
    const years = read(lines(84, (each) => `${day(each)},"2,${pad(each)}0","1,${pad(each)}0"`, 'Date,2024,2023'));
    assert.deepEqual(
      years.series.map(({ valueColumn }) => valueColumn),
      ['2024', '2023'],
    );
    const units = `#time WDIR WSPD GST\n#s deg m/s m/s\n${lines(40, (each) => `${1_704_067_200 + each * 60} ${each} ${each * 2} ${each * 3}`)}`;
    assert.deepEqual(
      read(units, 'a.txt').series.map(({ valueColumn }) => valueColumn),
      ['WDIR', 'WSPD', 'GST'],
    );
  });

  it('include web server logs', () => {
    const next = arrivals(60_000);
    const row = (each: number) => {
      const [, day, month, year, clock] = /^\w+, (\d+) (\w+) (\d+) (\S+)/.exec(next().toUTCString())!;
      return `10.0.0.${each % 250} - - [${day!}/${month!}/${year!}:${clock!} +0000] "GET /p/${each % 9} HTTP/1.1" 200 ${(each * 7919) % 9000} "-" "Mozilla/5.0 (X11; Linux)"`;
    };
    const { series, choices } = read(lines(3000, row), 'access.log');
    assert.deepEqual(
      choices.map(({ kind }) => kind),
      ['aggregate'],
    );
    assert.equal(series[0]?.aggregate?.step.unit, 'hour');
  });

  it('never become series of single points while another layout fits', () => {
    const row = (each: number) => `A${each % 7} B${each % 11} ${2020 + (each % 2)} ${each}`;
    const { series } = read(lines(77, row, 'one two year value'), 'a.txt');
    assert.ok(series.every(({ points }) => points > 1));
  });

  it('have amounts, not phone numbers or postal codes, as values', () => {
    const call = arrivals(300_000);
    const row = (each: number) =>
      `${call().toISOString()},${490_000 + ((each * each * 7919) % 999)},${(each * each * 37) % 300}`;
    assert.equal(read(lines(900, row, 'start,caller,duration')).series[0]?.valueColumn, 'duration');
    const alarm = arrivals(300_000);
    const called = (each: number) => `${alarm().toISOString()},${94_100 + ((each * each * 7919) % 30)},Alarm`;
    const { series } = read(lines(900, called, 'called,zip,type'));
    assert.equal(series[0]?.aggregate?.by, 'count');
  });

  it('take the order of day and month from the clock beside them if hundreds of rows leave it open', () => {
    const next = arrivals(900_000);
    const row = (each: number) => {
      const [year, month, day] = next().toISOString().slice(0, 10).split('-');
      const price = [3.5, 4.2, 14.9][each % 3]!;
      return `${day!}.${month!}.${year!};${pad(next().getUTCHours())}:${pad(each % 60)};${1 + (each % 4)};${price};${price * (1 + (each % 4))}`;
    };
    const { series, choices } = read(lines(2000, row, 'Datum;Uhrzeit;Menge;Einzelpreis;Summe'));
    assert.match(series[0]!.timeColumn!, /^Datum/);
    assert.equal(choices[0]?.options[0]?.label, 'Sum of Summe per day');
  });

  it('have weeks and quarters under other names', () => {
    const week = (each: number) => `DE,${2021 + Math.floor(each / 52)},${1 + (each % 52)},${(each * 7) % 90}`;
    assert.equal(brief(only(lines(104, week, 'COUNTRY,ISO_YEAR,ISO_WEEK,INF_ALL'))), 'INF_ALL P1W 2021-01-04..2022-12-26 104 0'); // prettier-ignore
    const quarter = (each: number) => `${2015 + (each >> 2)}/${16 + (each >> 2)} Q${1 + (each % 4)},${500 + each}`;
    assert.equal(brief(only(lines(32, quarter, 'Period,Beds'))), 'Beds P3M 2015-01-01..2022-10-01 32 0');
  });

  it('have a list of hours for each day', () => {
    const hours = (day: number) =>
      Array.from({ length: 24 }, (_, hour) => ({ time: `2024-01-${pad(day)} ${pad(hour)}:00`, temp: day + hour }));
    const days = [1, 2, 3, 4, 5].map((day) => ({ date: `2024-01-${pad(day)}`, day: { max: 20 }, hour: hours(day) }));
    const text = JSON.stringify({ location: { name: 'Rome' }, forecast: { forecastday: days } });
    assert.match(brief(only(text, 'weather.json')), / PT1H 2024-01-01..2024-01-05T23:00 120 0$/);
    const both = [1, 2].map((sensor) => ({ sensor, hour: hours(1) }));
    assert.equal(read(JSON.stringify(both), 'two.json').series.length, 2);
  });

  it('have falling epoch seconds in a column named created', () => {
    const next = arrivals(7_000_000);
    const times = Array.from({ length: 400 }, () => Math.floor(next().getTime() / 1000)).reverse();
    const data = times.map((created, each) => ({ id: `ch_${each}`, amount: 500 + ((each * 7919) % 5000), created }));
    const { series } = read(JSON.stringify({ object: 'list', data }), 'charges.json');
    assert.deepEqual([series[0]?.valueColumn, series[0]?.aggregate?.by], ['amount', 'sum']);
  });

  it('have calendar weeks before a two-digit year', () => {
    const row = (each: number) => `CW${pad(1 + (each % 52))}/${22 + Math.floor(each / 52)},${each}`;
    assert.equal(brief(only(lines(104, row, 'CW,Units'))), 'Units P1W 2022-01-03..2023-12-25 104 0');
  });

  it('have the sales of all stores in total although stores alternate', () => {
    const sale = arrivals(40_000);
    const row = (each: number) =>
      `${sale().toISOString().slice(0, 19)},S${each % 7},${1 + ((each * each) % 5)},${((each * each * 37) % 97) + 0.5}`;
    const { series } = read(lines(4000, row, 'time,store,qty,total'));
    assert.deepEqual([series.length, series[0]?.keys], [1, undefined]);
  });

  it('have places and taxes that are not amounts', () => {
    const trip = arrivals(600_000);
    const place = (each: number) =>
      `${trip().toISOString()},40.7${(each * each * 37) % 999},-73.9${(each * each * 53) % 999}`;
    assert.equal(read(lines(900, place, 'started_at,start_lat,start_lng')).series[0]?.aggregate?.by, 'count');
    const sale = arrivals(6_000_000);
    const paid = (each: number) =>
      `${sale().toISOString()},${10 + ((each * each * 37) % 97)}.25,${(each * each * 7) % 13}.5`;
    assert.equal(read(lines(500, paid, 'Sale Date,Order Value,Sales Tax')).series[0]?.valueColumn, 'Order Value');
  });

  it('are counted if events have no number', () => {
    const at = (row: number) => new Date(Date.UTC(2024, 0, 1) + ((row * row * 48_271) % 99_991) * 50_000).toISOString();
    const rows = Array.from({ length: 200 }, (_, row) => at(row)).sort();
    const { series, choices } = read(lines(200, (row) => `${rows[row]!},Task ${row},open`, 'created,title,state'));
    assert.deepEqual(choices.map(({ kind }) => kind), ['aggregate']); // prettier-ignore
    assert.equal(series[0]?.aggregate?.by, 'count');
    assert.equal(
      series[0].values.reduce((sum, value) => sum + value),
      200 - (series[0].remarks[0]?.rows ?? 0),
    );
  });

  it('have a column named #', () => {
    const row = (at: number) => `${at + 1},05/${pad(13 + Math.floor(at / 24))}/24 ${clock(at)},${at}.5`;
    const series = only(`"Plot Title: shed"\n${lines(96, row, '"#","Date Time, GMT+01:00","Temp, °C"')}`);
    assert.equal(brief(series), 'Temp, °C PT1H 2024-05-13..2024-05-16T23:00 96 0');
    const days = (month: number) => lines(9, (at) => `2024-0${month}-${pad(1 + at)},${at}`);
    const { problems } = read(`date,y\n${days(1)}#,broken sensor\n${days(2)}`);
    assert.equal(problems[0]!.kind, 'note');
  });

  it('have a station table above the data', () => {
    const row = (at: number) => `2024-01-${pad(1 + Math.floor(at / 24))};${pad(at % 24)}:00:00;${at}.5;G;;`;
    const station = 'Tidsperiod (fr.o.m);Tidsperiod (t.o.m);Latitud;Longitud\n2013-01-01;2024-06-01;59.35;18.05\n\n';
    const { series, problems } = read(station + lines(240, row, 'Datum;Tid (UTC);Lufttemperatur;Kvalitet;;Note'));
    assert.deepEqual(series.map(brief), ['Lufttemperatur PT1H 2024-01-01..2024-01-10T23:00 240 0']); // prettier-ignore
    assert.deepEqual(problems, []);
    const again = lines(60, (at) => `2024-${pad(1 + Math.floor(at / 28))}-${pad(1 + (at % 28))},${at}`, 'date,sales');
    assert.equal(read(again + again.replaceAll('2024', '2025')).series[0]!.points, 120);
    const short = lines(8, (at) => `2024-01-${pad(1 + at)},${at}`, 'date,sales');
    assert.equal(
      read(short + again.replace('date,sales', 'Day,Revenue').replaceAll('2024', '2025')).series[0]!.points,
      68,
    );
  });

  it('have calendar weeks down and years across, and row numbers that are not weeks', () => {
    const values = (row: number) => [0, 1, 2].map((year) => 52 * year + row).join(';');
    const weeks = (name: string) => lines(52, (row) => `${row + 1};${values(row)}`, `${name};2021;2022;2023`);
    assert.equal(brief(only(weeks('KW'))), 'file P1W 2021-01-04..2023-12-25 156 0');
    assert.equal(only(weeks('KW')).values[155], 155);
    assert.equal(read(weeks('Bezirk')).series.length, 52);
  });

  it('have the weekday before days below their year', () => {
    const names = ['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So'];
    const row = (at: number) => `${names[at % 7]!} ${pad(1 + at)}.05.;${at + 50}`;
    const series = only(`Besucher 2023;\n;\n${lines(28, row, 'Tag;Besucher')}Summe;1778\n`);
    assert.equal(brief(series), 'Besucher P1D 2023-05-01..2023-05-28 28 0');
  });

  it('have six-digit days and the ending hour beside them', () => {
    const row = (at: number) => `5123;2201${pad(1 + Math.floor(at / 24))};${pad(1 + (at % 24))};${at}`;
    assert.equal(brief(only(lines(240, row, 'Zst;Datum;Stunde;KFZ_R1'))), 'KFZ_R1 PT1H 2022-01-01T01:00..2022-01-11 240 0'); // prettier-ignore
    const serial = only(lines(30, (at) => `${41_001 + at},${(at * 7) % 11}`, 'date,y'));
    assert.equal(brief(serial), 'y P1D 2012-04-02..2012-05-01 30 0');
  });

  it('have fiscal years from April', () => {
    const months = ['Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec', 'Jan', 'Feb', 'Mar'];
    const row = (year: number) => `${2018 + year}/${19 + year},${months.map((_, month) => 12 * year + month).join()}`;
    const series = only(lines(4, row, `Year,${months.join()}`));
    assert.equal(brief(series), 'file P1M 2018-04-01..2022-03-01 48 0');
    assert.equal(series.values[47], 47);
    const fromDecember = ['Dec', ...months.slice(9), ...months.slice(0, 8)].join();
    const whole = (year: number) => row(year).replace(/\/\d+/, '');
    assert.equal(brief(only(lines(4, whole, `Year,${fromDecember}`))), 'file P1M 2017-12-01..2021-11-01 48 0');
    assert.equal(brief(only(lines(4, row, `Year,${fromDecember}`))), 'file P1M 2018-12-01..2022-11-01 48 0');
  });

  it('have the day once, above its sales', () => {
    const row = (at: number) => `${at % 3 === 0 ? `${pad(1 + at / 3)}.01.2024` : ''};${['Bread', 'Rolls', 'Cake'][at % 3]!};${at}`; // prettier-ignore
    const { series } = read(lines(60, row, 'Date;Product;Qty'));
    assert.deepEqual(series.map(brief)[2], 'Cake P1D 2024-01-01..2024-01-20 20 0');
    const totals = lines(9, (at) => `${at < 6 ? `${pad(1 + at)}.01.2024` : ''};${at}`, 'Date;Qty');
    const { series: days, problems } = read(totals);
    assert.equal(days.map(brief).join(), 'Qty P1D 2024-01-01..2024-01-06 6 0');
    assert.match(problems[0]!.message, /no time/);
  });

  it('have readings of alternating sensors, each at its own interval', () => {
    const row = (at: number) => `${1_704_067_200 + 900 * (at >> 1) + 311 * (at % 2)};eui-${at % 2};${(at * 7) % 13}.5`;
    const { series } = read(lines(400, row, 'time;device;temperature'));
    assert.deepEqual(series.map(({ points, keys }) => [points, keys]), [[200, { device: 'eui-0' }], [200, { device: 'eui-1' }]]); // prettier-ignore
  });

  it('have unnamed year, month and day after the station', () => {
    const row = (at: number) =>
      `"250190390","GDAŃSK","2023","${pad(1 + Math.floor(at / 28))}","${pad(1 + (at % 28))}",${at % 9}.5,""`;
    assert.equal(read(lines(112, row)).series[0]!.frequency?.unit, 'day');
  });
});
