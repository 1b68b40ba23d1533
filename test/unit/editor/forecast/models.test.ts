import assert from 'node:assert/strict';
import { VIEWS } from '../../../../src/editor/names.ts';
import { Extension } from '../extension.ts';
import { PlainService } from '../plain-service.ts';
import { months, seasonal } from '../series-text.ts';
import { until } from '../until.ts';

describe('model of a forecast at a service of five operations', () => {
  const extension = new Extension();
  const service = new PlainService(extension);
  const OTHER = 'Another model…';
  let made = 0;
  const file = () => extension.file('sales.csv', months(30 + made++, { sales: seasonal }));
  const models = async () => {
    const tree = extension.app.trees.get(VIEWS.models)!;
    await tree.refresh();
    return (await tree.getChildren()).map((node) => String(tree.getTreeItem(node).label));
  };
  afterEach(() => {
    for (const panel of extension.window.panels.splice(0)) panel.dispose();
  });

  it('is chosen by the service or by id; Back leads from the id to the list', async () => {
    const { person } = extension;
    person.picks(OTHER).goesBack().picks(OTHER).types(' ').types('chronos-tiny');
    await extension.run('forecastWithOptions', file());
    assert.equal(person.inputs.filter(({ text }) => text === 'The model’s id').length, 2);
    assert.equal(person.inputs.at(-1)?.refusal, '');
    assert.equal(service.created.at(-1)?.ai_model_id, 'chronos-tiny');
    person.picks('The service’s default model');
    await extension.run('forecastWithOptions', file());
    assert.equal(service.created.at(-1)?.ai_model_id, undefined);
  });

  it('disappears from the list if the service does not know it any more, with a message', async () => {
    const { person } = extension;
    service.onCreate = (body) => (body.input_config ? { status: 200, body: { id: 'tuned-1', status: 'COMPLETED' } } : undefined); // prettier-ignore
    person.picks('The service’s default model').accepts().types('Mine');
    await extension.run('createFineTunedModel', file());
    assert.ok((await models()).includes('Mine'));
    service.onCreate = () => ({ status: 404, body: { detail: 'There is no model tuned-1 here.' } });
    person.picks('Mine');
    await extension.run('forecastWithOptions', file());
    await until(() => person.texts.join('\n'), (texts) => texts.includes('Mine no longer exists on its service and was removed from the list of models.')); // prettier-ignore
    assert.ok(!(await models()).includes('Mine'));
  });

  it('is reported as failed if its training failed meanwhile', async () => {
    const { person } = extension;
    service.onCreate = (body) => (body.input_config ? { status: 200, body: { id: 'tuned-2', status: 'QUEUED' } } : undefined); // prettier-ignore
    person.picks('The service’s default model').accepts().types('Hopeless');
    await extension.run('createFineTunedModel', file());
    service.onCreate = () => ({ status: 409, body: { detail: 'The model has failed.' } });
    const tree = extension.app.trees.get(VIEWS.models)!;
    await tree.refresh();
    const node = (await tree.getChildren()).find((one) => tree.getTreeItem(one).label === 'Hopeless');
    person.choosesFiles(file());
    await extension.run('forecast', node);
    assert.match(person.texts[0], /It says: “The model has failed\.”/);
    await tree.refresh();
    const after = (await tree.getChildren()).find((one) => tree.getTreeItem(one).label === 'Hopeless');
    assert.match(String(after && tree.getTreeItem(after).description), /failed/i);
  });

  it('that the service refuses is reported in its own words, and is not taken for failed by one of them', async () => {
    const { person, app } = extension;
    service.onCreate = (body) => (body.input_config ? { status: 200, body: { id: 'tuned-3', status: 'QUEUED' } } : undefined); // prettier-ignore
    person.picks('The service’s default model').accepts().types('Patient');
    await extension.run('createFineTunedModel', file());
    service.onCreate = () => ({ status: 409, body: { detail: 'It has not failed, but is being trained.' } });
    const tree = app.trees.get(VIEWS.models)!;
    await tree.refresh();
    const row = async () => (await tree.getChildren()).find((one) => tree.getTreeItem(one).label === 'Patient')!;
    person.choosesFiles(file());
    await extension.run('forecast', await row());
    await tree.refresh();
    assert.match(String(tree.getTreeItem(await row()).description), /queued.*: the service answered “It has not failed, but is being trained\.”/); // prettier-ignore

    service.onCreate = undefined;
    person.choosesFiles(file());
    await extension.run('forecast', await row());
    await tree.refresh();
    assert.doesNotMatch(String(tree.getTreeItem(await row()).description), /queued|said/, 'once it is taken');
  });

  it('of another service is not sent to this one', async () => {
    const { person } = extension;
    await extension.run('forecast', { serviceId: 'local', modelId: 'model_1' });
    assert.match(person.texts[0], /^This model belongs to a different service\. Switch to that service/);
    assert.equal(service.created.length, 0);
  });
});

describe('holidays of a country', () => {
  const extension = new Extension();

  it('are chosen with a region, remembered, and removed', async () => {
    const { person, window } = extension;
    person.picks('Germany · Bayern');
    await extension.run('chooseHolidays');
    assert.equal(window.settings.get('forecasts.holidays.country'), 'DE-BY');
    assert.match(person.texts[0], /^Forecast with Options now offers the holidays of Germany · Bayern for daily, hourly, and weekly/); // prettier-ignore
    person.picks('Germany');
    await extension.run('chooseHolidays');
    assert.deepEqual(person.inputs[1].picked, ['Germany · Bayern']);
    assert.equal(window.settings.get('forecasts.holidays.country'), 'DE');
    person.picks('None');
    await extension.run('chooseHolidays');
    assert.equal(window.settings.has('forecasts.holidays.country'), false);
    assert.equal(person.texts[2], 'Holidays are no longer offered for forecasts.');
  });
});

describe('series stored by the service', () => {
  const extension = new Extension();

  it('is forecast with the person’s defaults, with a message if it is gone', async () => {
    const { app, window, person } = extension;
    const client = app.connection.inUse.client;
    const points = Array.from({ length: 36 }, (_, i) => ({ timestamp: new Date(Date.UTC(2020, i)).toISOString(), value: seasonal(i) })); // prettier-ignore
    const { id } = await client.do('createDataset', {
      body: { name: 'Shops', series: [{ name: 'North', series: points }] },
    });
    const [item] = (await client.list('listDatasetSeries', {}, {}, id)).items;
    window.setSetting('forecasts.defaultHorizon', 4);
    await extension.run('forecast', { kind: 'series', id: item.id, item, serviceId: 'local' });
    assert.equal(window.panels.at(-1)?.title, 'Forecast: North');
    const [made] = (await client.listPredictions({ size: 1 })).items;
    assert.equal((await client.getPrediction(made.id)).prediction_series?.length, 4);
    await extension.run('forecast', { kind: 'series', id: 'series_gone', item: { id: 'series_gone' }, serviceId: 'local' }); // prettier-ignore
    assert.match(person.texts[0], /There is no series “series_gone”\./);
    window.setSetting('forecasts.defaultHorizon', undefined);
  });
});
