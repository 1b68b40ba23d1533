import assert from 'node:assert/strict';
import { predictAll } from '../../../../src/editor/many-series/through-dataset.ts';
import { Cancelled } from '../../../../src/editor/ui/failure.ts';
import { Extension } from '../extension.ts';
import { PlainService } from '../plain-service.ts';
import { months, seasonal } from '../series-text.ts';

/** This many series side by side. */
const wide = (count: number): string =>
  months(
    36,
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`s${index}`, (month: number) => seasonal(month) + index]),
    ),
  );

describe('Forecast All Series with the local service', () => {
  const extension = new Extension();

  it('lists the forecasts of all series and opens the one that is picked', async () => {
    const { person, window } = extension;
    person.leaves();
    await extension.run('forecastAll', extension.file('shops.csv', wide(5)));
    assert.equal(person.offered[0].length, 5);
    assert.match(person.asked[0], /shops\.csv: 5 forecasts/);
    assert.match(person.offered[0][0].description!, /% error/);
    assert.deepEqual([person.texts, window.panels], [[], []]);
  });

  it('keeps what is done when it is stopped, says so, and takes the rest out of the queue', async () => {
    const { app } = extension;
    const session = app.connection.inUse;
    const { client } = session;
    const points = Array.from({ length: 40 }, (_, month) => ({
      timestamp: new Date(Date.UTC(2020, month)).toISOString(),
      value: seasonal(month),
    }));
    const many = Array.from({ length: 300 }, (_, index) => ({ name: `s${index}`, series: points }));
    const { id } = await client.createDataset({ name: 'stores.csv', series: many });
    const totalOf = async (status: string) => (await client.listDatasetPredictions(id, { status, size: 1 })).total!;
    const stop = new AbortController();
    const working = predictAll(app, session, { id, label: 'stores.csv' }, stop.signal, () => undefined);
    while ((await totalOf('COMPLETED')) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort(new Cancelled());
    const set = await working;
    const [, done, all] = /^Stopped\. (\d+) of (\d+) series of stores\.csv are forecast and kept\.$/.exec(
      set.shortfall!,
    )!;
    assert.equal(all, '300');
    assert.equal(set.predictions.length, Number(done));
    assert.equal((await set.forecasts()).length, Number(done));
    assert.equal(await totalOf('COMPLETED'), Number(done));
    for (const status of ['QUEUED', 'IN_PROGRESS']) assert.equal(await totalOf(status), 0, status);
  });

  it('takes all out of the queue when it is stopped while they are being queued', async () => {
    const { person, window, app } = extension;
    const client = app.connection.client();
    const real = client.predictDataset.bind(client);
    const queued = Promise.withResolvers<string>();
    const letGo = Promise.withResolvers<undefined>();
    client.predictDataset = async (id, request) => {
      const answer = await real(id, request);
      await letGo.promise;
      setImmediate(() => {
        queued.resolve(id);
      });
      return answer;
    };
    const cancelled = Promise.withResolvers<undefined>();
    const cancel = client.cancelDatasetPredictions.bind(client);
    client.cancelDatasetPredictions = async (id) => {
      await cancel(id);
      cancelled.resolve(undefined);
    };
    window.onProgress = ({ title, cancel: stop }) => {
      if (title.startsWith('Forecasting')) stop();
    };
    try {
      await extension.run('forecastAll', extension.file('late.csv', wide(30)));
      assert.deepEqual([person.texts, person.offered], [[], []]);
      letGo.resolve(undefined);
      const id = await queued.promise;
      await cancelled.promise;
      const { items } = await client.listDatasetPredictions(id, {});
      assert.deepEqual(
        items.filter(({ status }) => status === 'QUEUED' || status === 'IN_PROGRESS'),
        [],
      );
    } finally {
      window.onProgress = () => undefined;
      Object.assign(client, { predictDataset: real, cancelDatasetPredictions: cancel });
    }
  });
});

describe('Forecast All Series with a service that takes one series at a time', () => {
  const extension = new Extension();
  const service = new PlainService(extension);

  it('sends each series, and asks first where there are many', async () => {
    const { person } = extension;
    person.presses('Send').leaves();
    await extension.run('forecastAll', extension.file('shops.csv', wide(21)));
    assert.match(person.texts[0], /^Send 21 series of shops\.csv to .*21 requests\.$/);
    assert.equal(service.created.length, 21);
    assert.equal(person.offered[0].length, 21);
    assert.equal(person.texts.length, 1);
  });

  it('sends nothing where the person does not want that', async () => {
    await extension.run('forecastAll', extension.file('shops.csv', wide(21)));
    assert.deepEqual([service.created, extension.person.offered], [[], []]);
  });

  it('stops the others when one fails as they would, keeps what is done and says both', async () => {
    const { person } = extension;
    service.onCreate = (_body, index) =>
      index < 6 ? undefined : { status: 403, body: { detail: 'The quota of this token is used up.' } };
    person.leaves();
    await extension.run('forecastAll', extension.file('shops.csv', wide(20)));
    assert.ok(service.created.length <= 10, `${service.created.length} were sent`);
    assert.equal(person.offered[0].length, 6);
    assert.match(person.texts[0], /^6 of 20 series of shops\.csv are forecast and kept\. The others are not: .*quota/);
  });

  it('goes on past a series that is refused, and says so', async () => {
    const { person } = extension;
    service.onCreate = (_body, index) =>
      index === 2 ? { status: 422, body: { detail: 'This series is too short.' } } : undefined;
    person.leaves();
    await extension.run('forecastAll', extension.file('shops.csv', wide(12)));
    assert.equal(service.created.length, 12);
    assert.equal(person.offered[0].length, 11);
    assert.match(person.texts[0], /^11 of 12 series .*too short/);
  });

  it('says only why where nothing was done', async () => {
    const { person } = extension;
    service.onCreate = () => ({ status: 403, body: { detail: 'No.' } });
    await extension.run('forecastAll', extension.file('shops.csv', wide(8)));
    assert.ok(service.created.length <= 4);
    assert.equal(person.read.length, 1);
    assert.equal(person.read[0].kind, 'error');
  });
});
