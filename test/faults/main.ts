/**
 * `npm run test:faults [-- --long] [-- --only WORD]`: does to the service what the world does, and prints what came of it.
 * The short form is part of `npm test`; the long one takes about an hour.
 *   --long         more of everything, and a soak of ten minutes
 *   --only WORD    scenarios with this word in their names
 *   --seed N       draws moments, places and lengths anew; each scenario tells the seed where it fails
 *   --write        puts the table into docs/reliability.md
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Random } from '../bench/training/random.ts';
import { numberOf, readArguments } from '../bench/arguments.ts';
import type { Report } from '../harness/reporter.ts';
import { root } from '../harness/paths.ts';
import { end } from '../harness/processes.ts';
import { reason, say, step } from '../harness/say.ts';
import { bombs } from './bombs.ts';
import { cluster } from './cluster.ts';
import { damage } from './damage.ts';
import { fileLimit, fullAtStart, smallDisk } from './disk.ts';
import { ends, kills, npmEnds } from './kills.ts';
import { network } from './network.ts';
import { clock, paused } from './programs.ts';
import { requests, slowRequests } from './requests.ts';
import { NotHere, type Outcome, type Scenario } from './scenario.ts';
import { sizes } from './sizes.ts';
import { soak } from './soak.ts';
import { cancels, threads } from './threads.ts';
import { workbench } from './workbench.ts';

/** Those that mostly wait go beside the others. */
const LANES: readonly (readonly Scenario[])[] = [
  [kills, ends, smallDisk, fullAtStart, clock, workbench],
  [paused, damage, threads, cancels, network, requests, fileLimit],
  [slowRequests, cluster, soak, npmEnds, sizes, bombs],
];

const { values } = readArguments({
  options: {
    long: { type: 'boolean' },
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: '4711' },
    write: { type: 'boolean' },
  },
});
const seed = numberOf(values.seed, '--seed');
const report: Report = { passed: 0, failed: 0, skipped: 0, milliseconds: 0, failures: [] };
const outcomes = new Map<Scenario, Outcome>();

async function one(scenario: Scenario): Promise<void> {
  const from = Date.now();
  try {
    outcomes.set(scenario, await scenario.run({ long: values.long ?? false, random: new Random(seed) }));
    report.passed++;
  } catch (error) {
    if (error instanceof NotHere) {
      report.skipped++;
      outcomes.set(scenario, { tried: '0', outcome: `not shown here: ${error.message}` });
    } else {
      report.failed++;
      outcomes.set(scenario, { tried: '', outcome: 'FAILED' });
      const failure = `${scenario.name} (--seed ${seed})\n${reason(error)}`;
      report.failures.push(failure);
      say(`FAILED: ${failure}`);
    }
  }
  step(`${scenario.name} (${((Date.now() - from) / 1000).toFixed(0)} s)`);
}

async function main(): Promise<number> {
  const from = Date.now();
  const lanes = LANES.map((lane) => lane.filter(({ name }) => name.includes(values.only)));
  await Promise.all(
    lanes.map(async (lane) => {
      for (const scenario of lane) await one(scenario);
    }),
  );
  report.milliseconds = Date.now() - from;
  const rows = lanes
    .flat()
    .map((scenario) => [scenario.name, outcomes.get(scenario)?.tried, outcomes.get(scenario)?.outcome]);
  const table = [['fault', 'times tried', 'outcome'], ['---', '---', '---'], ...rows].map(
    (row) => `| ${row.join(' | ')} |`,
  );
  say(`\n${table.join('\n')}\n`);
  if (values.write && report.failed === 0) writeTable(table);
  const file = process.env.TEST_REPORT;
  if (file) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(report));
  }
  say(`${report.passed} passed, ${report.failed} failed${report.skipped ? `, ${report.skipped} not shown here` : ''}`);
  return report.failed === 0 && report.passed > 0 ? 0 : 1;
}

/** The table of the document is the one of the last long run with `--write`. */
function writeTable(table: readonly string[]): void {
  const file = path.join(root, 'docs', 'reliability.md');
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(/(?<=<!-- table -->\n)[^]*?(?=<!-- end -->)/, () => `\n${table.join('\n')}\n\n`),
  );
}

main().then(end, (error: unknown) => {
  say(reason(error));
  return end(1);
});
