/**
 * `npm run bench:stream`: monthly series of 60 points through the stream, with one thread and with two in turn, and the
 * examples of docs/scale.md for Spark and Ray as they stand there, where Python has them and there is a Java.
 *
 *     npm run bench:stream [-- --series N] [--model ID] [--pairs N] [--python PROGRAM] [--json]
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    series: { type: 'string', default: '5000' },
    model: { type: 'string', default: 'hybrid' },
    pairs: { type: 'string', default: '2' },
    python: { type: 'string', default: 'python3' },
    json: { type: 'boolean', default: false },
  },
});
const count = Number(options.series);
const script = path.resolve('src/cli/stream.ts');
const folder = mkdtempSync(path.join(tmpdir(), 'stream-'));
const input = path.join(folder, 'series.ndjson');

interface Run {
  readonly what: string;
  readonly seconds: number;
  readonly seriesPerSecond: number;
  /** Most memory of the process, in MB, where it could be looked at. */
  readonly megabytes?: number | undefined;
}

async function writeSeries(): Promise<void> {
  const out = createWriteStream(input);
  for (let id = 0; id < count; id++) {
    const values = Array.from({ length: 60 }, (_, month) => {
      const noise = ((id * 7919 + month * 104_729) % 997) / 997;
      return Number((100 + (id % 50) + month * 0.3 + 12 * Math.sin((month * Math.PI) / 6) + 9 * noise).toFixed(2));
    });
    const line = `${JSON.stringify({ id: `s${id}`, values, start: '2019-01-01', freq: 'P1M' })}\n`;
    if (!out.write(line)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

/** @throws Error where a forecast is missing or out of its place */
async function check(files: readonly string[]): Promise<void> {
  let next = 0;
  for (const file of files) {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      if (!line.startsWith(`{"id":"s${next}","prediction_series":[{`))
        throw new Error(`${file}: s${next} is not in its place`);
      next++;
    }
  }
  if (next !== count) throw new Error(`${next} forecasts of ${count} series`);
}

const run = (what: string, start: number, megabytes?: number): Run => {
  const seconds = (performance.now() - start) / 1000;
  return { what, seconds, seriesPerSecond: count / seconds, megabytes };
};

/** Most memory of a process so far, as Linux tells it. */
function peakOf(pid: number): number | undefined {
  try {
    // one that is ending has no memory any more
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return peak === undefined ? undefined : Number(peak) / 1024;
  } catch {
    return undefined;
  }
}

async function plain(threads: number): Promise<Run> {
  const output = path.join(folder, 'plain.ndjson');
  const start = performance.now();
  const program = spawn(process.execPath, [script, '--model', options.model, '--threads', String(threads)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  createReadStream(input).pipe(program.stdin);
  program.stdout.pipe(createWriteStream(output));
  let peak: number | undefined;
  const watch = setInterval(() => (peak = peakOf(program.pid!) ?? peak), 200);
  await once(program, 'close');
  clearInterval(watch);
  const result = run(`${threads} ${threads === 1 ? 'thread' : 'threads'}`, start, peak);
  await check([output]);
  return result;
}

/** An example of the document, found by the word that it begins with. */
async function example(name: 'spark' | 'ray'): Promise<Run | undefined> {
  const library = { spark: 'pyspark', ray: 'ray' }[name];
  const isThere = (program: string, ...args: readonly string[]) => spawnSync(program, args).status === 0;
  if (!isThere(options.python, '-c', `import ${library}`)) return undefined;
  if (name === 'spark' && !isThere('java', '-version')) return undefined;
  const code = new RegExp(`\`\`\`python\\n(# ${name}:.*?)\`\`\``, 's').exec(readFileSync('docs/scale.md', 'utf8'))![1];
  const start = performance.now();
  const { status, stderr } = spawnSync(options.python, ['-c', code], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, FORECASTS_STREAM: `${process.execPath} ${script} --model ${options.model}` },
  });
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr.slice(-2000)}`);
  const result = run(name, start);
  const parts = path.join(folder, 'forecasts');
  const files =
    name === 'ray'
      ? [path.join(folder, 'forecasts.ndjson')]
      : readdirSync(parts).filter((file) => file.startsWith('part-')).sort().map((file) => path.join(parts, file)); // prettier-ignore
  await check(files);
  return result;
}

const runs: Run[] = [];
const told = (one: Run) => {
  runs.push(one);
  if (options.json) return;
  const memory = one.megabytes === undefined ? '' : `, ${one.megabytes.toFixed(0)} MB at most`;
  console.log(
    `${one.what.padEnd(10)} ${one.seconds.toFixed(1).padStart(7)} s, ${one.seriesPerSecond.toFixed(0).padStart(6)} series/s${memory}`,
  );
};

await writeSeries();
if (!options.json)
  console.log(`${count} monthly series of 60 points, ${options.model}, ${availableParallelism()} cores`);
for (let pair = 0; pair < Number(options.pairs); pair++) {
  told(await plain(1));
  told(await plain(2));
}
for (const name of ['spark', 'ray'] as const) {
  const one = await example(name);
  if (one) told(one);
  else if (!options.json) console.log(`${name.padEnd(10)} is not there (--python PROGRAM says whose Python has it)`);
}
const best = (what: string) => Math.max(...runs.filter((one) => one.what === what).map((one) => one.seriesPerSecond));
const ratio = best('2 threads') / best('1 thread');
if (options.json) console.log(JSON.stringify({ series: count, runs, twoThreadsOverOne: ratio }));
else console.log(`two threads are ${ratio.toFixed(2)} times one, by the best of each`);
rmSync(folder, { recursive: true, force: true });
