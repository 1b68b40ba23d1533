/**
 * `npm run bench:stream`: monthly series of 60 points through the stream, a line that is none among each 500, with one
 * thread and with two in turn, and the examples of docs/scale.md for Spark and Ray as they stand there, where Python has
 * them and there is a Java. On Linux also the processor time, which tells more than the clock where the machine is busy.
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
import { numberOf, readArguments } from './arguments.ts';

const { values: options } = readArguments({
  options: {
    series: { type: 'string', default: '20000' },
    model: { type: 'string', default: 'hybrid' },
    pairs: { type: 'string', default: '2' },
    python: { type: 'string', default: 'python3' },
    json: { type: 'boolean', default: false },
  },
});
const count = numberOf(options.series, '--series');
const pairs = numberOf(options.pairs, '--pairs');
const isBad = (line: number) => line % 500 === 250;
const script = path.resolve('src/cli/stream.ts');
const folder = mkdtempSync(path.join(tmpdir(), 'stream-'));
const input = path.join(folder, 'series.ndjson');

interface Run {
  readonly what: string;
  readonly seconds: number;
  readonly seriesPerSecond: number;
  readonly process?: Taken | undefined;
}

/** What a process has taken so far, as Linux tells it. */
interface Taken {
  /** Most memory, in MB. */
  readonly megabytes: number;
  /** Seconds of a processor, and of these what the thread had that has most. */
  readonly processor: number;
  readonly busiest: number;
}

async function writeSeries(): Promise<void> {
  const out = createWriteStream(input);
  for (let id = 0; id < count; id++) {
    const values = Array.from({ length: 60 }, (_, month) => {
      const noise = ((id * 7919 + month * 104_729) % 997) / 997;
      return Number((100 + (id % 50) + month * 0.3 + 12 * Math.sin((month * Math.PI) / 6) + 9 * noise).toFixed(2));
    });
    const line = `${JSON.stringify({ id: `s${id}`, values, start: '2019-01-01', freq: 'P1M' })}\n`;
    if (!out.write(isBad(id) ? 'no series\n' : line)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

/** @throws Error where a forecast is missing or out of its place */
async function check(files: readonly string[]): Promise<void> {
  let next = 0;
  for (const file of files) {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      // the number of a line is that within its part
      const expected = isBad(next) ? '{"id":null,"line":' : `{"id":"s${next}","prediction_series":[{`;
      if (!line.startsWith(expected)) throw new Error(`${file}: s${next} is not in its place`);
      next++;
    }
  }
  if (next !== count) throw new Error(`${next} forecasts of ${count} series`);
}

const run = (what: string, start: number, taken?: Taken): Run => {
  const seconds = (performance.now() - start) / 1000;
  return { what, seconds, seriesPerSecond: count / seconds, process: taken };
};

function takenBy(pid: number): Taken | undefined {
  try {
    // one that is ending has no memory any more
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    if (peak === undefined) return undefined;
    const threads = readdirSync(`/proc/${pid}/task`).map((thread) => processorOf(`/proc/${pid}/task/${thread}/stat`));
    return {
      megabytes: Number(peak) / 1024,
      processor: processorOf(`/proc/${pid}/stat`),
      busiest: Math.max(...threads),
    };
  } catch {
    return undefined;
  }
}

/** Seconds of user and system; Linux counts in hundredths. */
function processorOf(file: string): number {
  const fields = readFileSync(file, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function plain(threads: number): Promise<Run> {
  const output = path.join(folder, 'plain.ndjson');
  const start = performance.now();
  const program = spawn(process.execPath, [script, '--model', options.model, '--threads', String(threads)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  createReadStream(input).pipe(program.stdin);
  program.stdout.pipe(createWriteStream(output));
  let taken: Taken | undefined;
  const watch = setInterval(() => {
    const now = takenBy(program.pid!);
    // its threads end before it does
    if (now) taken = { ...now, busiest: Math.max(now.busiest, taken?.busiest ?? 0) };
  }, 100);
  await once(program, 'close');
  clearInterval(watch);
  const result = run(`${threads} ${threads === 1 ? 'thread' : 'threads'}`, start, taken);
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
const reported = (one: Run) => {
  runs.push(one);
  if (options.json) return;
  const taken = one.process
    ? `, ${one.process.megabytes.toFixed(0)} MB at most, ${one.process.processor.toFixed(1)} s of a processor, ` +
      `${one.process.busiest.toFixed(1)} of them its busiest thread`
    : '';
  console.log(
    `${one.what.padEnd(10)} ${one.seconds.toFixed(1).padStart(7)} s, ${one.seriesPerSecond.toFixed(0).padStart(6)} series/s${taken}`,
  );
};

await writeSeries();
if (!options.json)
  console.log(`${count} monthly series of 60 points, ${options.model}, ${availableParallelism()} cores`);
for (let pair = 0; pair < pairs; pair++) {
  reported(await plain(1));
  reported(await plain(2));
}
for (const name of ['spark', 'ray'] as const) {
  const one = await example(name);
  if (one) reported(one);
  else if (!options.json) console.log(`${name.padEnd(10)} is not there (--python PROGRAM says whose Python has it)`);
}
const least = (what: string, of: (one: Run) => number | undefined) =>
  Math.min(...runs.filter((one) => one.what === what).map((one) => of(one) ?? NaN));
const over = (of: (one: Run) => number | undefined) => least('1 thread', of) / least('2 threads', of);
const ratio = over(({ seconds }) => seconds);
// as it is where nothing else runs: what the thread with most to do takes
const ratioAtRest = over((one) => one.process?.busiest);
if (options.json)
  console.log(JSON.stringify({ series: count, runs, twoThreadsOverOne: ratio, ofTheirProcessorTime: ratioAtRest }));
else console.log(`two threads are ${ratio.toFixed(2)} times one, by the best of each; by the processor time of the busiest thread ${ratioAtRest.toFixed(2)}`); // prettier-ignore
rmSync(folder, { recursive: true, force: true });
