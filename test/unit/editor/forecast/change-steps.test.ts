import assert from 'node:assert/strict';
import type { ChartView } from '../../../../src/chart/types.ts';
import { Extension } from '../extension.ts';
import { seasonal } from '../series-text.ts';
import { until } from '../until.ts';

const DAY = 86_400_000;

/** Days from Monday 2023-01-02 on but for Sundays, with a value for each. */
function shop(days: number): string {
  const rows = Array.from({ length: days }, (_, day) => new Date(Date.UTC(2023, 0, 2) + day * DAY))
    .filter((date) => date.getUTCDay() !== 0)
    .map((date, row) => `${date.toISOString().slice(0, 10)},${seasonal(row)}`);
  return ['day,sales', ...rows].join('\n');
}

interface Shown {
  readonly type: string;
  readonly chart?: ChartView;
}

describe('the steps of a forecast', () => {
  const extension = new Extension();
  const panel = () => extension.window.panels.at(-1)!;

  /** The chart that is shown last, as far as it is what is waited for. */
  async function chartWith(isWanted: (chart: ChartView) => boolean): Promise<ChartView> {
    panel().says({ type: 'ready' });
    const shown = () => (panel().posted as Shown[]).findLast(({ type }) => type === 'show')?.chart;
    return (await until(shown, (chart) => chart?.forecast !== undefined && isWanted(chart)))!;
  }
  const isSunday = (time: number) => new Date(time).getUTCDay() === 0;

  it('leave closed time out, and take it in and out again where a person says so', async () => {
    await extension.run('forecast', extension.file('shop.csv', shop(200)));
    const open = await chartWith(() => true);
    assert.match(open.summary, /daily, Mon–Sat .*172 points, no gaps/);
    assert.ok(open.forecast!.times.every((time) => !isSunday(time)));
    extension.person.picks('Count Closed Time as Missing');
    panel().says({ type: 'action', id: open.change!.id });
    const always = await chartWith(({ summary }) => !summary.includes('Mon–Sat'));
    assert.match(always.summary, /daily · .*172 points, 28 gaps/);
    assert.ok(always.forecast!.times.some(isSunday));
    extension.person.picks('Leave Closed Time Out');
    panel().says({ type: 'action', id: always.change!.id });
    const again = await chartWith(({ summary }) => summary.includes('Mon–Sat'));
    assert.ok(again.forecast!.times.every((time) => !isSunday(time)));
  });

  it('become longer ones, as the sum, and those of the file again', async () => {
    await extension.run('forecast', extension.file('weeks.csv', shop(300)));
    const days = await chartWith(() => true);
    extension.person.picks('Per Week').picks('Sum');
    panel().says({ type: 'action', id: days.change!.id });
    const weeks = await chartWith(({ summary }) => summary.includes('weekly'));
    assert.equal(weeks.history.times.length, 43, 'the last week is over on Saturday');
    const firstWeek = days.history.values.slice(0, 6).reduce((sum, value) => sum + value, 0);
    assert.equal(weeks.history.values[0], firstWeek);
    assert.ok(weeks.forecast!.times.every((time) => new Date(time).getUTCDay() === 1));
    extension.person.picks('As in the File');
    panel().says({ type: 'action', id: weeks.change!.id });
    const back = await chartWith(({ summary }) => summary.includes('daily'));
    assert.equal(back.history.times.length, days.history.times.length);
  });

  it('lead to the page that shows all of how the file is read', async () => {
    await extension.run('forecast', extension.file('page.csv', shop(100)));
    const { change } = await chartWith(() => true);
    extension.person.picks('How the File Is Read…');
    panel().says({ type: 'action', id: change!.id });
    await until(
      () => extension.window.panels.map(({ title }) => title),
      (titles) => titles.some((title) => title.includes('page.csv') && !title.startsWith('Forecast')),
    );
  });
});
