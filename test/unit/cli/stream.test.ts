import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { streamCommand } from '../../../src/cli/commands/stream.ts';
import { printed } from './in-process.ts';

const script = fileURLToPath(new URL('../../../src/cli/stream.ts', import.meta.url));

interface Forecast {
  readonly id: string | number | null;
  readonly line?: number;
  readonly error?: string;
  readonly prediction_series?: readonly {
    readonly timestamp: string;
    readonly value: number;
    readonly metadata: { readonly quantiles?: Record<string, number>; readonly row?: number };
  }[];
}

const start = (...args: readonly string[]) =>
  spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });

/** What the program answers to this input. */
async function streamed(input: string | Buffer, ...args: readonly string[]) {
  const program = start(...args);
  program.stdin.end(input);
  const [out, errors, [code]] = await Promise.all([
    text(program.stdout),
    text(program.stderr),
    once(program, 'exit') as Promise<[number]>,
  ]);
  const answers = out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Forecast);
  return { answers, out, errors, code };
}

const monthly = (id: string, count = 30) =>
  JSON.stringify({
    id,
    values: Array.from({ length: count }, (_, month) => 100 + month + 10 * Math.sin((month * Math.PI) / 6)),
    start: '2020-01-01',
    freq: 'P1M',
  });

/** Hundredths of a second that a thread had. */
function processorOf(file: string): number {
  const fields = readFileSync(file, 'utf8').split(') ')[1].split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

describe('stream', () => {
  it('forecasts one series a line, by values or by points, as the service does', async () => {
    const points = {
      id: 'points',
      series: [1, 2, 3, 4].map((value, day) => ({ timestamp: `2024-01-0${day + 1}`, value })),
    };
    const input = [monthly('values'), JSON.stringify(points), '{"id": 3, "values": [5, null, 7, 8]}'].join('\n');
    const { answers, code, errors } = await streamed(input, '--model', 'theta', '--horizon', '2', '--levels', '80');
    assert.deepEqual([code, errors], [0, '']);
    assert.deepEqual(
      answers.map(({ id, prediction_series: steps }) => [id, steps?.map(({ timestamp }) => timestamp)]),
      [
        ['values', ['2022-07-01T00:00:00Z', '2022-08-01T00:00:00Z']],
        ['points', ['2024-01-05T00:00:00Z', '2024-01-06T00:00:00Z']],
        [3, ['1970-01-01T00:00:04Z', '1970-01-01T00:00:05Z']],
      ],
    );
    const [first, , rows] = answers;
    const { metadata, value } = first.prediction_series![0];
    assert.deepEqual(Object.keys(metadata.quantiles!), ['0.1', '0.5', '0.9']);
    assert.ok(metadata.quantiles!['0.1'] < value && value < metadata.quantiles!['0.9']);
    assert.deepEqual(
      rows.prediction_series?.map((step) => step.metadata.row),
      [5, 6],
    );
  });

  it('continues after invalid lines, each reported in its place', async () => {
    const lines = [
      'nonsense',
      monthly('a'),
      '{"id": "none", "values": []}',
      '{"id": "both", "values": [1], "series": []}',
      '{"id": "when", "values": [1, 2], "start": "soon", "freq": "P1D"}',
      '{"id": "step", "values": [1, 2], "start": "2024-01-01", "freq": "often"}',
      '{"id": "far", "values": [1, 2], "start": "+275760-09-13T00:00:00Z", "freq": "P1D"}',
      '{"id": "text", "values": ["1"]}',
      '{"id": "bad", "series": [{"timestamp": "never", "value": 1}]}',
      '',
      '[1, 2]',
      '\u00ff\u00fe',
      `{"id": {"deep": ${'['.repeat(20_000)}${']'.repeat(20_000)}}, "values": [1]}`,
      monthly('z'),
    ];
    const input = Buffer.from(`${lines.join('\n')}\r\n`, 'latin1');
    const { answers, code } = await streamed(input, '--model', 'seasonal-naive', '--levels', 'none', '--threads', '2');
    assert.equal(code, 0);
    const reported = answers.map(({ id, line, error }) => [
      id ?? line,
      error === undefined ? 'forecast' : error.slice(0, 24),
    ]);
    assert.deepEqual(reported, [
      [1, 'The line is not JSON: Un'],
      ['a', 'forecast'],
      ['none', 'The series has no observ'],
      ['both', 'A line must have either '],
      ['when', 'start is not a time such'],
      ['step', 'freq is not a step such '],
      ['far', 'The timestamps are outsi'],
      ['text', 'values.0: Expected a num'],
      ['bad', 'series.0.timestamp: “nev'],
      [11, 'Expected an object.'],
      [12, 'The line is not UTF-8.'],
      [13, 'The line nests arrays an'],
      ['z', 'forecast'],
    ]);
  });

  it('keeps the order over all threads', async () => {
    // several parts, of which the first takes the longest
    const ids = Array.from({ length: 300 }, (_, index) => `s${index}`);
    const input = ids.map((id, index) => monthly(id, index === 0 ? 2_000 : 24)).join('\n');
    const { answers } = await streamed(input, '--model', 'seasonal-naive', '--threads', '2', '--horizon', '1');
    assert.deepEqual(
      answers.map(({ id }) => id),
      ids,
    );
  });

  it('ends quietly when its output is closed', async () => {
    const program = start('--model', 'seasonal-naive', '--threads', '1');
    const errors = text(program.stderr);
    program.stdin.on('error', () => undefined);
    const more = () => {
      while (program.stdin.write(`${monthly('s')}\n`));
    };
    program.stdin.on('drain', more);
    more();
    await once(program.stdout, 'data');
    program.stdout.destroy();
    const [code] = (await once(program, 'exit')) as [number];
    assert.deepEqual([code, await errors], [0, '']);
  });

  it('uses one core for one thread', async function () {
    if (process.platform !== 'linux') return this.skip();
    // the processor's time is looked at, and beside other tests 480 forecasts take long
    this.timeout(240_000);
    const program = start('--model', 'ets', '--threads', '1');
    // its input stays open, so that it is still there when its threads are looked at
    for (let index = 0; index < 600; index++) program.stdin.write(`${monthly(`s${index}`, 60)}\n`);
    const helpersAndAll = () => {
      const tasks = `/proc/${program.pid}/task`;
      const each = readdirSync(tasks).map((task) => processorOf(`${tasks}/${task}/stat`));
      const all = each.reduce((sum, one) => sum + one);
      const [busiest, next] = each.sort((a, b) => b - a);
      return [all - busiest - next, all];
    };
    let answers = 0;
    let before = [0, 0];
    for await (const line of createInterface({ input: program.stdout })) {
      if (line !== '' && ++answers === 1) before = helpersAndAll();
      // the last ones wait for more
      if (answers >= 480) break;
    }
    const [helpers, all] = helpersAndAll().map((hundredths, index) => hundredths - before[index]);
    program.kill();
    assert.ok(helpers / all < 0.12, `${helpers} of ${all} hundredths of a second`);
  });

  it('writes nothing for no input', async () => {
    assert.deepEqual(await streamed(''), { answers: [], out: '', errors: '', code: 0 });
  });

  it('explains an invalid option', async () => {
    for (const [args, sentence] of [
      [['--bogus'], "Unknown option '--bogus'"],
      [['--model', 'prophet'], "Option '--model <id>' argument 'prophet' is invalid. Allowed choices are hybrid, "],
      [['--horizon', '0'], "Option '--horizon <n>' argument '0' is invalid. Expected a whole number from 1 to 10000."],
      [['--threads', 'all'], "Option '--threads <n>' argument 'all' is invalid. Expected a whole number"],
      [['--levels', '0.1,80'], "Option '--levels <list>' argument '0.1,80' is invalid. Expected quantile levels"],
    ] as const) {
      const { out, errors } = await printed(streamCommand, args);
      assert.equal(out, '');
      assert.ok(errors.startsWith(sentence) && errors.includes('stream --help'), errors);
    }
  });
});
