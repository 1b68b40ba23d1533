import assert from 'node:assert/strict';
import { VIEWS } from '../../../../src/editor/names.ts';
import { Extension } from '../extension.ts';
import { PlainService } from '../plain-service.ts';
import { months, seasonal } from '../series-text.ts';

describe('training at a service of five operations', () => {
  const extension = new Extension();
  const service = new PlainService(extension);
  const DEFAULT = 'The service’s default model';
  const file = (name = 'sales.csv') => extension.file(name, months(36, { sales: seasonal }));
  const two = () => extension.file('shops.csv', months(36, { north: seasonal, south: (month) => 300 - month }));
  const models = async () => {
    const tree = extension.app.trees.get(VIEWS.models)!;
    await tree.refresh();
    return (await tree.getChildren()).map((node) => String(tree.getTreeItem(node).label));
  };
  const body = (at = -1) => service.created.at(at) as { config?: unknown; input_config: { series: unknown[] } };

  it('sends a single series and only settings that the person made', async () => {
    const { person } = extension;
    person.picks(DEFAULT).accepts().types('Mine');
    await extension.run('createFineTunedModel', file());
    assert.deepEqual([body().input_config.series.length, body().config], [36, undefined]);
    assert.deepEqual(person.texts, []);
    assert.ok((await models()).includes('Mine'), 'it is listed here, though the service lists none');
  });

  it('uses one of several series of a file, and says that it accepts no more', async () => {
    const { person } = extension;
    person.picks('south').picks(DEFAULT).accepts().accepts();
    await extension.run('createFineTunedModel', two());
    assert.equal((body().input_config.series as { value: number }[])[0].value, 300);
    await extension.run('createFineTunedModel', file('a.csv'), [file('a.csv'), file('b.csv')]);
    assert.match(person.texts[0], /^This service takes one series per request.*Choose one series of 2 files and folders/); // prettier-ignore
    assert.equal(service.created.length, 1);
  });

  it('asks for each setting to change, with Back', async () => {
    const { person } = extension;
    person.picks(DEFAULT).picks('Horizon', 'Position scaling').types('twelve').types('12').goesBack().accepts();
    person.picks('No').types('With settings');
    await extension.run('createFineTunedModel', file());
    assert.deepEqual(body().config, { prediction_length: 12, use_rope_scaling: false });
    const horizon = person.inputs.filter(({ text }) => text === 'Number of steps the model forecasts ahead');
    assert.deepEqual(horizon.map(({ value }) => value), ['', '12']); // prettier-ignore
    assert.equal(person.inputs.find(({ text }) => text.startsWith('Stretches'))?.step.endsWith('/5'), true);
  });

  it('describes a refusal in the words of the inputs, which can be changed', async () => {
    const { person } = extension;
    service.onCreate = (_body, index) =>
      index === 0
        ? {
            status: 422,
            body: { detail: [{ loc: ['body', 'config', 'max_epochs'], msg: 'max_epochs is at most 5.' }] },
          }
        : undefined;
    person.picks(DEFAULT).picks('Epochs').types('50').types('Short');
    person.presses('Change Answers').goesBack().types('5').accepts();
    await extension.run('createFineTunedModel', file());
    assert.match(person.texts[0], /It says: “Epochs is at most 5\.”$/);
    assert.deepEqual([body(0).config, body(1).config], [{ max_epochs: 50 }, { max_epochs: 5 }]);
    assert.equal((service.created[1] as { name?: string }).name ?? 'Short', 'Short');
  });

  it('repeats an uncertain request only after a confirmation', async () => {
    const { person } = extension;
    service.onCreate = (_body, index) => (index < 2 ? { status: 502, body: 'Bad gateway' } : undefined);
    person.picks(DEFAULT).accepts().types('Lost');
    await extension.run('createFineTunedModel', file());
    assert.equal(service.created.length, 1);
    assert.deepEqual(person.read[0].buttons, ['Send Again']);
    assert.ok(!(await models()).includes('Lost'));
    person.picks(DEFAULT).accepts().types('Found').presses('Send Again');
    await extension.run('createFineTunedModel', file());
    assert.equal(service.created.length, 3);
    assert.ok((await models()).includes('Found'));
  });

  it('is abandoned on cancel while the service does not answer', async () => {
    const { person, window } = extension;
    const hangs = Promise.withResolvers<{ status: number; body: unknown }>();
    service.onCreate = () => hangs.promise;
    window.onProgress = ({ title, cancel }) => {
      if (title.startsWith('Creating')) setImmediate(cancel);
    };
    person.picks(DEFAULT).accepts().types('Cancelled');
    await extension.run('createFineTunedModel', file());
    window.onProgress = () => undefined;
    hangs.resolve({ status: 200, body: {} });
    assert.deepEqual(person.texts, []);
    assert.ok(!(await models()).includes('Cancelled'));
  });

  it('reports an expired token with an action, and keeps the answers', async () => {
    const { person } = extension;
    service.onCreate = () => ({ status: 401, body: { detail: 'The token has ended.' } });
    person.picks(DEFAULT).accepts().types('Later').presses('Change Answers').leaves();
    await extension.run('createFineTunedModel', file());
    assert.match(person.texts[0], /does not accept the token\. It says: “The token has ended\.”/);
    assert.deepEqual(person.read[0].buttons, ['Change Answers', 'Set Token', 'Switch Service']);
    assert.equal(person.inputs.at(-1)?.value, 'Later');
  });
});
