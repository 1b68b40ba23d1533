import assert from 'node:assert/strict';
import { frequencyCode } from '../../../src/calendar/frequency.ts';
import { readSeries } from '../../../src/reading/read.ts';
import type { LayoutChoice } from '../../../src/reading/types.ts';

const DAY = 86_400_000;

/** A CSV of days from Monday 2022-01-03 on, with a value for each that is wanted; `undefined`: no row. */
function daily(days: number, valueOf: (date: Date, text: string) => string | undefined): string {
  const rows = Array.from({ length: days }, (_, day) => new Date(Date.UTC(2022, 0, 3) + day * DAY)).flatMap((date) => {
    const text = date.toISOString().slice(0, 10);
    const value = valueOf(date, text);
    return value === undefined ? [] : [`${text},${value}`];
  });
  return ['day,value', ...rows].join('\n');
}
const number = (date: Date) => String(100 + 10 * date.getUTCDay() + ((date.getTime() / DAY) % 7) / 10);
const isWeekend = (date: Date) => date.getUTCDay() % 6 === 0;
const read = (text: string, layout?: LayoutChoice) => {
  const { series, problems } = readSeries(text, { fileName: 'file.csv', ...(layout ? { layout } : {}) });
  return { one: series[0]!, problems };
};

describe('closed time', () => {
  const shop = (special = '') =>
    daily(300, (date, text) => (date.getUTCDay() === 0 && text !== special ? undefined : number(date)));

  it('is neither a gap nor a problem', () => {
    const { one, problems } = read(shop());
    assert.equal(one.frequency && frequencyCode(one.frequency), 'P1D Mo-Sa');
    assert.match(one.summary, /daily, Mon–Sat .*258 points, no gaps$/);
    assert.deepEqual(problems, []);
  });

  it('stays closed despite one special Sunday, which is left out and reported', () => {
    const { one, problems } = read(shop('2022-06-12'));
    assert.equal(one.frequency && frequencyCode(one.frequency), 'P1D Mo-Sa');
    assert.deepEqual([one.points, one.gaps, one.outside], [258, 0, 1]);
    assert.ok(!one.times.includes(Date.UTC(2022, 5, 12)));
    assert.match(one.summary, /no gaps, 1 in closed time$/);
    assert.deepEqual(
      problems.map(({ kind, message }) => [kind, message]),
      [['closed', 'One row is in closed time (open: Mon–Sat) and was left out.']],
    );
  });

  it('counts as missing if the person says so', () => {
    const { one } = read(shop('2022-06-12'), { closed: false });
    assert.deepEqual([one.frequency, one.closed, one.points, one.gaps], [{ unit: 'day', count: 1 }, false, 259, 41]);
  });

  it('reads FRED’s “.” on a holiday as an absent row', () => {
    const isHoliday = (text: string) => /-(?:01-17|02-21|05-30|06-20|07-04|09-05|10-10|11-11|11-24|12-26)$/.test(text);
    const bonds = (mark: string | undefined) =>
      read(daily(360, (date, text) => (isWeekend(date) ? undefined : isHoliday(text) ? mark : number(date)))).one;
    const [marked, absent] = [bonds('.'), bonds(undefined)];
    assert.ok(absent.holidays > 5);
    assert.deepEqual(marked, { ...absent, remarks: marked.remarks });
    assert.match(marked.summary, /business-daily .*no gaps, \d+ holidays$/);
  });
});
