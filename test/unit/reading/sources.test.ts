import assert from 'node:assert/strict';
import { brief, lines, read } from './helpers.ts';

const DAY = 86_400_000;
const iso = (start: string, days: number) => new Date(Date.parse(start) + days * DAY).toISOString().slice(0, 10);
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const pad = (value: number) => String(value).padStart(2, '0');
const monthly = (years: number, row: (year: number, month: number) => string, first = 2000) =>
  lines(years * 12, (i) => row(first + Math.floor(i / 12), (i % 12) + 1));
/** Values every day of a year but at weekends. */
const weekdays = (row: (date: string, index: number) => string) =>
  Array.from({ length: 140 }, (_, i) => i).filter((i) => new Date(Date.parse('2020-01-01') + i * DAY).getUTCDay() % 6 > 0).map((i) => row(iso('2020-01-01', i), i)).join('\n'); // prettier-ignore

/** Files as well-known sources and tools write them; `choices` where a person would be asked. */
const SOURCES: { source: string; file?: string; text: string; series: string[]; choices?: number; severities?: string[] }[] = [
  {
    source: 'FRED, a full stop for missing',
    text: 'DATE,DGS10\n' + weekdays((date, i) => `${date},${i % 23 === 4 ? '.' : '1.88'}`),
    series: ['DGS10 P1D 2020-01-01..2020-05-19 96 0'],
  },
  {
    source: 'NOAA: comments, year and month in columns of their own',
    text: '# USE OF DATA\n# made "freely" available\nyear,month,decimal date,average\n' + monthly(3, (y, m) => `${y},${m},${(y + (m - 0.5) / 12).toFixed(4)},315.${m}`),
    series: ['average P1M 2000-01-01..2002-12-01 36 0'],
  },
  {
    source: 'the same between blanks',
    file: 'co2.txt',
    text: '# year month average\n' + monthly(3, (y, m) => `  ${y} ${String(m).padStart(4)}   315.${m}`),
    series: ['average P1M 2000-01-01..2002-12-01 36 0'],
  },
  {
    source: 'GISTEMP: a title, a year to each row, *** for missing',
    text: 'Land-Ocean: Global Means\nYear,' + MONTHS.join() + ',J-D,DJF\n' + lines(5, (i) => `${2000 + i},${MONTHS.map((_, m) => (i === 4 && m > 8 ? '***' : `.${10 + m}`)).join()},-.17,***`),
    series: ['file P1M 2000-01-01..2004-09-01 57 0'],
  },
  {
    source: 'SILSO: no header, semicolons, year and month and the year with a fraction',
    text: monthly(3, (y, m) => `${y};${pad(m)};${(y + (m - 0.5) / 12).toFixed(3)};  96.${m};${m}`, 1749),
    series: ['Column 4 P1M 1749-01-01..1751-12-01 36 0', 'Column 5 P1M 1749-01-01..1751-12-01 36 0'],
    choices: 1,
  },
  {
    source: 'the World Bank: lines before the table, years across',
    text: '"Data Source","World Development Indicators",\n\n"Last Updated Date","2023-07-25",\n\n"Country Name","Country Code","Indicator Name",' + Array.from({ length: 12 }, (_, i) => `"${1960 + i}"`).join() + ',\n"Aruba","ABW","Population, total",' + Array.from({ length: 12 }, (_, i) => (i < 3 ? '""' : `"${54000 + i}"`)).join() + ',\n"Korea, Rep.","KOR","Population, total",' + Array.from({ length: 12 }, (_, i) => `"${54000 + i}"`).join() + ',\n',
    series: ['Aruba P1Y 1963-01-01..1971-01-01 9 0', 'Korea, Rep. P1Y 1960-01-01..1971-01-01 12 0'],
  },
  {
    source: 'Johns Hopkins: days across',
    text: 'Province/State,Country/Region,Lat,Long,' + Array.from({ length: 9 }, (_, i) => `1/${22 + i}/20`).join() + '\n,Afghanistan,33.9,67.7,' + '1,2,3,4,5,6,7,8,9\nOntario,Canada,51,-85,1,2,3,4,5,6,7,8,9\n',
    series: ['Afghanistan P1D 2020-01-22..2020-01-30 9 0', 'Canada P1D 2020-01-22..2020-01-30 9 0'],
  },
  {
    source: 'Our World in Data: names and codes, two measures',
    text: 'Entity,Code,Day,Daily tests,Deaths\n' + lines(40, (i) => `${i < 20 ? 'France,FRA' : 'Africa,'},${iso('2020-01-01', i % 20)},${i * 3},${i}`),
    series: ['France/Daily tests P1D 2020-01-01..2020-01-20 20 0', 'France/Deaths P1D 2020-01-01..2020-01-20 20 0', 'Africa/Daily tests P1D 2020-01-01..2020-01-20 20 0', 'Africa/Deaths P1D 2020-01-01..2020-01-20 20 0'],
    choices: 1,
  },
  {
    source: 'InfluxDB: annotations, tags, the time among other times',
    text: '#group,false,false,true,true,false,false,true\n#datatype,string,long,dateTime:RFC3339,dateTime:RFC3339,dateTime:RFC3339,double,string\n#default,_result,,,,,,\n,result,table,_start,_stop,_time,_value,host\n' + lines(40, (i) => `,,${Math.floor(i / 20)},2021-01-01T00:00:00Z,2021-01-02T00:00:00Z,2021-01-01T${pad(i % 20)}:00:00Z,${i}.5,${'ab'[Math.floor(i / 20)]}`),
    series: ['a PT1H 2021-01-01..2021-01-01T19:00 20 0', 'b PT1H 2021-01-01..2021-01-01T19:00 20 0'],
  },
  {
    source: 'SMARD: decimal commas, groups, times from and to',
    text: '\ufeffDatum von;Datum bis;Netzlast [MWh]\n' + lines(96, (i) => `01.01.2020 ${pad(Math.floor(i / 4))}:${pad((i % 4) * 15)};02.01.2020 00:00;${i === 5 ? '-' : `11.${200 + i},25`}`),
    series: ['Netzlast [MWh] PT15M 2020-01-01..2020-01-01T23:45 95 0'],
  },
  {
    source: 'ENTSO-E: spans of an hour',
    text: '"MTU (CET/CEST)","Price [EUR/MWh]","Currency"\n' + lines(23, (i) => `"31.12.2020 ${pad(i)}:00 - 31.12.2020 ${pad(i + 1)}:00","${50 + i}.25","EUR"`),
    series: ['Price [EUR/MWh] PT1H 2020-12-31..2020-12-31T22:00 23 0'],
  },
  {
    source: 'UCI: date and time in two columns, ? for missing',
    text: 'Date;Time;Power\n' + lines(60, (i) => `16/12/2006;17:${pad(i)}:00;${i === 7 ? '?' : '0.216'}`),
    series: ['Power PT1M 2006-12-16T17:00..2006-12-16T17:59 59 0'],
  },
  {
    source: 'bike sharing: a row number, days and hours',
    text: 'instant,dteday,hr,cnt\n' + lines(48, (i) => `${i + 1},${iso('2011-01-01', Math.floor(i / 24))},${i % 24},${16 + i}`),
    series: ['cnt PT1H 2011-01-01..2011-01-02T23:00 48 0'],
  },
  {
    source: 'R: decimal years beside row names',
    text: '"rownames","time","value"\n' + lines(36, (i) => `"${i + 1}",${1949 + i / 12},${112 + i}`),
    series: ['value P1M 1949-01-01..1951-12-01 36 0'],
  },
  {
    source: 'the shampoo series: months of numbered years',
    text: '"Month","Sales"\n' + lines(36, (i) => `"${1 + Math.floor(i / 12)}-${pad((i % 12) + 1)}",${266 + i}.0`),
    series: ['Sales P1M 0001-01-01..0003-12-01 36 0'],
  },
  {
    source: 'the ONS: years, quarters and months below each other',
    text: '"Title","CPI INDEX"\n"CDID","D7BT"\n"Release date","19-07-2023"\n' + lines(5, (i) => `"${1988 + i}","${50 + i}"`) + lines(20, (i) => `"${1988 + Math.floor(i / 4)} Q${(i % 4) + 1}","${50 + i}"`) + monthly(5, (y, m) => `"${y} ${MONTHS[m - 1]!.toUpperCase()}","50.${m}"`, 1988),
    series: ['yearly P1Y 1988-01-01..1992-01-01 5 0', 'quarterly P3M 1988-01-01..1992-10-01 20 0', 'monthly P1M 1988-01-01..1992-12-01 60 0'],
    severities: ['info', 'info'],
  },
  {
    source: 'the Bundesbank: descriptions under the header, remarks beside the values',
    text: '"";BBEX3.D.USD;FLAGS\n"";Euro-Referenzkurs;\nEinheit;USD;\nStand vom;01.08.2023 12:00:00;\n' + lines(28, (i) => `${iso('2020-01-06', i)};${i % 7 > 4 ? '.;Kein Wert vorhanden' : '1,1234;'}`),
    series: ['BBEX3.D.USD P1D 2020-01-06..2020-01-31 20 0'],
    severities: ['info', 'info', 'info'],
  },
  {
    source: 'Open-Meteo: a table about the place first',
    text: 'latitude,longitude,elevation,timezone\n52.52,13.41,38.0,GMT\n\ntime,temperature_2m (°C)\n' + lines(24, (i) => `2024-01-01T${pad(i)}:00,${i / 2}`),
    series: ['temperature_2m (°C) PT1H 2024-01-01..2024-01-01T23:00 24 0'],
  },
  {
    source: 'the Bureau of Labor Statistics: years and months as codes',
    text: 'Series ID,Year,Period,Value\n' + monthly(2, (y, m) => `CUUR0000SA0,${y},M${pad(m)},216.${m}87`),
    series: ['Value P1M 2000-01-01..2001-12-01 24 0'],
  },
  {
    source: 'the ECDC: the date once more in parts, country and code',
    text: 'dateRep,day,month,year,cases,country,geoId\n' + lines(40, (i) => { const [y, m, d] = iso('2020-03-01', i % 20).split('-'); return `${d}/${m}/${y},${Number(d)},${Number(m)},${y},${i},${i < 20 ? 'Austria,AT' : 'Belgium,BE'}`; }),
    series: ['Austria P1D 2020-03-01..2020-03-20 20 0', 'Belgium P1D 2020-03-01..2020-03-20 20 0'],
  },
  {
    source: 'Google Trends: a title before the table',
    text: 'Category: All categories\n\nWeek,coffee: (United States)\n' + lines(30, (i) => `${iso('2019-01-06', i * 7)},${50 + (i % 7)}`),
    series: ['coffee: (United States) P1W 2019-01-06..2019-07-28 30 0'],
  },
  {
    source: 'Investing.com: newest first, thousands, volumes in millions, percent',
    text: '"Date","Price","Vol."\n' + weekdays((date, i) => `"${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}","4,${100 + i}.50","1.${i % 9}M"`).split('\n').toReversed().join('\n'),
    series: ['Price P1D 2020-01-01..2020-05-19 100 0', 'Vol. P1D 2020-01-01..2020-05-19 100 0'],
    choices: 1,
    severities: ['info'],
  },
  {
    source: 'Kaggle: stores and items as numbers',
    text: 'date,store,item,sales\n' + lines(80, (i) => `${iso('2020-01-01', i % 20)},${1 + Math.floor(i / 40)},${1 + (Math.floor(i / 20) % 2)},${13 + i}`),
    series: ['1/1', '1/2', '2/1', '2/2'].map((id) => `${id} P1D 2020-01-01..2020-01-20 20 0`),
  },
  {
    source: 'a spreadsheet: day numbers',
    text: 'Date,v\n' + lines(20, (i) => `${44197 + i},${i}`),
    series: ['v P1D 2021-01-01..2021-01-20 20 0'],
  },
  {
    source: 'Eurostat: months across with flags',
    file: 'a.tsv',
    text: 'freq,unit,geo\\TIME_PERIOD\t2019-01 \t2019-02 \t2019-03 \t2019-04 \nM,I15,DE\t100.1 \t100.2 p\t: \t100.4 \nM,I15,FR\t99.1 \t99.2 \t: c\t100 \n',
    series: ['M,I15,DE P1M 2019-01-01..2019-04-01 3 0', 'M,I15,FR P1M 2019-01-01..2019-04-01 3 0'],
  },
  {
    source: 'two-digit years after month names',
    text: 'Month,#Passengers\n' + monthly(12, (y, m) => `${MONTHS[m - 1]}-${y - 1900},${m}`, 1949),
    series: ['#Passengers P1M 1949-01-01..1960-12-01 144 0'],
  },
  {
    source: 'French months, a space between thousands, the euro',
    text: 'Mois;Valeur\n' + ['janv.', 'févr.', 'mars', 'avr.', 'mai', 'juin', 'juil.', 'août', 'sept.', 'oct.', 'nov.', 'déc.'].map((m, i) => `${m} 2020;1 ${200 + i},50 €\n`).join(''),
    series: ['Valeur P1M 2020-01-01..2020-12-01 12 0'],
  },
  {
    source: 'long American dates and dollars',
    text: 'Date,Sales\n' + lines(31, (i) => `"January ${i + 1}, 2021","$1,${100 + i}.50"`),
    series: ['Sales P1D 2021-01-01..2021-01-31 31 0'],
  },
  {
    source: 'hours with AM and PM',
    text: 'Datetime,kW\n' + lines(48, (i) => `1/${1 + Math.floor(i / 24)}/2021 ${((i + 11) % 12) + 1}:00 ${i % 24 < 12 ? 'AM' : 'PM'},${i}`),
    series: ['kW PT1H 2021-01-01..2021-01-02T23:00 48 0'],
  },
  {
    source: 'ISO weeks of a long year',
    text: 'week,sales\n' + lines(53, (i) => `2020-W${pad(i + 1)},${i}`),
    series: ['sales P1W 2019-12-30..2020-12-28 53 0'],
  },
  {
    source: 'local times with offsets over a change of the clock',
    text: 'time,load\n' + lines(48, (i) => { const utc = Date.parse('2021-10-30T12:00Z') + i * 3_600_000; const offset = utc < Date.parse('2021-10-31T01:00Z') ? 2 : 1; return `${new Date(utc + offset * 3_600_000).toISOString().slice(0, 19)}+0${offset}:00,${i}`; }),
    series: ['load PT1H 2021-10-30T12:00..2021-11-01T11:00 48 0'],
  },
  {
    source: 'local times without offsets when clocks go back',
    text: 'time,load\n2021-10-31 00:00,1\n2021-10-31 01:00,2\n2021-10-31 02:00,3\n2021-10-31 02:00,5\n2021-10-31 03:00,6\n2021-10-31 04:00,7\n',
    series: ['load PT1H 2021-10-31..2021-10-31T04:00 5 0'],
    severities: ['info'],
  },
  {
    source: 'Prometheus',
    file: 'a.json',
    text: JSON.stringify({ status: 'success', data: { resultType: 'matrix', result: ['x', 'y'].map((job) => ({ metric: { __name__: 'up', job }, values: Array.from({ length: 20 }, (_, i) => [1435781430 + 15 * i, '1']) })) } }),
    series: ['up job=x PT15S 2015-07-01T20:10:30Z..2015-07-01T20:15:15Z 20 0', 'up job=y PT15S 2015-07-01T20:10:30Z..2015-07-01T20:15:15Z 20 0'],
  },
  {
    source: 'pandas, columns first, and Alpha Vantage, times first',
    file: 'a.json',
    text: JSON.stringify({ 'Meta Data': { '1. Information': 'Daily' }, 'Time Series (Daily)': Object.fromEntries(Array.from({ length: 9 }, (_, i) => [iso('2020-01-01', 9 - i), { '4. close': String(i) }])) }),
    series: ['4. close P1D 2020-01-02..2020-01-10 9 0'],
    severities: ['info'],
  },
  {
    source: 'GluonTS',
    file: 'a.jsonl',
    text: lines(2, (i) => JSON.stringify({ item_id: `T${i}`, start: '2020-01-01 00:00:00', freq: 'H', target: Array.from({ length: 10 }, (_, j) => j) })),
    series: ['T0 PT1H 2020-01-01..2020-01-01T09:00 10 0', 'T1 PT1H 2020-01-01..2020-01-01T09:00 10 0'],
  },
  {
    source: 'a saved page of predictions',
    file: 'a.json',
    text: JSON.stringify({ items: ['p1', 'p2'].map((id) => ({ id, status: 'COMPLETED', input_series: Array.from({ length: 5 }, (_, i) => ({ timestamp: `${iso('2020-01-01', i)}T00:00:00Z`, value: i })), prediction_series: [{ timestamp: '2020-01-06T00:00:00Z', value: 5 }] })), total: 2 }),
    series: ['p1 P1D 2020-01-01..2020-01-05 5 0', 'p2 P1D 2020-01-01..2020-01-05 5 0'],
  },
  {
    source: 'Python with NaN',
    file: 'a.json',
    text: '[{"d":"2020-01-01","v":1},\n{"d":"2020-01-02","v":NaN},\n{"d":"2020-01-03","v":3}]',
    series: ['v P1D 2020-01-01..2020-01-03 2 0'],
  },
]; // prettier-ignore

describe('readSeries of well-known sources', () => {
  for (const { source, file, text, series, choices = 0, severities = [] } of SOURCES) {
    it(source, () => {
      const document = read(text, file);
      assert.deepEqual(document.series.map(brief), series);
      assert.equal(document.choices.length, choices);
      assert.deepEqual(document.problems.map(({ severity }) => severity), severities, JSON.stringify(document.problems)); // prettier-ignore
    });
  }
});
