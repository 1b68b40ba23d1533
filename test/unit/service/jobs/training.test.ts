import assert from 'node:assert/strict';
import type { LocalFineTunedModel } from '../../../../src/contract/resources.ts';
import { until } from '../../editor/until.ts';
import { LocalService, monthly } from '../local-service.ts';

describe('a training', function () {
  this.timeout(60_000);
  const local = new LocalService();

  /** Creates a model and gives it once it is so. */
  async function train(request: object, isSo: (model: LocalFineTunedModel) => boolean): Promise<LocalFineTunedModel> {
    const made = await local.call<LocalFineTunedModel>('POST', '/fine_tuned_models', request);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return once(made.body.id, isSo);
  }

  function once(id: string, isSo: (model: LocalFineTunedModel) => boolean): Promise<LocalFineTunedModel> {
    const read = async () => (await local.call<LocalFineTunedModel>('GET', `/fine_tuned_models/${id}`)).body;
    const isDecided = (model: LocalFineTunedModel) => {
      if (isSo(model)) return true;
      assert.ok(model.status === 'QUEUED' || model.status === 'IN_PROGRESS', JSON.stringify(model));
      return false;
    };
    return until(read, isDecided, 50_000);
  }

  const isDone = ({ status }: LocalFineTunedModel) => status === 'COMPLETED';
  const long = { base_model: 'hybrid', input_config: { series: monthly }, config: { max_epochs: 1000 } };

  it('ends early with a model when it is stopped, also by another program', async () => {
    const running = await train(long, ({ training }) => (training?.epoch ?? 0) >= 2);
    const other = local.program();
    const authorization = `Bearer ${local.token}`;
    const url = `http://local/fine_tuned_models/${running.id}/stop`;
    const answer = await other.fetch(url, { method: 'POST', headers: { authorization } });
    assert.equal(answer.status, 200);
    const stopped = await once(running.id, isDone);
    await other.stop();
    assert.ok(stopped.training!.epoch < 1000, JSON.stringify(stopped.training));
    assert.ok(stopped.scores!.mase! <= stopped.scores!.base_mase!);
    const request = { ai_model_id: running.id, series: monthly };
    const forecast = await local.call<{ status: string }>('POST', '/predictions', request);
    assert.equal(forecast.body.status, 'COMPLETED');
    const again = await local.call<LocalFineTunedModel>('POST', `/fine_tuned_models/${running.id}/stop`);
    assert.equal(again.body.status, 'COMPLETED');
  });

  it('stops without shared memory between threads', async () => {
    const { SharedArrayBuffer: shared } = globalThis;
    Reflect.deleteProperty(globalThis, 'SharedArrayBuffer');
    try {
      const running = await train(long, ({ training }) => (training?.epoch ?? 0) >= 2);
      await local.call('POST', `/fine_tuned_models/${running.id}/stop`);
      const stopped = await once(running.id, isDone);
      assert.ok(stopped.training!.epoch < 1000, JSON.stringify(stopped.training));
    } finally {
      Object.assign(globalThis, { SharedArrayBuffer: shared });
    }
  });

  it('continues an earlier training with its data and settings', async () => {
    const config = { max_epochs: 3, prediction_length: 6 };
    const first = await train({ ...long, config }, isDone);
    const further = await train({ start_model: first.id, name: 'further' }, isDone);
    assert.equal(further.base_model, 'hybrid');
    assert.deepEqual(further.config, { ...config, start_model: first.id });
    assert.equal(further.horizon, 6);
    const start = further.training!.record[0].validation;
    assert.ok(Math.abs(further.scores!.base_mase! - start) < 1e-9);
    assert.ok(further.scores!.mase! <= further.scores!.base_mase!);
  });

  it('reports the series with the largest and smallest gains', async () => {
    // Growth that becomes faster and faster, which the net does not believe, and one that tires, which theta does not.
    const growths = {
      hybrid: (store: number, month: number) => (5 + store + month) ** 3,
      theta: (store: number, month: number) => 1000 * (1 - (0.6 + store / 100) ** (month / 3)),
    };
    for (const [base_model, value] of Object.entries(growths)) {
      const series = Array.from({ length: 5 }, (_, store) => ({
        name: `store ${store + 1}`,
        series: monthly.map(({ timestamp }, month) => ({ timestamp, value: value(store, month) })),
      }));
      const { body: data } = await local.call<{ id: string }>('POST', '/datasets', { series });
      const input_config = { dataset_ids: [data.id] };
      const config = { max_epochs: 4, prediction_length: 6 };
      const { scores } = await train({ base_model, input_config, config }, isDone);
      assert.equal(scores?.series, 5);
      assert.ok(scores.mase! < scores.base_mase!, `${base_model} learns here`);
      const { best, worst } = scores;
      const [most, least] = [best, worst].map((one) => 1 - one!.mase / one!.base_mase);
      const overall = 1 - scores.mase! / scores.base_mase!;
      assert.ok(most! > overall && overall > least!, JSON.stringify(scores));
      for (const one of [best, worst]) assert.match(one!.name, /^store \d+$/);
      assert.notEqual(best!.name, worst!.name);
    }
    const { scores } = await train({ base_model: 'theta', input_config: { series: monthly } }, isDone);
    assert.deepEqual([scores?.best ?? undefined, scores?.worst ?? undefined], [undefined, undefined]);
  });

  it('refuses a start model that is missing, has another base or has no epochs', async () => {
    const theta = await train({ base_model: 'theta', input_config: { series: monthly } }, isDone);
    const first = await train({ ...long, config: { max_epochs: 0 } }, isDone);
    const requests = [
      [{ start_model: 'model_gone' }, /There is no fine-tuned model “model_gone”/],
      [{ start_model: theta.id }, /is not trained in epochs/],
      [{ start_model: first.id, base_model: 'ensemble' }, /was fine-tuned from hybrid, not from ensemble/],
    ] as const;
    for (const [request, says] of requests) {
      const { status, body } = await local.call('POST', '/fine_tuned_models', request);
      assert.equal(status, request.start_model === 'model_gone' ? 404 : 409);
      assert.match(JSON.stringify(body), says);
    }
  });
});
