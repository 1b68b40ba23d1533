import assert from 'node:assert/strict';
import { brief, lines, only, pad, read } from './helpers.ts';

const clock = (row: number) => `${((row + 11) % 12) + 1}:00:00 ${row % 24 < 12 ? 'AM' : 'PM'}`;
const asked = (text: string, fileName = 'file.csv') => read(text, fileName).choices.map(({ kind }) => kind);

describe('ordinary files', () => {
  it('are cut at commas though clocks of twelve hours have a blank before AM and PM', () => {
    const row = (at: number) => `1/${1 + Math.floor(at / 24)}/2024 ${clock(at)},RTO,${at % 24 < 12 ? 'AE' : 'AE'},${1000 + at}.500,true`; // prettier-ignore
    const series = only(lines(240, row, 'begin,region,area,mw,is_verified'));
    assert.equal(brief(series), 'mw PT1H 2024-01-01..2024-01-10T23:00 240 0');
  });

  it('have their days in the order in which clocks beside them go round', () => {
    const row = (at: number) => `${pad(1 + Math.floor(at / 96))}-01-2024;${pad(Math.floor((at % 96) / 4))}:${pad((at % 4) * 15)};${at}`; // prettier-ignore
    const text = lines(96 * 7, row, 'Van;Tijdstip;Volume');
    assert.deepEqual(asked(text), []);
    assert.equal(brief(only(text)), 'Volume PT15M 2024-01-01..2024-01-07T23:45 672 0');
  });

  it('say a year once, above its months', () => {
    const months = ['Januar', 'Februar', 'März', 'April', 'Mai', 'Juni', 'Juli', 'August', 'September', 'Oktober', 'November', 'Dezember']; // prettier-ignore
    const row = (at: number) => `${at % 12 === 0 ? 2021 + at / 12 : ''};${months[at % 12]!};${at + 100},5`;
    assert.equal(brief(only(lines(36, row, ';;Index'))), 'Index P1M 2021-01-01..2023-12-01 36 0');
  });

  it('have days or months across whose year stands above them', () => {
    const days = Array.from({ length: 14 }, (_, day) => `${pad(day + 1)}.01.`).join(';');
    const values = (row: number) => Array.from({ length: 14 }, (_, day) => row * 100 + day).join(';');
    const calls = `Kennzahlen Januar 2024\n\nKennzahl;${days}\n${lines(3, (row) => `Art ${row};${values(row)}`)}`;
    assert.deepEqual(read(calls).series.map(brief)[1], 'Art 1 P1D 2024-01-01..2024-01-14 14 0');
    const budget = `Budget 2023\n\nAccount,Jan,Feb,Mar,Apr,May,Jun\nRent,1,2,3,4,5,6\nPay,3,4,5,6,7,8\n`;
    assert.deepEqual(read(budget).series.map(brief)[0], 'Rent P1M 2023-01-01..2023-06-01 6 0');
  });

  it('count weeks by the letters of other languages', () => {
    for (const name of ['S', 'Semaine ', 'Semana ', 'uge ', 'v']) {
      const series = only(lines(52, (row) => `${name}${pad(row + 1)} 2022;${row}`, 'Semaine;Ventes'));
      assert.equal(brief(series), 'Ventes P1W 2022-01-03..2022-12-26 52 0', name);
    }
    assert.equal(brief(only(lines(6, (row) => `S${1 + (row % 2)} ${2020 + (row >> 1)};${row}`, 'a;y'))), 'y P6M 2020-01-01..2022-07-01 6 0'); // prettier-ignore
  });

  it('say the hour of a time once more in another zone, and its day, which are neither values nor times to choose from', () => {
    const at = (row: number) => new Date(Date.UTC(2024, 0, 1, 8 + row)).toISOString().slice(0, 19);
    const row = (each: number) =>
      `${at(each)}-00:00,${at(each - 8).slice(0, 10)},${(each % 24) + 1},${(each * 37) % 90}.5`;
    const text = lines(120, row, 'INTERVALSTARTTIME_GMT,OPR_DT,OPR_HR,MW');
    assert.deepEqual(asked(text), []);
    assert.equal(only(text).valueColumn, 'MW');
  });

  it('are counted where events have no number', () => {
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
});
