import { parseDuration, seasonalPeriods } from '../../../src/calendar/frequency.ts';
import type { Random } from './random.ts';
import { readJson } from '../competition.ts';
import type { SyntheticSeries } from './synthetic.ts';

/** A row of the file that `collect.py` writes. */
interface RealRow {
  readonly group: string;
  readonly source: string;
  readonly freq: string;
  readonly values: readonly (number | null)[];
}

interface Group {
  readonly periods: readonly number[];
  readonly series: readonly Float64Array[];
  /** Chance to be drawn among those of its frequency: the root of its points. */
  readonly weight: number;
}

/** How often a frequency is drawn, and how far ahead its windows are asked. */
interface Pace {
  readonly share: number;
  readonly horizon: readonly [number, number];
  readonly groups: Group[];
}

/** By steps of the frequency: those of common competitions, and some more. */
const paces: Readonly<Record<string, Pick<Pace, 'share' | 'horizon'>>> = {
  P1Y: { share: 0.03, horizon: [4, 12] },
  P3M: { share: 0.06, horizon: [4, 12] },
  P1M: { share: 0.18, horizon: [6, 24] },
  P7D: { share: 0.14, horizon: [8, 26] },
  P1D: { share: 0.2, horizon: [14, 60] },
  PT3H: { share: 0.03, horizon: [24, 56] },
  PT1H: { share: 0.16, horizon: [24, 168] },
  PT30M: { share: 0.04, horizon: [48, 96] },
  PT15M: { share: 0.03, horizon: [48, 192] },
  PT10M: { share: 0.02, horizon: [48, 144] },
  PT5M: { share: 0.03, horizon: [48, 288] },
};
/** Shares of windows whose history is cut short, and that are the mean of two series of one group. */
const shortShare = 0.5;
const mixedShare = 0.15;
const fewestBefore = 8;
const longestWindow = 4000;

/** Draws windows of real series: a random cut in a random series of a group, as what the net may see and what then comes. */
export class RealWindows {
  readonly #paces: readonly Pace[];

  /** @param without sources whose series are left out, to be judged by */
  constructor(file: string, without: readonly string[]) {
    const rows = (readJson(file) as RealRow[]).filter(({ source }) => !without.includes(source));
    this.#paces = Object.entries(paces).map(([freq, pace]) => {
      const ofPace = rows.filter((row) => row.freq === freq);
      const groups = [...new Set(ofPace.map(({ group }) => group))].map((name): Group => {
        const series = ofPace
          .filter(({ group }) => group === name)
          .map(({ values }) => Float64Array.from(values, (value) => value ?? Number.NaN));
        const points = series.reduce((sum, { length }) => sum + length, 0);
        return { series, weight: Math.sqrt(points), periods: seasonalPeriods(parseDuration(freq)!) };
      });
      return { ...pace, share: groups.length > 0 ? pace.share : 0, groups };
    });
  }

  draw(random: Random): SyntheticSeries {
    for (;;) {
      const { horizon: range, groups } = pick(this.#paces, ({ share }) => share, random);
      const { series, periods } = pick(groups, ({ weight }) => weight, random);
      const values = series[random.below(series.length)];
      const horizon = Math.min(range[0] + random.below(range[1] - range[0] + 1), Math.floor(values.length / 3));
      const last = values.length - horizon;
      const cut = fewestBefore + random.below(last - fewestBefore + 1);
      const most = Math.min(cut, longestWindow);
      const history = random.chance(shortShare) ? Math.floor(random.logBetween(fewestBefore, most + 1)) : most;
      let window = values.subarray(cut - history, cut + horizon);
      if (random.chance(mixedShare)) window = mixed(window, series[random.below(series.length)], random) ?? window;
      const seen = window.subarray(0, history).filter(Number.isFinite);
      const known = seen.length >= fewestBefore && window.subarray(history).every(Number.isFinite);
      if (known && seen.some((value) => value !== seen[0])) return { values: window, history, periods };
    }
  }
}

/** The mean of a window and as long a stretch of another series, each in its own spread. */
function mixed(window: Float64Array, other: Float64Array, random: Random): Float64Array | undefined {
  const count = window.length;
  if (other.length < count) return undefined;
  const from = random.below(other.length - count + 1);
  const second = other.subarray(from, from + count);
  const [a, b] = [spreadOf(window), spreadOf(second)];
  if (!(a > 0 && b > 0)) return undefined;
  const share = random.uniform();
  return window.map((value, i) => value + (share * (a / b) * second[i] - share * value));
}

function spreadOf(values: Float64Array): number {
  const known = values.filter(Number.isFinite);
  const centre = known.reduce((sum, value) => sum + value, 0) / known.length;
  return known.reduce((sum, value) => sum + Math.abs(value - centre), 0) / known.length;
}

function pick<T>(items: readonly T[], weightOf: (item: T) => number, random: Random): T {
  let left = random.uniform() * items.reduce((sum, item) => sum + weightOf(item), 0);
  for (const item of items) {
    left -= weightOf(item);
    if (left < 0) return item;
  }
  return items[items.length - 1];
}
