import assert from 'node:assert/strict';
import { hoursOfNames } from '../../../../src/reading/proposals/time-parts.ts';
import { brief, lines, only, pad, read } from '../helpers.ts';

const DAYS = 10;
const parts = (count: number, name: (part: number) => string) => Array.from({ length: count }, (_, part) => name(part));
const clock = (part: number, count: number) => {
  const minutes = (part * 1440) / count;
  return `${pad(Math.floor(minutes / 60) % 24)}:${pad(minutes % 60)}`;
};
const day = (row: number) => `2024-01-${pad(row + 1)}`;
/** A file of ten days with the value of each part: its number since the first one. */
const file = (names: readonly string[], before = 'date', cells = day) =>
  lines(DAYS, (row) => `${cells(row)},${names.map((_, part) => row * names.length + part).join()}`, `${before},${names.join()}`); // prettier-ignore

describe('days down and hours across', () => {
  it('are one series, whatever the hour columns are called', () => {
    const halves = 'PT30M 2024-01-01..2024-01-10T23:30 480 0';
    const hours = 'PT1H 2024-01-01..2024-01-10T23:00 240 0';
    const ways: [readonly string[], string][] = [
      [parts(48, (part) => clock(part, 48)), halves],
      [parts(48, (part) => `${clock(part, 48)}-${clock(part + 1, 48)}`), halves],
      [parts(48, (part) => `HH_${part + 1}`), halves],
      [parts(48, (part) => `Settlement Period ${part + 1}`), halves],
      [parts(24, (part) => `H${pad(part + 1)}`), hours],
      [parts(24, (part) => `HE${part + 1}`), hours],
      [parts(24, (part) => `hour_${part}`), hours],
      [parts(24, String), hours],
      [parts(96, (part) => clock(part, 96)), 'PT15M 2024-01-01..2024-01-10T23:45 960 0'],
    ];
    for (const [names, expected] of ways) {
      const series = only(file(names));
      assert.equal(brief(series), `file ${expected}`, names[1]);
      assert.deepEqual([...series.values.slice(0, 30)], parts(30, String).map(Number), names[1]);
    }
  });

  it('end at midnight if the clocks are the ends of the hours', () => {
    const series = only(file(parts(48, (part) => clock(part + 1, 48))));
    assert.equal(brief(series), 'file PT30M 2024-01-01T00:30..2024-01-11 480 0');
    assert.equal(series.values.at(-1), 479);
  });

  it('are a series for each meter, and one if all rows have the same meter', () => {
    const names = parts(24, (part) => `H${part + 1}`);
    const meters = lines(2 * DAYS, (row) => `${'AB'[row % 2]},${day(row >> 1)},kWh,${names.map((_, part) => part + row).join()}`, `meter,day,unit,${names.join()}`); // prettier-ignore
    const found = read(meters).series;
    assert.deepEqual(
      found.map(brief),
      ['A', 'B'].map((id) => `${id} PT1H 2024-01-01..2024-01-10T23:00 240 0`),
    );
    assert.deepEqual([...found[1]!.values.slice(0, 2), found[1]!.values[24]], [1, 2, 3]);
    const single = file(names, 'MPAN,date', (row) => `1234567890123,${pad(row + 1)}/01/2024`);
    assert.equal(brief(only(single, 'file.csv', { dateOrder: 'dmy' })).split(' ').slice(1).join(' '), 'PT1H 2024-01-01..2024-01-10T23:00 240 0'); // prettier-ignore
  });

  it('are a series for each numeric meter, beside other dates, sums and total rows', () => {
    const names = parts(48, (part) => clock(part + 1, 48));
    const meters = lines(2 * DAYS, (row) => `123,${2_000_012 + (row % 2)},${day(row >> 1)},${row},ORIG,,${names.map((_, part) => part + row).join()}`, `School URN,Mpan Mprn,Reading Date,One Day Total kWh,Status,Substitute Date,${names.join()}`); // prettier-ignore
    assert.deepEqual(read(meters).series.map(brief), ['2000012', '2000013'].map((id) => `${id} PT30M 2024-01-01T00:30..2024-01-11 480 0`)); // prettier-ignore
    const { series, problems } = read(`${file(names)}Total,${names.join(',').replaceAll(':', '')}\n`);
    assert.deepEqual(series.map(({ points, remarks }) => [points, remarks.length]), [[480, 0]]); // prettier-ignore
    assert.deepEqual(problems.map(({ line, severity }) => [line, severity]), [[12, 'info']]); // prettier-ignore
  });

  it('are not months or weeks with as many columns', () => {
    const names = parts(24, (part) => `h${part + 1}`);
    const month = (row: number) => `2023-${pad(row + 1)}-01`;
    const week = (row: number) => new Date(Date.UTC(2024, 0, 1 + 7 * row)).toISOString().slice(0, 10);
    for (const cells of [month, week]) assert.equal(read(file(names, 'date', cells)).series.length, 24, cells(1));
    const workdays = (row: number) => day(row + 2 * Math.floor(row / 5));
    assert.equal(read(file(names, 'date', workdays)).series.length, 1);
  });

  it('ask for the order of day and month, and name the row without a day', () => {
    const names = parts(24, (part) => clock(part, 24));
    const open = read(file(names, 'date', (row) => `${pad(row + 1)}/02/2024`));
    assert.deepEqual([open.series.length, open.choices.map(({ kind }) => kind)], [1, ['date-order']]);
    const broken = read(file(names, 'date', (row) => (row === 4 ? 'x y' : day(row))));
    assert.deepEqual(broken.problems.map(({ line, kind }) => [line, kind]).slice(0, 1), [[6, 'not-a-time']]);
    assert.equal(broken.series[0]!.points, 216);
  });

  it('are separate columns if they do not cover a day or the person chose one', () => {
    const some = parts(8, (part) => clock(part + 8, 24));
    assert.equal(read(file(some)).series.length, 8);
    const names = parts(24, (part) => clock(part, 24));
    assert.equal(brief(only(file(names), 'file.csv', { valueColumns: ['07:00'] })), '07:00 P1D 2024-01-01..2024-01-10 10 0'); // prettier-ignore
    for (const wrong of [parts(24, (part) => `lag${part + 1}`), parts(23, (part) => `H${part + 1}`), parts(24, (part) => `H${part + 5}`), parts(24, (part) => clock(part * 2, 48 * 2)), parts(24, (part) => String(part))])
      assert.equal(hoursOfNames(wrong[1] === '1' ? wrong : ['date', ...wrong]), undefined, wrong[1]); // prettier-ignore
  });
});
