import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/client/address.ts';
import { checkService, reportText } from '../../../src/client/check.ts';
import { ServiceClient } from '../../../src/client/client.ts';
import { ended, Poller } from '../../../src/client/poller.ts';
import { type Mood, PLAIN, type StrictService, startStrictService } from '../../harness/strict.ts';
import { clientOf } from './client-of.ts';
import { PARAMETERS, type PageForm } from '../../harness/strict-forms.ts';

const monthly = Array.from({ length: 24 }, (_, month) => ({
  timestamp: new Date(Date.UTC(2022, month, 1)).toISOString(),
  value: month + 0.5,
}));

describe('a service whose pages differ from the interface', function () {
  this.timeout(60_000);
  let service: StrictService | undefined;
  afterEach(async () => {
    await service?.close();
    service = undefined;
  });

  async function start(form: PageForm, order: Mood['order'], ways: Partial<Mood> = {}) {
    const paging = { ...PARAMETERS[form], isStrict: true };
    const strict = await startStrictService({
      ...PLAIN,
      order,
      form,
      paging,
      required: ['ai_model_id'],
      work: 50,
      ...ways,
    });
    service = strict;
    strict.seed(45, 12);
    const client = new ServiceClient({
      baseUrl: parseBaseUrl(strict.url),
      fetch,
      token: () => Promise.resolve(strict.token),
      isAsync: true,
      sleep: () => Promise.resolve(),
    });
    return { strict, client };
  }

  for (const form of ['results', 'numbered', 'bare'] as const)
    for (const order of ['newest', 'oldest'] as const) {
      it(`is read to its end, newest first: ${form}, ${order} first`, async () => {
        const { strict, client } = await start(form, order);
        const found = new Set<string>();
        let cursor: string | undefined;
        for (let pages = 0; pages < 20; pages++) {
          const { items, next } = await client.listPredictions({ size: 10, cursor }, false);
          for (const { id } of items) found.add(id);
          if (next === undefined) break;
          cursor = next;
        }
        assert.deepEqual([...found], strict.predictions.map(({ id }) => id)); // prettier-ignore
      });

      it(`is polled until a job ends, and finds a lost one: ${form}, ${order} first`, async () => {
        const { strict, client } = await start(form, order);
        const poller = new Poller((ids: ReadonlySet<string>, signal) => client.findPredictions(ids, signal), 50);
        const done = await ended(
          poller,
          await client.createPrediction({ ai_model_id: 'chronos-small', series: monthly }),
        );
        assert.equal(done.status, 'COMPLETED');
        strict.mood.losesAnswers = true;
        const lost = await client.createPrediction({ ai_model_id: 'chronos-base', series: monthly });
        assert.equal(lost.id, strict.predictions[0].id);
      });
    }

  it('may wrap the created resource into another object', async () => {
    for (const wrap of ['data', 'prediction']) {
      const { client, requests } = clientOf(() => Response.json({ ok: true, [wrap]: { id: 7, status: 'queued' } }));
      const { id, status } = await client.createPrediction({ series: monthly });
      assert.deepEqual([id, status, requests.length], ['7', 'QUEUED', 1]);
    }
  });

  it('is checked: it is usable, and its deviations are reported', async () => {
    const { client } = await start('results', 'newest');
    const report = await checkService(client);
    assert.equal(report.usable, true, reportText(report));
    assert.match(reportText(report), /lists 5 of 45, newest first/);
    assert.match(reportText(report), /deviates: the page has no items, total/);
  });
});
