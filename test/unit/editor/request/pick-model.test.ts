import assert from 'node:assert/strict';
import { chooseModel } from '../../../../src/editor/request/pick-model.ts';
import { alone } from '../../../../src/editor/ui/steps.ts';
import { Extension } from '../extension.ts';
import { seasonal } from '../series-text.ts';
import { smallPages } from '../small-pages.ts';
import { until } from '../until.ts';

describe('list of models', () => {
  const extension = new Extension();
  const labels = () => (extension.person.offered.at(-1) ?? []).map(({ label }) => label);

  it('continues after its first page, unless only base models are wanted', async () => {
    const { app, person } = extension;
    const { client } = await app.connection.ready();
    const series = Array.from({ length: 40 }, (_, month) => ({
      timestamp: new Date(Date.UTC(2015, month, 1)).toISOString(),
      value: seasonal(month),
    }));
    for (let model = 1; model <= 5; model++) {
      await client.createFineTunedModel({ base_model: 'theta', input_config: { series }, name: `model ${model}` });
    }
    for (let done = 0; done < 5;) {
      const { items } = await client.list('listFineTunedModels');
      done = items.filter(({ status }) => status === 'COMPLETED').length;
    }
    const all = smallPages(client, () => 2);
    person.picks('model 1');
    const chosen = await chooseModel(app, { place: alone('Models'), placeholder: 'Which model?' });
    assert.equal(chosen.label, 'model 1');
    const asked: string[] = [];
    const { list } = client;
    client.list = (name, ...query) => {
      asked.push(name);
      return list.call(client, name, ...query) as never;
    };
    person.picks('Theta');
    await chooseModel(app, { place: alone('Models'), placeholder: 'Which model?', isBase: true });
    await until(() => asked.length, (count) => count > 1); // prettier-ignore
    await new Promise((wait) => setTimeout(wait, 50));
    all();
    assert.deepEqual(asked, ['listBaseModels', 'listFineTunedModels']);
    const [shown] = person.offered;
    assert.deepEqual(shown.filter(({ label }) => /^model/.test(label)).map(({ label }) => label), ['model 5', 'model 4']); // prettier-ignore
    assert.ok(labels().includes('Theta'), 'base models are there all the time');
  });
});
