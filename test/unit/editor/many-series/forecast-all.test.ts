import assert from 'node:assert/strict';
import { forecastsOf, predictAll } from '../../../../src/editor/many-series/forecast-set.ts';
import { Cancelled } from '../../../../src/editor/ui/say.ts';
import { Extension } from '../extension.ts';
import { PlainService } from '../plain-service.ts';
import { months, seasonal } from '../series-text.ts';
import { ManyPage } from './many-page.ts';
import { until } from '../until.ts';

/** This many series side by side. */
const wide = (count: number): string =>
  months(
    96,
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`s${index}`, (month: number) => seasonal(month) + index]),
    ),
  );

describe('Forecast All Series with the local service', () => {
  const extension = new Extension();

  it('shows all forecasts with last and next values, sparklines and errors', async () => {
    const { person, window } = extension;
    await extension.run('forecastAll', extension.file('shops.csv', wide(5)));
    const page = new ManyPage(window);
    const rows = await page.rows();
    assert.equal(page.panel.title, 'Forecasts: shops.csv');
    assert.deepEqual(rows.map(({ name }) => name).toSorted(), ['s0', 's1', 's2', 's3', 's4']);
    const one = rows.find(({ name }) => name === 's3')!;
    assert.equal(one.last, seasonal(95) + 3);
    assert.equal(one.past?.length, 48);
    assert.equal(one.next, one.ahead?.[0]);
    assert.ok(one.lower![0]! <= one.next! && one.next! <= one.upper![0]!);
    assert.ok(one.error! >= 0 && one.error! < 200 && one.coverage! >= 0 && one.coverage! <= 1);
    assert.deepEqual([person.texts, person.inputs, window.panels.length], [[], [], 1]);
  });

  it('keeps finished results when stopped, says so, and cancels the rest', async () => {
    const { app } = extension;
    const session = app.connection.inUse;
    const { client } = session;
    const points = Array.from({ length: 40 }, (_, month) => ({
      timestamp: new Date(Date.UTC(2020, month)).toISOString(),
      value: seasonal(month),
    }));
    const many = Array.from({ length: 300 }, (_, index) => ({ name: `s${index}`, series: points }));
    const { id } = await client.do('createDataset', { body: { name: 'stores.csv', series: many } });
    const totalOf = async (status: string) => (await client.listDatasetPredictions(id, { status, size: 1 })).total!;
    const stop = new AbortController();
    const working = predictAll(
      app,
      session,
      { id, label: 'stores.csv' },
      { signal: stop.signal, report: () => undefined },
    );
    await until(() => totalOf('COMPLETED'), Boolean);
    stop.abort(new Cancelled());
    const set = await working;
    const [, done, all] =
      /^Stopped\. (\d+) of (\d+) series of stores\.csv were forecast; these forecasts are kept\.$/.exec(
        set.shortfall!,
      )!;
    assert.equal(all, '300');
    assert.equal(set.predictions.length, Number(done));
    assert.equal((await forecastsOf(client, set, { names: 'limits', withHistory: false })).length, Number(done));
    assert.equal(await totalOf('COMPLETED'), Number(done));
    for (const status of ['QUEUED', 'IN_PROGRESS']) assert.equal(await totalOf(status), 0, status);
  });

  it('cancels everything when stopped while queueing', async () => {
    const { person, window, app } = extension;
    const pages = window.panels.length;
    const client = app.connection.inUse.client;
    const real = client.do.bind(client);
    const shown = Promise.withResolvers<() => void>();
    const queued = Promise.withResolvers<string>();
    const letGo = Promise.withResolvers<undefined>();
    const cancelled = Promise.withResolvers<undefined>();
    client.do = async (name, exchange) => {
      const answer = await real(name, exchange);
      if (name === 'cancelDatasetPredictions') cancelled.resolve(undefined);
      if (name !== 'predictDataset') return answer;
      // not before: on a slow machine the progress is there while the dataset is still being stored
      (await shown.promise)();
      await letGo.promise;
      setImmediate(() => {
        queued.resolve(exchange!.id!);
      });
      return answer;
    };
    window.onProgress = ({ title, cancel: stop }) => {
      if (title.startsWith('Forecasting')) shown.resolve(stop);
    };
    try {
      await extension.run('forecastAll', extension.file('late.csv', wide(30)));
      assert.deepEqual([person.texts, window.panels.length], [[], pages]);
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
      client.do = real;
    }
  });
});

describe('Forecast All Series with a service for single series', () => {
  const extension = new Extension();
  const service = new PlainService(extension);

  it('sends each series, after a confirmation if there are many', async () => {
    const { person, window } = extension;
    person.presses('Send');
    await extension.run('forecastAll', extension.file('shops.csv', wide(21)));
    assert.match(person.texts[0], /^Send 21 series of shops\.csv to .*21 requests\.$/);
    assert.equal(service.created.length, 21);
    const page = new ManyPage(window);
    const rows = await page.rows();
    assert.equal(rows.length, 21);
    const { memory, connection } = extension.app;
    const labels = service.created.map((_, index) => memory.recall(connection.current.id, `made-${index}`)?.label);
    assert.deepEqual(labels.toSorted().slice(0, 2), ['shops.csv · s0', 'shops.csv · s1'], 'the service keeps no names');
    assert.ok(rows.every(({ past, last, next }) => past && last !== undefined && next !== undefined));
    assert.deepEqual(page.state.actions, ['again', 'save-csv', 'save-json', 'save-xlsx', 'tune']);
    assert.equal(person.texts.length, 1);
  });

  it('sends nothing if the person declines', async () => {
    const before = extension.window.panels.length;
    await extension.run('forecastAll', extension.file('shops.csv', wide(21)));
    assert.deepEqual([service.created, extension.window.panels.length], [[], before]);
  });

  it('stops at a failure that would repeat, keeps finished results and reports both', async () => {
    const { person, app } = extension;
    const isMade = (index: number) =>
      app.memory.recall(app.connection.current.id, `made-${index}`)?.label?.startsWith('quota.csv');
    service.onCreate = async (_body, index) => {
      if (index < 6) return undefined;
      // the answers of the others have come before: what is under way is given up
      await until(() => [0, 1, 2, 3, 4, 5].every(isMade), Boolean);
      return { status: 403, body: { detail: 'The quota of this token is used up.' } };
    };
    await extension.run('forecastAll', extension.file('quota.csv', wide(20)));
    assert.ok(service.created.length <= 10, `${service.created.length} were sent`);
    assert.equal((await new ManyPage(extension.window).rows()).length, 6);
    assert.match(
      person.texts[0],
      /^6 of 20 series of quota\.csv were forecast; these forecasts are kept\. The others were not: .*quota/,
    );
  });

  it('continues past a refused series, and says so', async () => {
    const { person } = extension;
    service.onCreate = (_body, index) =>
      index === 2 ? { status: 422, body: { detail: 'This series is too short.' } } : undefined;
    await extension.run('forecastAll', extension.file('short.csv', wide(12)));
    assert.equal(service.created.length, 12);
    assert.equal((await new ManyPage(extension.window).rows()).length, 11);
    assert.match(person.texts[0], /^11 of 12 series .*too short/);
  });

  it('gives only the reason if nothing was done', async () => {
    const { person } = extension;
    service.onCreate = () => ({ status: 403, body: { detail: 'No.' } });
    await extension.run('forecastAll', extension.file('shops.csv', wide(8)));
    assert.ok(service.created.length <= 4);
    assert.equal(person.read.length, 1);
    assert.equal(person.read[0].kind, 'error');
  });
});
