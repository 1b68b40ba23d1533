import assert from 'node:assert/strict';
import { URI } from 'vscode-uri';
import type { LocalFineTunedModel } from '../../../../src/contract/resources.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';
import { until } from '../until.ts';

const FILE = '$(file) Series of a file…';
const DATASETS = '$(database) Datasets of the service…';
const IDS = '$(graph-line) Stored series by ID…';

describe('training data', () => {
  const extension = new Extension();
  const points = (first: number) =>
    Array.from({ length: 48 }, (_, i) => ({
      timestamp: new Date(Date.UTC(2018, i)).toISOString(),
      value: first + seasonal(i),
    }));
  const client = () => extension.app.connection.inUse.client;
  const newest = async (): Promise<LocalFineTunedModel> =>
    client().do('getFineTunedModel', { id: (await client().list('listFineTunedModels', { size: 1 })).items[0].id });
  /** As {@link newest}, once its end was told: else who is asked in the next test would hear of it. */
  const trained = async (): Promise<LocalFineTunedModel> => {
    const model = await newest();
    const end = `${model.name ?? ''} is trained.`;
    await until(() => extension.person.texts, (texts) => texts.some((text) => text.includes(end))); // prettier-ignore
    return model;
  };
  const store = (name: string, tags: string[] = []) =>
    client().do('createDataset', { body: { name, tags, series: [{ name: 'one', series: points(0) }, { name: 'two', series: points(9) }] } }); // prettier-ignore

  it('is asked for again if the service has no datasets', async () => {
    const { person } = extension;
    person.picks(DATASETS).goesBack().leaves();
    await extension.run('createFineTunedModel');
    const question = 'What should the model be trained on?';
    const none = 'The service has no datasets yet. Create one from a file, or train on the file itself.';
    assert.deepEqual(person.inputs.map(({ text }) => text), [question, none, question]); // prettier-ignore
    assert.deepEqual(person.inputs[2].picked, [DATASETS], 'what was chosen stands out');
  });

  it('are picked datasets, after which the model is named', async () => {
    const { person } = extension;
    const stored = [await store('Shops'), await store('Kiosks')];
    await store('Others');
    person.picks(DATASETS).picks('Shops', 'Kiosks').picks('Theta').accepts().accepts();
    await extension.run('createFineTunedModel');
    assert.deepEqual(person.offered[1].map(({ label }) => label).toSorted(), ['Kiosks', 'Others', 'Shops']);
    assert.equal(person.offered[1][0].description, '96 rows');
    const model = await trained();
    assert.equal(model.name, 'theta on Kiosks, Shops');
    assert.deepEqual([...(model.input_config?.dataset_ids ?? [])].sort(), stored.map(({ id }) => id).sort());
  });

  it('are the datasets selected in the sidebar, without a question', async () => {
    const { person, app } = extension;
    const [item] = (await client().listDatasets()).items;
    const node = { kind: 'dataset', id: item.id, item, serviceId: 'local' };
    person.picks('Theta').accepts().accepts();
    await extension.run('createFineTunedModel', node, [node]);
    const model = await trained();
    assert.deepEqual(model.input_config?.dataset_ids, [item.id]);
    assert.equal(app.memory.recall('local', model.id)?.label, `theta on ${String(item.name)}`);
  });

  it('are datasets by tags with any characters', async () => {
    const { person } = extension;
    await store('North', ['retail', 'north']);
    await store('Both coasts', ['north, south', '19" screens']);
    person.picks(DATASETS).picks('retail', 'north, south', '19" screens').picks('Theta').accepts().accepts();
    await extension.run('createFineTunedModel');
    const tags = person.offered[1].filter(({ description }) => description === 'all datasets with this tag');
    assert.deepEqual(tags.map(({ label }) => label).toSorted(), ['19" screens', 'north', 'north, south', 'retail']); // prettier-ignore
    const { input_config } = await trained();
    assert.deepEqual(input_config?.dataset_tags?.toSorted(), ['19" screens', 'north, south', 'retail']);
  });

  it('are datasets of any page, which stay checked', async () => {
    const { person } = extension;
    const service = client();
    const { listDatasets } = service;
    service.listDatasets = (query) => listDatasets.call(service, { ...query, size: 1 });
    person.picks(DATASETS).ticks('Both coasts').picks('Both coasts', 'North');
    person.picks('Theta').accepts().types('Two pages');
    await extension.run('createFineTunedModel');
    assert.equal((await trained()).input_config?.dataset_ids?.length, 2);
    person.picks(DATASETS).picks('North').goesBack().leaves();
    await extension.run('createFineTunedModel');
    assert.deepEqual(person.inputs.at(-1)?.picked, ['North'], 'also what was picked of a later page');
    Reflect.deleteProperty(service, 'listDatasets');
  });

  it('are stored series by id; unknown ones are reported, and answers can be changed', async () => {
    const { person } = extension;
    const [dataset] = (await client().listDatasets()).items;
    const [series] = (await client().list('listDatasetSeries', {}, {}, dataset.id)).items;
    const before = (await newest()).id;
    person.picks(IDS).types(' , ').types('series_of_nobody').picks('Theta').accepts().accepts();
    person.presses('Change Answers').goesBack().goesBack().goesBack().types(series.id).accepts().accepts().accepts();
    await extension.run('createFineTunedModel');
    assert.match(person.texts[0], /Stored series: There is no series “series_of_nobody”\./);
    assert.equal(person.inputs[1].text, 'Series IDs, separated by commas');
    const again = person.inputs.filter(({ text }) => text === 'Series IDs, separated by commas');
    assert.deepEqual(again.map(({ value }) => value), ['', 'series_of_nobody'], 'what was entered comes again'); // prettier-ignore
    const model = await trained();
    assert.notEqual(model.id, before);
    assert.deepEqual(model.input_config?.series_ids, [series.id]);
  });

  it('is a chosen file; without one the question returns', async () => {
    const { person } = extension;
    const uri = extension.file('one.csv', months(48, { sales: seasonal }));
    person.picks(FILE).choosesFiles().picks(FILE).choosesFiles(uri).picks('Theta').accepts().accepts();
    await extension.run('createFineTunedModel');
    const model = await trained();
    assert.equal(model.name, 'theta on one.csv');
    assert.equal(model.input_config?.series?.length, 48, 'one series goes along with the request');
  });

  it('are the series of a chosen file with any extension', async () => {
    const { person } = extension;
    const uri = extension.file('shops.data', months(48, { north: seasonal, south: (month) => 300 - month }));
    person.picks(FILE).choosesFiles(uri).picks('south').picks('Theta').accepts().accepts();
    await extension.run('createFineTunedModel');
    const { input_config } = await trained();
    assert.equal(input_config?.series?.[1].value, 299);
  });

  it('are all series of several files and folders, with a report of unreadable ones', async () => {
    const { person } = extension;
    extension.file('shops/a.csv', months(48, { a: seasonal }));
    extension.file('shops/b.csv', months(48, { b: (month) => 300 - seasonal(month) }));
    extension.file('shops/none.csv', '');
    person.picks('Theta').accepts().accepts();
    await extension.run('createFineTunedModel', URI.file(`${extension.folder}/shops`));
    const model = await trained();
    assert.equal(model.name, 'theta on shops');
    const [id] = model.input_config?.dataset_ids ?? [];
    assert.deepEqual((await client().list('listDatasetSeries', {}, {}, id)).items.map(({ name }) => name), ['a.csv', 'b.csv']); // prettier-ignore
    assert.match(person.texts.join(), /none\.csv is empty/);
  });

  it('is a file whose non-numeric cells are treated as missing on request', async () => {
    const { person } = extension;
    const text = months(48, { sales: (month) => (month === 20 ? 'closed' : seasonal(month)) });
    person.presses('Treat as Missing').picks('Theta').accepts().accepts();
    await extension.run('createFineTunedModel', extension.file('gaps.csv', text));
    assert.match(person.texts[0], /gaps\.csv/);
    const { name, input_config } = await trained();
    assert.equal(name, 'theta on gaps.csv');
    assert.deepEqual([19, 20].map((at) => input_config?.series?.[at].value), [seasonal(19), undefined]); // prettier-ignore
  });

  it('is refused if too short, with the required length', async () => {
    const { person } = extension;
    const before = await newest();
    person.picks('Theta').accepts().accepts();
    await extension.run('createFineTunedModel', extension.file('short.csv', months(4, { sales: seasonal })));
    const model = await newest();
    assert.notEqual(model.id, before.id, 'a training that fails is listed with its reason');
    const { client: own } = await extension.app.connection.ready();
    for (let now = model; ; now = await own.do('getFineTunedModel', { id: model.id })) {
      if (now.status === 'COMPLETED') assert.fail('it was trained on four points');
      if (now.status !== 'FAILED') continue;
      assert.match(now.error ?? '', /too short: at least \d+ observations are needed|has enough observations/);
      break;
    }
  });
});
