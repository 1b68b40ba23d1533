import assert from 'node:assert/strict';
import { forecast } from '../../../src/engine/forecast.ts';
import { EnginePool, type EngineJob, type StreamResult } from '../../../src/engine/pool.ts';

const script = new URL('./worker.ts', import.meta.url);

function job(seed: number): EngineJob {
  const values = Float64Array.from({ length: 60 }, (_, i) => 50 + seed + 5 * Math.sin((2 * Math.PI * i) / 12));
  return { modelId: 'theta', input: { values, periods: [12], horizon: 6, levels: [0.1, 0.9] } };
}

describe('a pool of engine workers', () => {
  let pool: EnginePool;
  beforeEach(() => {
    pool = new EnginePool({ script, size: 2, queueLimit: 5 });
  });
  afterEach(() => pool.close());

  it('answers as the engine does, and leaves the input alone', async () => {
    const asked = job(1);
    const { forecast: result, backtest } = await pool.run({ ...asked, backtest: true });
    assert.deepEqual(result, forecast(asked.modelId, asked.input));
    assert.equal(asked.input.values.length, 60);
    assert.ok(backtest && backtest.origins > 0);
  });

  it('streams the results of many jobs, each with its index', async () => {
    const jobs = Array.from({ length: 25 }, (_, i) => job(i));
    const results: StreamResult[] = [];
    for await (const result of pool.stream(jobs)) results.push(result);
    assert.deepEqual(
      results.map(({ index }) => index).sort((a, b) => a - b),
      jobs.map((_, i) => i),
    );
    for (const { index, answer } of results) {
      assert.deepEqual(answer?.forecast.point, forecast('theta', jobs[index].input).point);
    }
  });

  it('takes no more jobs from the source than it can work on', async () => {
    let taken = 0;
    function* source(): Generator<EngineJob> {
      for (;;) {
        taken++;
        yield job(taken);
      }
    }
    let seen = 0;
    for await (const _ of pool.stream(source())) {
      seen++;
      assert.ok(taken <= seen + 4, `${String(taken)} taken, ${String(seen)} seen`);
      if (seen === 10) break;
    }
  });

  it('goes on after a job that cannot be answered', async () => {
    const empty: EngineJob = {
      ...job(0),
      input: { values: new Float64Array(3).fill(Number.NaN), periods: [], horizon: 1, levels: [] },
    };
    const messages: (string | undefined)[] = [];
    for await (const { index, error } of pool.stream([job(0), empty, job(1)])) messages[index] = error?.message;
    assert.deepEqual(messages, [undefined, 'The series has no value to forecast from.', undefined]);
  });

  it('drops waiting jobs when it is told to stop', async () => {
    const stop = new AbortController();
    const running = [pool.run(job(1)), pool.run(job(2))];
    const waiting = pool.run(job(3), stop.signal);
    stop.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    assert.equal((await Promise.all(running)).length, 2);
  });

  it('ends a stream with the reason when it is told to stop', async () => {
    const stop = new AbortController();
    await assert.rejects(async () => {
      for await (const { index } of pool.stream(
        Array.from({ length: 50 }, (_, i) => job(i)),
        stop.signal,
      )) {
        if (index >= 0) stop.abort(new Error('enough'));
      }
    }, /enough/);
  });

  it('refuses more than may wait', async () => {
    const accepted = Array.from({ length: 7 }, (_, i) => pool.run(job(i)));
    await assert.rejects(pool.run(job(8)), /More than 5 series are waiting/);
    await Promise.all(accepted);
  });

  it('rejects what is under way when it is closed', async () => {
    const pending = pool.run(job(1));
    await Promise.all([assert.rejects(pending, /closed/), pool.close()]);
    await assert.rejects(pool.run(job(2)), /closed/);
  });

  it('fails a job whose worker dies', async () => {
    const broken = new EnginePool({
      script: new URL('data:text/javascript,throw new Error("no engine here")'),
      size: 1,
    });
    await assert.rejects(broken.run(job(1)), /no engine here/);
    await broken.close();
  });
});
