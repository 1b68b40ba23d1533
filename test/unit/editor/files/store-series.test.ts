import assert from 'node:assert/strict';
import { storeForJob } from '../../../../src/client/store-series.ts';
import { sendingOf } from '../../../../src/editor/files/sources.ts';
import { Extension } from '../extension.ts';
import { ManyPage } from '../many-series/many-page.ts';
import { months } from '../series-text.ts';

describe('Series that are stored at the local service', () => {
  const extension = new Extension();
  const times = Float64Array.from({ length: 24 }, (_, month) => Date.UTC(2020, month));
  const series = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      name: `s${n}`,
      times,
      values: times.map((_, month) => month + n),
      timeKind: 'date' as const,
      timeZone: undefined,
    }));
  const jobs = async () => (await extension.app.connection.inUse.client.listDatasets({}, true)).items;

  it('are sent as a stream with progress, and stored once for jobs', async () => {
    const { app } = extension;
    const reports: string[] = [];
    const { signal } = new AbortController();
    const report = (message: string) => reports.push(message);
    const store = () =>
      storeForJob(
        app.connection.inUse.client,
        app.reader,
        { name: 'shops.csv', series: series(1200) },
        sendingOf(app, 'shops.csv', { signal, report }),
      );
    const { id, isOwn } = await store();
    assert.deepEqual(reports, ['500 of 1,200 series sent', '1,000 of 1,200 series sent', '1,200 of 1,200 series sent']);
    assert.deepEqual([(await store()).id, isOwn, reports.length], [id, false, 3]);
    assert.deepEqual(
      (await jobs()).map((one) => [one.id, one.series_count]),
      [[id, 1200]],
    );
  });

  it('are deleted if storing is stopped', async () => {
    const { app } = extension;
    const before = (await jobs()).length;
    const stop = new AbortController();
    const report = () => {
      stop.abort(new Error('stopped'));
    };
    const storing = storeForJob(
      app.connection.inUse.client,
      app.reader,
      { name: 'more.csv', series: series(1300) },
      sendingOf(app, 'more.csv', { signal: stop.signal, report }),
    );
    await assert.rejects(storing, /stopped/);
    assert.equal((await jobs()).length, before);
  });

  it('are forecast in the order of the file, and with another model without being sent again', async () => {
    const { window } = extension;
    window.setSetting('forecasts.defaultModel', 'seasonal-naive');
    const columns = Object.fromEntries(Array.from({ length: 520 }, (_, n) => [`c${n}`, (month: number) => month + n]));
    const file = extension.file('wide.csv', months(24, columns));
    await extension.run('forecastAll', file);
    const rows = await new ManyPage(window).rows();
    assert.deepEqual(
      rows.map(({ name }) => name),
      Object.keys(columns),
    );
    const before = (await jobs()).length;
    window.setSetting('forecasts.defaultModel', 'theta');
    await extension.run('forecastAll', file);
    assert.equal((await jobs()).length, before);
  }).timeout(60_000);
});
