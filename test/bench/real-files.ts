/**
 * `npm run bench:real-files -- FOLDER`: reads files of real sources, which are not shipped, and holds each against what
 * should be read of it. Exits with 1 where one differs.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatDuration } from '../../src/calendar/frequency.ts';
import { readSeries } from '../../src/reading/read.ts';
import { present, readArguments, wrongUse } from './arguments.ts';

/** Series ids, frequency, points of each, gaps, and whether a question is left. */
const EXPECTED: Readonly<
  Record<string, readonly [ids: string, frequency: string, points: number, gaps: number, asks: boolean]>
> = {
  'SF_hospital_load.csv': ['y', 'PT1H', 8760, 0, false],
  'air_passengers_format.csv': ['AirPassengers', 'P1M', 144, 0, false],
  'bicimad_users.csv': ['users', 'P1D', 3022, 0, false],
  'bitcoin_price_usd.csv': ['Close', 'P1D', 1461, 0, false],
  'electricity-short.csv': ['BE DE FR NP', 'PT1H', 1680, 0, false],
  'ercot_COAST.csv': ['COAST', 'PT1H', 999, 0, false],
  'expenditures_australia.csv': ['turnover', 'P1M', 505, 0, false],
  'h2o_exog.csv': ['y exog_1 exog_2', 'P1M', 195, 0, true],
  'jb_airline-passengers.csv': ['Passengers', 'P1M', 144, 0, false],
  'jb_daily-min-temperatures.csv': ['Temp', 'P1D', 3650, 2, false],
  'jb_daily-total-female-births.csv': ['Births', 'P1D', 365, 0, false],
  'jb_monthly-sunspots.csv': ['Sunspots', 'P1M', 2820, 0, false],
  'public-transport-madrid.csv': ['metro bus road train total', 'P1D', 715, 0, true],
  'simulated_items_sales.csv': ['item_1 item_2 item_3', 'P1D', 1097, 0, true],
  'usdeur.csv': ['value', 'P1D', 2842, 28, false],
  'wikipedia_visits.csv': ['y', 'P1D', 2905, 59, false],
};

const [folder] = readArguments({ allowPositionals: true }).positionals;
if (folder === undefined) wrongUse('Usage: npm run bench:real-files -- FOLDER');
let differ = 0;
for (const name of readdirSync(present(folder)).toSorted()) {
  const expected = EXPECTED[name];
  const { series, choices } = readSeries(readFileSync(join(folder, name)), { fileName: name });
  const [{ frequency, points, gaps }] = series;
  const step = frequency ? formatDuration(frequency) : 'none';
  const read = [series.map(({ id }) => id).join(' '), step, points, gaps, choices.length > 0];
  const isRight = expected === undefined || JSON.stringify(read) === JSON.stringify(expected);
  if (!isRight) differ++;
  const verdict = expected === undefined ? '?' : isRight ? '✓' : '✗';
  console.log(
    `${verdict} ${name}: ${read.slice(0, 4).join(' · ')}${isRight ? '' : `, expected ${expected.join(' · ')}`}`,
  );
}
process.exitCode = differ === 0 ? 0 : 1;
