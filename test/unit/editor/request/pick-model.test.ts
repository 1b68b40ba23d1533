import assert from 'node:assert/strict';
import { chooseModel } from '../../../../src/editor/request/pick-model.ts';
import { alone } from '../../../../src/editor/ui/steps.ts';
import { Extension } from '../extension.ts';
import { seasonal } from '../series-text.ts';

const MORE = 'Load more…';

describe('the list of models', () => {
  const extension = new Extension();
  const labels = () => (extension.person.offered.at(-1) ?? []).map(({ label }) => label);

  it('says that there are more than a page, and goes on', async () => {
    const { app, person, window } = extension;
    const { client } = await app.connection.ready();
    const series = Array.from({ length: 40 }, (_, month) => ({
      timestamp: new Date(Date.UTC(2015, month, 1)).toISOString(),
      value: seasonal(month),
    }));
    for (let model = 1; model <= 5; model++) {
      await client.createFineTunedModel({ base_model: 'theta', input_config: { series }, name: `model ${model}` });
    }
    for (let done = 0; done < 5;) {
      const { items } = await client.listFineTunedModels();
      done = items.filter(({ status }) => status === 'COMPLETED').length;
    }
    window.setSetting('forecasts.pageSize', 2);
    person.picks(MORE).picks(MORE).picks('model 1');
    const chosen = await chooseModel(app, alone('Models'), 'Which model?');
    window.setSetting('forecasts.pageSize', undefined);
    assert.equal(chosen.label, 'model 1');
    const seen = person.offered.map((items) => items.filter(({ label }) => /^model/.test(label)).length);
    assert.deepEqual(seen, [2, 4, 5]);
    const rest = person.offered.map((items) => items.find(({ label }) => label === MORE)?.description);
    assert.deepEqual(rest, ['2 are listed, there are more', '4 are listed, there are more', undefined]);
    assert.deepEqual(person.inputs.at(1)?.picked, ['model 3'], 'it goes on where the next ones begin');
    assert.ok(labels().includes('Theta'), 'base models are there all the time');
  });
});
