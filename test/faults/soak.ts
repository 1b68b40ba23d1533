import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scenario } from './scenario.ts';
import { monthly, remove, Served, temporary } from './served.ts';

export const soak: Scenario = {
  name: 'a soak: forecasts without a pause, a training, lists and deletions',
  async run({ long }) {
    const [minutes, most] = long ? [10, 1_000] : [0.25, 40];
    const folder = temporary();
    try {
      const served = await Served.start(folder);
      const training = served.call<{ id: string }>('POST', '/fine_tuned_models', {
        base_model: 'hybrid',
        config: { max_epochs: long ? 200 : 20 },
        input_config: { series: monthly },
      });
      const memory: number[] = [];
      const from = Date.now();
      const span = minutes * 60_000;
      let made = 0;
      while (made < most || Date.now() - from < span) {
        const body = { series: monthly, ai_model_id: ['hybrid', 'theta', 'ensemble'][made % 3] };
        const { status, body: prediction } = await served.call<{ id: string; status: string }>(
          'POST',
          '/predictions',
          body,
        );
        assert.equal(status, 201);
        assert.equal(prediction.status, 'COMPLETED');
        made++;
        if (made % 2 === 0) await served.call('DELETE', `/predictions/${prediction.id}`);
        if (made % 10 === 0) {
          await served.call('GET', '/predictions?size=20');
          memory.push(served.memory() ?? NaN);
        }
        // spread over the time, as a person's are
        await sleep(Math.max(0, from + (span * made) / most - Date.now()));
      }
      assert.equal((await training).status, 201);
      assert.deepEqual(await served.settled(), []);
      assert.ok(!served.toldDefect, served.said);
      await served.end();
      const mean = (part: number[]) => Math.round(part.reduce((sum, one) => sum + one, 0) / part.length);
      const third = Math.max(1, Math.floor(memory.length / 3));
      const took = Math.round((Date.now() - from) / 1000);
      const reported = Number.isNaN(memory[0])
        ? ''
        : `; memory ${mean(memory.slice(0, third))} MB in the first third, ${mean(memory.slice(third, 2 * third))} in the second, ${mean(memory.slice(-third))} in the last`;
      return { tried: `${made} forecasts, ${took} s`, outcome: `all COMPLETED${reported}` };
    } finally {
      remove(folder);
    }
  },
};
