/**
 * Fits the table of `src/engine/intervals/calibration-table.ts` on files of series: by how much the bands of the default
 * model must be widened, given what is known of the series and its forecast. Prints for each kind of series the coverage by
 * groups, each half of the series being judged by a table of the other half.
 *
 *     npm run bench:calibrate-bands -- --data FILE.json.gz … [--rolling FILE.json.gz …] [--most SERIES_PER_GROUP]
 *       [--kind KIND …] [--probability 0.95 …] [--only PLACE …] [--write]
 *
 * Files are as for `bench:accuracy` and, with --rolling, for `bench:rolling`; with --kind and --probability, only these rows
 * are fitted and written, and with --only, only the weights at these places of theirs, all others being as they are.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { hybridBands, isSpecial } from '../../src/engine/distribution.ts';
import { limitsOf } from '../../src/engine/ensemble/plausible.ts';
import {
  calibratedProbabilities,
  calibration,
  type CalibratedKind,
} from '../../src/engine/intervals/calibration-table.ts';
import { characterOfBands, fewestPoints, kindOf, mostCorrection } from '../../src/engine/intervals/calibration.ts';
import { prepareSeries } from '../../src/engine/prepare/series.ts';
import { clamp } from '../../src/engine/statistics.ts';
import { numberOf, readArguments, wrongUse } from './arguments.ts';
import { calendarPeriods, readJson, readRows, seasonalScale, type RollingRow } from './competition.ts';
import { quantileRegression, type Sample } from './quantile-regression.ts';
import { periodsOf, windowsOf } from './rolling-windows.ts';

const { values: options } = readArguments({
  options: {
    data: { type: 'string', multiple: true, default: [] },
    rolling: { type: 'string', multiple: true, default: [] },
    most: { type: 'string', default: '600' },
    kind: { type: 'string', multiple: true },
    probability: { type: 'string', multiple: true },
    only: { type: 'string', multiple: true, default: [] },
    write: { type: 'boolean', default: false },
  },
});
if (options.data.length + options.rolling.length === 0)
  wrongUse('Give it files: --data FILE.json.gz, or --rolling FILE.json.gz as for bench:rolling.');
const most = numberOf(options.most, '--most');
const probabilities = options.probability?.map((text) => numberOf(text, '--probability'));
const target = new URL('../../src/engine/intervals/calibration-table.ts', import.meta.url);
const kinds = Object.keys(calibration) as CalibratedKind[];
/** A group with fewer points than this counts for less than the others of its kind. */
const fullWeight: Readonly<Record<CalibratedKind, number>> = {
  plain: 1500,
  quarter: 3000,
  month: 1500,
  day: 200,
  week: 200,
  intraday: 200,
};
/** A group of a competition has more series than the others of its kind, but for daily ones, and counts for more. */
const competitions: Readonly<Record<CalibratedKind, number>> = {
  plain: 5,
  quarter: 5,
  month: 5,
  day: 1,
  week: 8,
  intraday: 5,
};
const penalties: Readonly<Record<CalibratedKind, number>> = {
  plain: 0.003,
  quarter: 0.003,
  month: 0.003,
  day: 0.1,
  week: 0.01,
  intraday: 0.003,
};
/** Few weights by themselves are hardly shrunken. */
const penaltyOfFew = 0.003;
const places = options.only.map((text) => numberOf(text, '--only'));
/** Of a long horizon only each so many steps are read, since neighbours tell the same. */
const farHorizon = 24;
const stride = 4;
/** A group with fewer points says little of its coverage. */
const fewestJudged = 75;

interface Point {
  readonly group: string;
  readonly half: number;
  readonly isCompetition: boolean;
  readonly row: Float64Array;
  /** Logarithms of |error| over half the width of the band, for each probability of the table. */
  readonly outcomes: readonly number[];
}
const points = new Map<CalibratedKind, Point[]>(kinds.map((kind) => [kind, []]));
const seen = new Map<string, number>();

/** How many series of its group came before, or undefined where these are enough. */
function placeOf(group: string): number | undefined {
  const count = seen.get(group) ?? 0;
  seen.set(group, count + 1);
  return count < most ? count : undefined;
}

for (const row of options.data.flatMap(readRows)) {
  const place = placeOf(row.group);
  if (place === undefined || !(seasonalScale(row) > 0)) continue;
  collect(Float64Array.from(row.train), calendarPeriods(row), Float64Array.from(row.test), {
    group: row.group,
    half: place % 2,
    isCompetition: true,
  });
}
for (const row of options.rolling.flatMap((path) => readJson(path) as RollingRow[])) {
  const place = placeOf(row.group);
  if (place === undefined) continue;
  for (const { history, future } of windowsOf(row)) {
    collect(history, periodsOf(row), future, { group: row.group, half: place % 2, isCompetition: false });
  }
}
const isAsked = (kind: CalibratedKind): boolean =>
  points.get(kind)!.length > 0 && (options.kind?.includes(kind) ?? true);
const table = Object.fromEntries(kinds.map((kind) => [kind, isAsked(kind) ? fitted(kind) : calibration[kind]]));
if (options.write) write();

function collect(
  history: Float64Array,
  periods: readonly number[],
  future: Float64Array,
  from: Pick<Point, 'group' | 'half' | 'isCompetition'>,
): void {
  const series = prepareSeries(history, periods);
  const { missingAtEnd, unit, values } = series;
  const horizon = future.length + missingAtEnd;
  if (unit < 0 || values.length < fewestPoints || isSpecial(series, horizon)) return;
  const limits = limitsOf(values, series.observedValues, horizon);
  const { bands, evidence } = hybridBands(series, horizon, undefined, limits);
  const halves = bands.point.map((_, step) => (bands.quantile(0.9, step) - bands.quantile(0.1, step)) / 2);
  const { whole, ofStep } = characterOfBands(bands.point, halves, series, evidence);
  future.forEach((actual, i) => {
    const step = i + missingAtEnd;
    if (!Number.isFinite(actual) || (future.length >= farHorizon && i % stride > 0)) return;
    const error = actual / unit - bands.point[step];
    const outcomes = calibratedProbabilities.map((probability) => {
      const level = 0.5 + (Math.sign(error) * probability) / 2;
      const reach = Math.abs(bands.quantile(level, step) - bands.point[step]);
      return Math.log(clamp(Math.abs(error) / Math.max(reach, 1e-12), 1e-3, 30));
    });
    points.get(kindOf(series))!.push({ ...from, row: Float64Array.from([1, ...whole, ...ofStep(step)]), outcomes });
  });
}

/** What the weights make of a point that are not fitted. */
function keptOf(kind: CalibratedKind, { row }: Point, column: number): number {
  const weights = calibration[kind][column];
  return row.reduce((sum, value, i) => sum + (places.includes(i) ? 0 : weights[i] * value), 0);
}

function sampleOf(kind: CalibratedKind, chosen: readonly Point[], column: number): Sample {
  const counts = new Map<string, number>();
  for (const { group } of chosen) counts.set(group, (counts.get(group) ?? 0) + 1);
  return {
    // The first weight is that of a constant, which is among those that are kept.
    rows: chosen.map(({ row }) => (places.length > 0 ? Float64Array.from([0, ...places.map((i) => row[i])]) : row)),
    outcomes: chosen.map((point) => point.outcomes[column] - (places.length > 0 ? keptOf(kind, point, column) : 0)),
    weights: chosen.map(
      ({ group, isCompetition }) =>
        (isCompetition ? competitions[kind] : 1) / Math.max(counts.get(group)!, fullWeight[kind]),
    ),
  };
}

function fitted(kind: CalibratedKind): readonly (readonly number[])[] {
  const all = points.get(kind)!;
  return calibratedProbabilities.map((probability, column) => {
    if (probabilities && !probabilities.includes(probability)) return calibration[kind][column];
    const fit = (chosen: readonly Point[]): Float64Array => {
      const sample = sampleOf(kind, chosen, column);
      if (places.length === 0) return quantileRegression(sample, probability, penalties[kind]);
      const found = quantileRegression(sample, probability, penaltyOfFew);
      const row = Float64Array.from(calibration[kind][column]);
      places.forEach((place, i) => (row[place] = found[1 + i]));
      return row;
    };
    if (probability > 0.5) {
      const halves = [0, 1].map((half) => fit(all.filter((point) => point.half !== half)));
      judge(kind, probability, column, (point) => factorOf(halves[point.half], point.row));
    }
    return Array.from(fit(all), (value) => Number(value.toFixed(3)));
  });
}

function factorOf(weights: Float64Array, row: Float64Array): number {
  return clamp(
    row.reduce((sum, value, i) => sum + weights[i] * value, 0),
    -mostCorrection,
    mostCorrection,
  );
}

function judge(kind: CalibratedKind, probability: number, column: number, factor: (point: Point) => number): void {
  const groups = Map.groupBy(points.get(kind)!, ({ group }) => group);
  const shares = [...groups].flatMap(([group, members]) => {
    if (members.length < fewestJudged) return [];
    const inside = members.filter((point) => point.outcomes[column] <= factor(point)).length;
    return [{ group, share: inside / members.length }];
  });
  const away = shares.map(({ share }) => Math.abs(share - probability));
  const out = away.filter((distance) => distance > (probability === 0.8 ? 0.03 : 0.02)).length;
  const meanAway = away.reduce((sum, distance) => sum + distance, 0) / away.length;
  console.log(`${kind} ${probability}: mean distance ${meanAway.toFixed(4)}, ${out} of ${away.length} groups outside`);
  console.log(`  ${shares.map(({ group, share }) => `${group} ${share.toFixed(3)}`).join(', ')}`);
}

function write(): void {
  const source = readFileSync(target, 'utf8');
  const rows = kinds.map((kind) => `  ${kind}: ${JSON.stringify(table[kind])},`).join('\n');
  const start = source.indexOf('export const calibration:');
  const head = source.slice(0, source.indexOf('{', start));
  writeFileSync(target, `${head}{\n${rows}\n};\n`);
}
