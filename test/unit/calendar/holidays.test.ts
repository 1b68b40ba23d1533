import assert from 'node:assert/strict';
import { easterOf, holidaysAmong } from '../../../src/calendar/holidays.ts';

const DAY = 86_400_000;
const dayOf = (date: string) => Date.parse(date) / DAY;
const dates = (days: Iterable<number>) => [...days].sort((a, b) => a - b).map((day) => new Date(day * DAY).toISOString().slice(0, 10)); // prettier-ignore
const explained = (missing: readonly string[], first: string, last: string) =>
  dates(holidaysAmong(missing.map(dayOf), dayOf(first), dayOf(last)));
const isWeekday = (date: string) => ![0, 6].includes(new Date(date).getUTCDay());

/** Closed days of the New York Stock Exchange, as it published them. */
const NEW_YORK = {
  2018: ['01-01', '01-15', '02-19', '03-30', '05-28', '07-04', '09-03', '11-22', '12-25'],
  2019: ['01-01', '01-21', '02-18', '04-19', '05-27', '07-04', '09-02', '11-28', '12-25'],
  2020: ['01-01', '01-20', '02-17', '04-10', '05-25', '07-03', '09-07', '11-26', '12-25'],
  2021: ['01-01', '01-18', '02-15', '04-02', '05-31', '07-05', '09-06', '11-25', '12-24'],
  2022: ['01-17', '02-21', '04-15', '05-30', '06-20', '07-04', '09-05', '11-24', '12-26'],
};
const closed = (...years: (keyof typeof NEW_YORK)[]) =>
  years.flatMap((year) => NEW_YORK[year].map((day) => `${year}-${day}`));

describe('holidays among missing business days', () => {
  it('recur every year: by date, nth weekday, Easter, and as substitutes after a weekend', () => {
    const missing = closed(2018, 2019, 2020, 2021, 2022);
    assert.deepEqual(explained(missing, '2018-01-01', '2022-12-30'), missing);
  });

  it('are those of a known market for a short series', () => {
    assert.deepEqual(explained(closed(2019), '2019-01-01', '2019-12-31'), closed(2019));
    assert.deepEqual(explained(['2019-11-28', '2019-12-25'], '2019-11-01', '2019-12-31'), ['2019-11-28', '2019-12-25']);
    const target = ['2013-01-01', '2013-03-29', '2013-04-01', '2013-05-01', '2013-12-25', '2013-12-26'];
    assert.deepEqual(explained(target, '2013-01-01', '2013-12-31'), target);
    const london = ['2023-01-02', '2023-04-07', '2023-04-10', '2023-05-01', '2023-05-29', '2023-08-28', '2023-12-25', '2023-12-26']; // prettier-ignore
    assert.deepEqual(explained(london, '2023-01-01', '2023-12-29'), london);
  });

  it('are recurring ones of an unknown market', () => {
    const years = [2016, 2017, 2018, 2019, 2020, 2021];
    const missing = years.flatMap((year) => [`${year}-02-24`, `${year}-10-03`, `${year}-10-09`]).filter(isWeekday);
    assert.deepEqual(explained(missing, '2016-01-01', '2021-12-31'), missing);
  });

  it('follow the lunar calendar', () => {
    // the days that the Hong Kong exchange was closed for the lunar New Year, Monday for Saturday or Sunday
    const missing = ['2017-01-30', '2017-01-31', '2018-02-16', '2018-02-19', '2019-02-05', '2019-02-06', '2019-02-07', '2020-01-27', '2020-01-28', '2021-02-12', '2021-02-15', '2022-02-01', '2022-02-02', '2022-02-03', '2023-01-23', '2023-01-24']; // prettier-ignore
    assert.deepEqual(explained(missing, '2017-01-02', '2023-12-29'), missing);
  });

  it('exclude single days, days of one week and random days', () => {
    assert.deepEqual(
      explained(['2018-12-05', ...closed(2019)], '2018-06-01', '2019-12-31').includes('2018-12-05'),
      false,
    );
    const week = ['2019-06-03', '2019-06-04', '2019-06-05', '2019-06-06', '2019-06-07'];
    assert.deepEqual(explained(week, '2017-01-01', '2021-12-31'), []);
    let state = 7;
    const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    const first = dayOf('2018-01-01');
    const some = Array.from({ length: 4 * 365 }, (_, i) => first + i).filter((day) => isWeekday(new Date(day * DAY).toISOString()) && random() < 0.03); // prettier-ignore
    assert.ok(some.length > 20);
    const found = holidaysAmong(some, first, first + 4 * 365);
    assert.ok(found.size <= some.length * 0.15, `${found.size} of ${some.length}`);
  });

  it('that depend on Easter follow it each year', () => {
    assert.deepEqual(dates([easterOf(1961), easterOf(2000), easterOf(2024), easterOf(2038)]), ['1961-04-02', '2000-04-23', '2024-03-31', '2038-04-25']); // prettier-ignore
  });
});
