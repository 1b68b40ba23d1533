import assert from 'node:assert/strict';
import type { TreeDataProvider } from 'vscode';
import { ServiceError } from '../../../../src/client/errors.ts';
import { freeName } from '../../../../src/editor/training/fine-tune.ts';
import type { Node } from '../../../../src/editor/views/tree/kinds.ts';
import { VIEWS } from '../../../../src/editor/names.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';

describe('training on a file', () => {
  const extension = new Extension();
  const labels = async () => {
    const tree = extension.app.trees.get(VIEWS.datasets) as unknown as TreeDataProvider<Node>;
    const nodes = (await tree.getChildren()) ?? [];
    return Promise.all(nodes.map(async (node) => (await tree.getTreeItem(node)).label));
  };

  it('gives each model a unique name, and lists its internal dataset only on request', async () => {
    const { app, person } = extension;
    const file = extension.file('shops.csv', months(40, { north: seasonal, south: (month) => 300 - month }));
    for (const _ of [1, 2]) {
      person.accepts().picks('Theta').accepts().accepts();
      await extension.run('createFineTunedModel', file);
    }
    const { client } = await app.connection.ready();
    const names = (await client.list('listFineTunedModels')).items.map(({ name }) => name);
    assert.deepEqual(names, ['theta on shops.csv 2', 'theta on shops.csv']);
    person.accepts().picks('Theta').accepts().types('theta on shops.csv').leaves();
    await extension.run('createFineTunedModel', file);
    assert.equal(person.inputs.at(-1)?.refusal, 'A model with this name already exists. Enter another name.');
    assert.deepEqual(await labels(), []);
    await extension.run('toggleJobData');
    assert.deepEqual(await labels(), ['shops.csv'], 'it is stored once');
    await extension.run('toggleJobData');
    assert.deepEqual(await labels(), []);
  });

  it('deletes the dataset of a refused training, although another service is in use then', async () => {
    const { app, person, window } = extension;
    const file = extension.file('few.csv', months(40, { north: seasonal, south: (month) => 300 - month }));
    const { client } = app.connection.inUse;
    const offers = await client.capabilities();
    const stores = async () => (await client.listDatasets({ size: 200 }, true)).items.filter(({ name }) => name === 'few.csv').length; // prettier-ignore
    const seen: number[] = [];
    const takes = (name: string, field: string) => field !== 'for_job' && offers.takes(name as never, field);
    const plain = new Proxy(offers, {
      get: (of, name) => {
        const value = name === 'takes' ? takes : (Reflect.get(of, name, of) as unknown);
        return typeof value === 'function' ? (value.bind(of) as unknown) : value;
      },
    });
    Object.assign(client, {
      capabilities: () => Promise.resolve(plain),
      createFineTunedModel: async () => {
        seen.push(await stores());
        window.setSetting('forecasts.service', 'https://elsewhere.example');
        throw new ServiceError('refused', 'No.', { status: 422 });
      },
    });
    person.accepts().picks('Theta').accepts().accepts();
    await extension.run('createFineTunedModel', file);
    window.setSetting('forecasts.service', undefined);
    for (const name of ['capabilities', 'createFineTunedModel']) Reflect.deleteProperty(client, name);
    assert.deepEqual([...seen, await stores()], [1, 0]);
  });

  it('offers the base models of the service with which it began', async () => {
    const { app, person, window } = extension;
    const file = extension.file('switched.csv', months(40, { sales: seasonal }));
    const { client } = app.connection.inUse;
    app.connection.ready = () => {
      Reflect.deleteProperty(app.connection, 'ready');
      const session = app.connection.ready();
      window.setSetting('forecasts.service', 'https://elsewhere.example');
      return session;
    };
    person.picks('Theta').accepts().accepts();
    await extension.run('createFineTunedModel', file);
    window.setSetting('forecasts.service', undefined);
    const [{ name }] = (await client.list('listFineTunedModels')).items;
    assert.equal(name, 'theta on switched.csv');
  });

  it('offers sample data on which it gains', async () => {
    const { app, person } = extension;
    person.accepts().picks('Theta').accepts().accepts();
    await extension.run('trySample', 'train');
    const { client } = await app.connection.ready();
    const [{ name }] = (await client.list('listFineTunedModels')).items;
    assert.equal(name, 'theta on promotions.csv');
  });

  it('numbers a taken name within the maximum length', () => {
    assert.equal(freeName('a', new Set(['b'])), 'a');
    assert.equal(freeName('a', new Set(['a', 'a 2'])), 'a 3');
    const long = 'x'.repeat(200);
    assert.equal(freeName(`${long}y`, new Set([long])), `${'x'.repeat(198)} 2`);
  });
});
