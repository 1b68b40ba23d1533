import assert from 'node:assert/strict';
import { lines, only, pad, read } from './helpers.ts';

const DAY = 86_400_000;
const HOLIDAYS = new Set(['2022-01-17', '2022-02-21', '2022-04-15', '2022-05-30', '2022-06-20', '2022-07-04', '2022-09-05', '2022-11-24', '2022-12-26']); // prettier-ignore

/** Prices of the business days of 2022 without these days. */
function prices(closed: ReadonlySet<string>): string {
  const days = Array.from({ length: 365 }, (_, i) => new Date(Date.UTC(2022, 0, 1) + i * DAY)).filter(
    (day) => ![0, 6].includes(day.getUTCDay()) && !closed.has(day.toISOString().slice(0, 10)),
  );
  return lines(days.length, (i) => `${days[i]!.toISOString().slice(0, 10)},${100 + (i % 17)}`, 'date,close');
}

describe('gaps', () => {
  it('exclude market holidays, of which only the number is reported', () => {
    const { problems, series } = read(prices(HOLIDAYS));
    assert.deepEqual(problems, []);
    assert.deepEqual([series[0]?.gaps, series[0]?.holidays], [0, 9]);
    assert.match(series[0]?.summary ?? '', /business-daily .* 251 points, no gaps, 9 holidays$/);
  });

  it('are reported beside the holidays', () => {
    const { problems, series } = read(prices(new Set([...HOLIDAYS, '2022-03-10', '2022-03-11'])));
    assert.equal(problems.length, 1);
    assert.equal(problems[0]?.message, '2 rows are missing between 9 Mar 2022 and 14 Mar 2022.');
    assert.deepEqual([series[0]?.gaps, series[0]?.holidays], [2, 9]);
  });

  it('are one problem with the widest gap and all places', () => {
    const left = (i: number) => [5, 20, 21, 22, 40, 41, 70, 90, 120].includes(i);
    const time = (i: number) => new Date(Date.UTC(2024, 4, 1) + i * 1_800_000).toISOString().slice(0, 16);
    const rows = Array.from({ length: 150 }, (_, i) => i).filter((i) => !left(i));
    const { problems, problemCount } = read(`time,load\n${rows.map((i) => `${time(i)},${i % 48}`).join('\n')}\n`);
    assert.equal(problemCount, 1);
    const [problem] = problems;
    assert.equal(problem?.line, 7);
    assert.match(problem?.message ?? '', /^9 rows are missing in 6 places: 1 between 2024-05-01 02:00 and 2024-05-01 03:00; 3 between 2024-05-01 09:30 and 2024-05-01 11:30; .*; and 1 more\.$/); // prettier-ignore
    assert.deepEqual(problem?.places?.map(({ line }) => line), [7, 21, 38, 66, 85, 114]); // prettier-ignore
  });

  it('are one problem for all series of a file', () => {
    const rows = ['A', 'B', 'C'].flatMap((id, n) =>
      Array.from({ length: 24 }, (_, i) => i)
        .filter((i) => n === 2 || i !== 5 + n)
        .map((i) => `${id},${2022 + Math.floor(i / 12)}-${pad((i % 12) + 1)},${i}`),
    );
    const { problems } = read(`unique_id,ds,y\n${rows.join('\n')}\n`);
    assert.deepEqual(problems.map(({ message }) => message), ['2 rows are missing in 2 series: 1 of A; 1 of B.']); // prettier-ignore
  });

  it('exclude leap days that a daily series never has', () => {
    const day = (i: number) => new Date(Date.UTC(2019, 0, 1) + i * DAY).toISOString().slice(0, 10);
    const rows = Array.from({ length: 365 * 6 }, (_, i) => day(i)).filter((date) => !date.endsWith('02-29'));
    const series = only(`day,t\n${rows.map((date, i) => `${date},${i % 9}`).join('\n')}\n`);
    assert.deepEqual([series.gaps, series.holidays], [0, 2]);
  });
});
