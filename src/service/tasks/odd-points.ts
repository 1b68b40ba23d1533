import { isoInstant } from '../../calendar/format.ts';
import { seasonalPeriods } from '../../calendar/frequency.ts';
import type { OddPoints } from '../../contract/analysis.ts';
import type { SeriesPoint } from '../../contract/resources.ts';
import { oddEpisodes, oddness, rarityOf, SIGNS, surpriseOf } from '../../engine/odd-points.ts';
import { gridOf, toNumbers } from '../store/points.ts';
import type { OddPointsTask } from './tasks.ts';

/** Judges the observations of a series, put on its regular grid, by those before them. */
export function findOddPoints({ points: json, rarity }: OddPointsTask): OddPoints {
  const points = JSON.parse(json) as SeriesPoint[];
  const numbers = toNumbers(points);
  const grid = gridOf(numbers);
  const { frequency, values } = grid;
  const { expected, scale, surprise, sign } = oddness({ values, periods: frequency ? seasonalPeriods(frequency) : [] });
  const firstRow = Number(points[0]?.metadata?.row);
  return {
    rarity,
    judged: surprise.reduce((count, one) => count + (one > 0 ? 1 : 0), 0),
    points: oddEpisodes(surprise, surpriseOf(rarity)).map((index) => ({
      timestamp: isoInstant(grid.timeAt(index)),
      value: values[index],
      expected: expected[index],
      scale: scale[index],
      rarity: Math.round(rarityOf(surprise[index])),
      sign: SIGNS[sign[index]],
      ...(numbers.rows ? { metadata: { row: firstRow + index } } : {}),
    })),
  };
}
