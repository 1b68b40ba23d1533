import assert from 'node:assert/strict';
import { setting } from '../../../../src/editor/names.ts';
import { statusBar } from '../../../../src/editor/connection/connection.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';
import { until } from '../until.ts';

describe('status bar', () => {
  const extension = new Extension();
  const item = { text: '', tooltip: '', name: '', command: '', isShown: false, isDisposed: false };
  let bar: { dispose(): unknown };
  before(() => {
    const created = Object.assign(item, {
      show: () => (item.isShown = true),
      dispose: () => (item.isDisposed = true),
    });
    Object.assign(extension.window.window, { createStatusBarItem: () => created });
    bar = statusBar(extension.app.connection);
  });
  after(() => {
    for (const name of ['service', 'remoteServices']) extension.window.setSetting(`forecasts.${name}`, undefined);
  });

  it('names the service that makes forecasts, and switches on click', async () => {
    const { window, person } = extension;
    assert.deepEqual([item.text, item.isShown], ['$(pulse) Local forecasts', true]);
    assert.match(item.tooltip, /^Forecasts are made on this machine/);
    window.setSetting('forecasts.remoteServices', { Ours: 'https://forecasts.example.com/v1' });
    window.setSetting('forecasts.service', 'Ours');
    assert.equal(item.text, '$(pulse) Ours');
    assert.equal(item.tooltip, 'Forecast service: https://forecasts.example.com/v1. Click to switch.');
    person.picks('$(device-desktop) Local forecasts');
    await window.commands.executeCommand(item.command);
    assert.equal(item.text, '$(pulse) Local forecasts');
  });

  it('warns if the configured service does not exist, and recovers', () => {
    const { window } = extension;
    window.setSetting('forecasts.service', 'Nobody');
    assert.equal(item.text, '$(warning) No forecast service');
    assert.match(item.tooltip, /^No service “Nobody” is set up here/);
    window.setSetting('forecasts.service', undefined);
    assert.equal(item.text, '$(pulse) Local forecasts');
  });

  it('stops after dispose', () => {
    bar.dispose();
    extension.window.setSetting('forecasts.service', 'Nobody');
    assert.deepEqual([item.text, item.isDisposed], ['$(pulse) Local forecasts', true]);
    extension.window.setSetting('forecasts.service', undefined);
  });
});

describe('settings', () => {
  const extension = new Extension();

  it('apply at once: the next forecast has the new horizon', async () => {
    const { window, app } = extension;
    window.setSetting('forecasts.defaultHorizon', 2);
    await extension.run('forecast', extension.file('d.csv', months(30, { d: seasonal })));
    const client = app.connection.inUse.client;
    const [{ id }] = (await client.listPredictions({ size: 1 })).items;
    assert.equal((await client.getPrediction(id)).prediction_series?.length, 2);
    window.setSetting('forecasts.defaultHorizon', undefined);
  });

  it('of an invalid type fall back to their default, in user and workspace settings', () => {
    const { window } = extension;
    const wrong = { intervals: [0, 400], timeZone: 'Nowhere/Never', remoteServices: ['x'], markAnomalies: 7, service: '' } as const; // prettier-ignore
    const defaults = { intervals: [], timeZone: 'file', remoteServices: {}, markAnomalies: 1000, service: 'local' } as const; // prettier-ignore
    for (const [name, value] of Object.entries(wrong)) window.settings.set(`forecasts.${name}`, value);
    for (const name of Object.keys(wrong) as (keyof typeof wrong)[])
      assert.deepEqual(setting(name), defaults[name], name);
    window.settings.clear();
  });

  it('of another service leave existing charts and their data', async () => {
    const { window } = extension;
    await extension.run('forecast', extension.file('kept.csv', months(31, { kept: seasonal })));
    const panel = window.panels.at(-1)!;
    panel.says({ type: 'ready' });
    await until(() => JSON.stringify(panel.posted), (posted) => posted.includes('kept.csv')); // prettier-ignore
    window.setSetting('forecasts.service', 'http://127.0.0.1:9');
    panel.posted.length = 0;
    panel.says({ type: 'ready' });
    await until(() => JSON.stringify(panel.posted), (posted) => posted.includes('"title":"kept.csv"')); // prettier-ignore
    window.setSetting('forecasts.service', undefined);
  });
});
