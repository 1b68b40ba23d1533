import assert from 'node:assert/strict';
import { forecastAgain } from '../../../../src/editor/forecast/again.ts';
import { writeFileSync } from 'node:fs';
import { SeenChart } from '../chart-page.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';
import { until } from '../until.ts';
import { deferred } from '../views/panels.ts';

describe('Forecast command', () => {
  const extension = new Extension();

  it('shows the chart of a file without a question', async () => {
    await extension.run('forecast', extension.file('air.csv', months(60, { passengers: seasonal })));
    const panel = extension.window.panels.at(-1)!;
    panel.says({ type: 'ready' });
    assert.equal(panel.title, 'Forecast: air.csv');
    assert.match(JSON.stringify(panel.posted), /"title":"air\.csv".*passengers · monthly/);
    assert.deepEqual([extension.person.texts, extension.person.asked], [[], []]);
  });

  it('opens the chart page during the forecast, and shows the result in it', async () => {
    const before = extension.window.panels.length;
    const running = extension.run('forecast', extension.file('early.csv', months(60, { passengers: seasonal })));
    const panels = await until(
      () => extension.window.panels.slice(before),
      (all) => all.length > 0,
    );
    const [panel] = panels;
    assert.match(panel.webview.html, /webview\.js/);
    panel.says({ type: 'ready' });
    assert.deepEqual([panel.title, panel.posted], ['Forecast', []]);
    await running;
    assert.equal(panel.title, 'Forecast: early.csv');
    assert.match(JSON.stringify(panel.posted), /passengers · monthly/);
    assert.equal(extension.window.panels.length, before + 1);
  });

  it('keeps the service that it began with for all series, whatever is in use meanwhile', async () => {
    const { client } = extension.app.connection.inUse;
    const create = client.createPrediction.bind(client);
    const made: unknown[] = [];
    client.createPrediction = async (request, signal) => {
      made.push(request.name);
      extension.window.setSetting('forecasts.service', 'https://other.example');
      return create(request, signal);
    };
    extension.person.picks('a', 'b');
    await extension.run('forecast', extension.file('switched.csv', months(40, { a: seasonal, b: seasonal })));
    client.createPrediction = create;
    extension.window.setSetting('forecasts.service', undefined);
    assert.deepEqual(made, ['switched.csv · a', 'switched.csv · b']);
    assert.deepEqual(extension.person.texts, []);
  });

  it('keeps changes made in its chart since it began', async () => {
    const { app, window } = extension;
    const file = extension.file('slow.csv', months(40, { a: seasonal }));
    await extension.run('forecast', file);
    const { client } = app.connection.inUse;
    const [{ id: predictionId }] = (await client.listPredictions({ size: 1 })).items;
    writeFileSync(file.fsPath, months(41, { a: seasonal }));
    const create = client.createPrediction.bind(client);
    const answer = deferred<undefined>();
    let isAsked = false;
    client.createPrediction = async (request, signal) => {
      client.createPrediction = create;
      isAsked = true;
      await answer.promise;
      return create(request, signal);
    };
    const slow = extension.run('forecast', file);
    await until(() => isAsked, Boolean);
    await forecastAgain(extension.app, { serviceId: 'local', predictionId }, { horizon: 5 });
    const [{ id: chosen }] = (await client.listPredictions({ size: 1 })).items;
    answer.keep(undefined);
    await slow;
    const chart = { serviceId: 'local', predictionId: chosen };
    assert.deepEqual([app.panels.isInSight(chart), window.panels.at(-1)?.title], [true, 'Forecast: slow.csv']);
  });

  it('closes the page after a refusal', async () => {
    const before = extension.window.panels.length;
    extension.window.setSetting('forecasts.defaultModel', 'gone');
    await extension.run('forecast', extension.file('refused.csv', months(60, { passengers: seasonal })));
    extension.window.setSetting('forecasts.defaultModel', '');
    assert.match(extension.person.texts.join(), /gone/);
    const panels = extension.window.panels.slice(before);
    assert.deepEqual(
      panels.map(({ isDisposed }) => isDisposed),
      [true],
    );
  });

  it('includes a total row on click in the chart’s header, and from then on', async () => {
    const chartOf = async () => {
      const page = new SeenChart(extension.window.panels.at(-1)!);
      return (await page.comes(({ shown }) => shown?.chart.forecast !== undefined)).shown!.chart;
    };
    const file = extension.file('visits.csv', `${months(40, { visits: seasonal })}\nTotal,5813\n`);
    await extension.run('forecast', file);
    const before = await chartOf();
    const remark = before.remarks?.find(({ action }) => action);
    assert.equal(before.history.values.at(-1), seasonal(39));
    assert.equal(remark?.action?.label, 'Include');
    new SeenChart(extension.window.panels.at(-1)!).act({ type: 'action', id: remark!.action!.id });
    const after = await until(chartOf, ({ history }) => history.values.at(-1) === 5813);
    assert.equal(after.history.times.length, before.history.times.length + 1);
    assert.equal(
      after.remarks?.find(({ action }) => action),
      undefined,
    );
  });

  it('asks which of several series, and remembers the answer', async () => {
    const file = extension.file('shops.csv', months(48, { north: seasonal, south: (month) => 300 - month }));
    extension.person.picks('south');
    await extension.run('forecast', file);
    assert.equal(extension.window.panels.at(-1)!.title, 'Forecast: shops.csv · south');
    await extension.run('forecast', file);
    assert.equal(extension.person.asked.length, 1);
  });

  it('locates a non-numeric cell, and skips it on request', async () => {
    const file = extension.file(
      'odd.csv',
      months(48, { sales: (month) => (month === 20 ? 'closed?' : seasonal(month)) }),
    );
    extension.person.presses('Treat as Missing');
    await extension.run('forecast', file);
    assert.match(extension.person.texts.join(), /closed\?/);
    assert.equal(extension.window.panels.at(-1)!.title, 'Forecast: odd.csv');
  });

  it('goes back through the inputs of Forecast with Options', async () => {
    const file = extension.file('wide.csv', months(48, { a: seasonal, b: seasonal }));
    extension.person.picks('a').goesBack().picks('b').picks('Theta').accepts().types('0').types('7');
    await extension.run('forecastWithOptions', file);
    assert.deepEqual(
      extension.person.asked.map((title) => title.replace(/^.* /, '')),
      ['1/4', '2/4', '1/4', '2/4', '3/4', '4/4'],
    );
    assert.equal(extension.window.panels.at(-1)!.title, 'Forecast: wide.csv · b');
  });

  it('remembers the answer about a sentinel of missing values', async () => {
    const text = months(48, { sales: (month) => (month === 20 ? -999 : seasonal(month)) });
    const file = extension.file('codes.csv', text);
    extension.person.picks('The value is missing');
    await extension.run('forecast', file);
    assert.equal(extension.person.asked.length, 1);
    await extension.run('forecast', file);
    assert.equal(extension.person.asked.length, 1);
  });

  it('asks which zone an ambiguous abbreviation means, and charts the times of the file', async () => {
    const hours = Array.from({ length: 96 }, (_, hour) => {
      const time = `2021-01-0${1 + Math.floor(hour / 24)} ${String(hour % 24).padStart(2, '0')}:00:00 CST`;
      return `${time},${seasonal(hour)}`;
    });
    const file = extension.file('china.csv', `time,load\n${hours.join('\n')}\n`);
    extension.person.picks('China Standard Time');
    await extension.run('forecast', file);
    const panel = extension.window.panels.at(-1)!;
    panel.says({ type: 'ready' });
    assert.match(
      JSON.stringify(panel.posted),
      /load · hourly · 2021-01-01 00:00 – 2021-01-04 23:00.*"timeZone":"Asia\/Shanghai"/,
    );
    await extension.run('forecast', file);
    assert.equal(extension.person.asked.length, 1);
  });

  it('accepts a duration or a date as horizon', async () => {
    const file = extension.file('span.csv', months(48, { a: seasonal }));
    extension.person.picks('Theta').accepts().types('2 parsecs').types('2 years');
    await extension.run('forecastWithOptions', file);
    const panel = extension.window.panels.at(-1)!;
    panel.says({ type: 'ready' });
    assert.match(JSON.stringify(panel.posted), /24 months ahead/);
  });

  it('explains what a file without series lacks', async () => {
    await extension.run('forecast', extension.file('words.csv', 'a,b\nx,y\nz,w\n'));
    assert.equal(extension.person.read.length, 1);
    assert.match(extension.person.texts[0], /words\.csv/);
  });
});
