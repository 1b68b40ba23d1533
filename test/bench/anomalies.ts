/**
 * Anomalies against the Numenta Anomaly Benchmark (Lavin and Ahmad 2015; data and labels of github.com/numenta/NAB), by
 * its own rules: a detection counts the more the earlier it is in a labelled window, once a window; others cost; the first
 * 15 % of a file (750 rows at most) count for nothing. Detections come from the past alone, with one rarity for all files.
 *
 *     npm run --silent bench:anomalies -- --data FOLDER [--rarity 1000] [--json]
 *
 * FOLDER has `data/` and `labels/combined_windows.json`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anomalousEpisodes, anomalyScores, surpriseOf } from '../../src/engine/anomalies.ts';
import { numberOf, present, readArguments, wrongUse } from './arguments.ts';

interface LabelledFile {
  readonly name: string;
  readonly times: Float64Array;
  readonly values: Float64Array;
  /** First and last row of each labelled window. */
  readonly windows: readonly (readonly [number, number])[];
}

/** What a detection in a window gains, one outside costs, and a missed window costs. */
const profiles = {
  standard: { hit: 1, falseAlarm: 0.11, miss: 1 },
  lowFP: { hit: 1, falseAlarm: 0.22, miss: 1 },
  lowFN: { hit: 1, falseAlarm: 0.11, miss: 2 },
} as const;
type Profile = (typeof profiles)[keyof typeof profiles];

/** Published scores: standard, reward low FP, reward low FN (the benchmark's own table). */
const published: readonly (readonly [string, number, number, number])[] = [
  ['Numenta HTM', 70.1, 63.1, 74.3],
  ['CAD OSE', 69.9, 67.0, 73.2],
  ['earthgecko Skyline', 58.2, 46.2, 63.9],
  ['KNN CAD', 58.0, 43.4, 64.8],
  ['Relative entropy', 54.6, 47.6, 58.8],
  ['Random cut forest', 51.7, 38.4, 59.7],
  ['Twitter ADVec', 47.1, 33.6, 53.5],
  ['Windowed Gaussian', 39.6, 20.9, 47.4],
];

const day = 86_400_000;

function load(folder: string): LabelledFile[] {
  const text = (name: string) => readFileSync(join(folder, ...name.split('/')), 'utf8');
  const labels = JSON.parse(text('labels/combined_windows.json')) as Record<string, [string, string][]>;
  return Object.entries(labels).map(([name, windows]) => {
    const rows = text(`data/${name}`)
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((row) => row.split(','));
    const times = Float64Array.from(rows, ([time]) => instant(time));
    return {
      name,
      times,
      values: Float64Array.from(rows, ([, value]) => Number(value)),
      windows: windows.map(([from, to]) => [
        times.findIndex((time) => time >= instant(from)),
        times.findLastIndex((time) => time <= instant(to)),
      ]),
    };
  });
}

const instant = (text: string) => Date.parse(`${text.trim().replace(' ', 'T').slice(0, 19)}Z`);

/** The benchmark's weight of a place: −1 is the begin of a window, 0 its end, above 0 is behind it. */
const weightAt = (place: number) => (place > 3 ? -1 : 2 / (1 + Math.exp(5 * place)) - 1);

function scoreOf({ values, windows }: LabelledFile, detections: readonly number[], profile: Profile): number {
  const probation = Math.floor(0.15 * Math.min(5000, values.length));
  const best = windows.map(() => -profile.miss);
  let alarms = 0;
  for (const row of detections.filter((each) => each >= probation)) {
    const within = windows.findIndex(([from, to]) => row >= from && row <= to);
    if (within >= 0) {
      const [from, to] = windows[within];
      const gain = (profile.hit * weightAt(-(to - row + 1) / (to - from + 1))) / weightAt(-1);
      best[within] = Math.max(best[within], gain);
    } else {
      const before = windows.findLast(([, to]) => to < row);
      alarms += profile.falseAlarm * (before ? weightAt((row - before[1]) / (before[1] - before[0])) : -1);
    }
  }
  return alarms + best.reduce((sum, one) => sum + one, 0);
}

/** 0 for a detector that says nothing, 100 for one that detects each window at its begin and nothing else. */
function benchmark(
  files: readonly LabelledFile[],
  detections: readonly (readonly number[])[],
  profile: Profile,
): number {
  const windows = files.reduce((sum, file) => sum + file.windows.length, 0);
  const score = files.reduce((sum, file, index) => sum + scoreOf(file, detections[index], profile), 0);
  return (100 * (score + windows * profile.miss)) / (windows * (profile.hit + profile.miss));
}

function detect({ times, values }: LabelledFile, rarity: number): number[] {
  const distances = Float64Array.from(times.subarray(1), (time, index) => time - times[index]).sort();
  const step = distances[Math.floor(distances.length / 2)];
  // On a regular grid; of several rows in one step the last one counts.
  const places = times.map((time) => Math.floor(time / step) - Math.floor(times[0] / step));
  const grid = new Float64Array(places[places.length - 1] + 1).fill(Number.NaN);
  places.forEach((place, row) => (grid[place] = values[row]));
  const { surprise } = anomalyScores({ values: grid, periods: [day / step, (7 * day) / step] });
  return anomalousEpisodes(
    places.map((place) => surprise[place]),
    surpriseOf(rarity),
  );
}

const { values: options } = readArguments({
  options: {
    data: { type: 'string' },
    rarity: { type: 'string', default: '1000' },
    json: { type: 'boolean', default: false },
  },
});
if (options.data === undefined)
  wrongUse('Usage: npm run --silent bench:anomalies -- --data FOLDER [--rarity 1000] [--json]');
const rarity = numberOf(options.rarity, '--rarity');
const files = load(present(options.data));
const start = performance.now();
const detections = files.map((file) => detect(file, rarity));
const milliseconds = performance.now() - start;
const rows = files.reduce((sum, { values }) => sum + values.length, 0);
const scores = Object.fromEntries(
  Object.entries(profiles).map(([name, profile]) => [name, benchmark(files, detections, profile)]),
);
if (options.json) {
  console.log(JSON.stringify(scores));
} else {
  const line = (name: string, ...cells: number[]) =>
    console.log(`${name.padEnd(30)}${cells.map((cell) => cell.toFixed(1).padStart(10)).join('')}`);
  console.log(`${''.padEnd(30)}${['standard', 'low FP', 'low FN'].map((name) => name.padStart(10)).join('')}`);
  line(`this, 1 in ${rarity}`, scores.standard, scores.lowFP, scores.lowFN);
  for (const [name, ...cells] of published) line(name, ...cells);
  console.log(`${files.length} files, ${rows} rows, ${((1000 * milliseconds) / rows).toFixed(1)} µs a row`);
}
