import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { URI } from 'vscode-uri';
import type { LocalPrediction } from '../../../../src/contract/resources.ts';
import { changeSteps, forecastAgain } from '../../../../src/editor/forecast/again.ts';
import type { ReadingState } from '../../../../src/editor/views/file-reading/view.ts';
import { SeenChart } from '../chart-page.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';
import { until } from '../until.ts';
import { act, stateOf } from '../views/panels.ts';
import { sheetOf, workbookOf } from '../workbook.ts';

/** A visitor on each day from 1 January 2022 on. */
const days = (count: number): string =>
  `day,visitors\n${Array.from({ length: count }, (_, day) => `${new Date(Date.UTC(2022, 0, 1 + day)).toISOString().slice(0, 10)},1`).join('\n')}\n`;

describe('Forecast Again', () => {
  const extension = new Extension();
  const newest = async (): Promise<LocalPrediction> => {
    const { client } = await extension.app.connection.ready();
    return client.getPrediction((await client.listPredictions({ size: 1 })).items[0].id);
  };
  const count = async () => (await extension.app.connection.inUse.client.listPredictions({ size: 1 })).total ?? 0;
  async function forecast(file: URI) {
    await extension.run('forecast', file);
    return { serviceId: 'local', predictionId: (await newest()).id };
  }
  afterEach(() => {
    for (const panel of extension.window.panels.splice(0)) panel.dispose();
    extension.window.setSetting('forecasts.defaultHorizon', undefined);
    extension.window.setSetting('forecasts.service', undefined);
  });

  it('forecasts the current file with the same horizon and model in the same chart', async () => {
    extension.window.setSetting('forecasts.defaultHorizon', 5);
    extension.window.setSetting('forecasts.defaultModel', 'theta');
    const file = extension.file('sales.csv', months(36, { sales: seasonal }));
    const made = await forecast(file);
    extension.window.setSetting('forecasts.defaultModel', undefined);
    extension.window.setSetting('forecasts.defaultHorizon', 9);
    writeFileSync(file.fsPath, months(40, { sales: seasonal }));
    await extension.run('forecastAgain', made);
    const again = await newest();
    assert.notEqual(again.id, made.predictionId);
    assert.deepEqual(
      [again.input_series?.length, again.prediction_series?.length, again.ai_model_id],
      [40, 5, 'theta'],
    );
    assert.equal(extension.window.panels.length, 1);
  });

  it('includes unsaved edits', async () => {
    const file = extension.file('edited.csv', months(36, { sales: seasonal }));
    const made = await forecast(file);
    extension.window.select(file, months(38, { sales: seasonal }));
    await extension.run('forecastAgain', made);
    extension.window.documents.length = 0;
    extension.window.activeTextEditor = undefined;
    assert.equal((await newest()).input_series?.length, 38);
  });

  it('forecasts the sent series if there is no file', async () => {
    const { client } = await extension.app.connection.ready();
    const series = Array.from({ length: 30 }, (_, i) => ({ timestamp: new Date(Date.UTC(2020, i)).toISOString(), value: seasonal(i) })); // prettier-ignore
    const { id } = await client.createPrediction({ series, prediction_length: 4, ai_model_id: 'theta' });
    await forecastAgain(extension.app, { serviceId: 'local', predictionId: id }, { intervals: [90], horizon: 6 });
    const again = await newest();
    assert.deepEqual(
      [again.prediction_series?.length, again.ai_model_id, again.input_series?.length],
      [6, 'theta', 30],
    );
    const { quantiles } = again.prediction_series![0].metadata as { quantiles: object };
    assert.deepEqual(Object.keys(quantiles), ['0.05', '0.5', '0.95']);
  });

  it('shows a message if the file or its series is gone', async () => {
    const file = extension.file('shops.csv', months(36, { north: seasonal, south: seasonal }));
    extension.person.picks('north');
    const made = await forecast(file);
    const before = await count();
    writeFileSync(file.fsPath, months(36, { south: seasonal, west: seasonal }));
    await extension.run('forecastAgain', made);
    assert.equal(extension.person.texts[0], 'shops.csv no longer has a series “north”. Forecast the file to choose another.'); // prettier-ignore
    rmSync(file.fsPath);
    await extension.run('forecastAgain', made);
    assert.match(extension.person.texts[1], /^shops\.csv cannot be read.*Check that it exists/);
    assert.equal(await count(), before);
  });

  it('can treat cells that are not numbers as missing', async () => {
    const file = extension.file('odd.csv', months(36, { sales: seasonal }));
    const made = await forecast(file);
    writeFileSync(file.fsPath, months(37, { sales: (month) => (month === 30 ? 'closed?' : seasonal(month)) }));
    await extension.run('forecastAgain', made);
    assert.match(extension.person.texts[0], /closed\?/);
    assert.deepEqual(extension.person.read[0].buttons[0], 'Treat as Missing');
    extension.person.presses('Treat as Missing');
    await extension.run('forecastAgain', made);
    const { input_series } = await newest();
    assert.deepEqual([input_series?.length, input_series?.[30].value], [37, undefined]);
  });

  it('uses the steps that are chosen in its chart, with a horizon for them', async () => {
    const file = extension.file('daily.csv', days(900));
    await forecast(file);
    const chart = () => new SeenChart(extension.window.panels[0]);
    const change = async (step: string, by?: string) => {
      const before = (await newest()).id;
      const page = chart();
      await page.comes(({ shown }) => shown !== null);
      assert.deepEqual(page.chart.reading?.map(({ label }) => label), ['How It Is Read', 'Change Steps…']); // prettier-ignore
      page.act({ type: 'action', id: 'change-steps' });
      const reading = await until(
        () =>
          extension.window.panels.find(({ viewType, isDisposed }) => viewType === 'forecasts.reading' && !isDisposed),
        (found) => found !== undefined,
      );
      reading!.says({ type: 'ready' });
      const choose = async (question: string, answer: string) => {
        const controls = () => stateOf<ReadingState>(reading!).controls ?? [];
        const asked = () => controls().find(({ label }) => label === question);
        const control = await until(asked, (found) => found !== undefined);
        act(reading!, {
          type: 'change',
          change: control!.options.find(({ label }) => label.startsWith(answer))!.change,
        });
        const isTaken = () => asked()?.options[asked()!.chosen].label.startsWith(answer) === true;
        await until(() => !stateOf<ReadingState>(reading!).isReading && isTaken(), (is) => is); // prettier-ignore
      };
      await choose('Step', step);
      if (by !== undefined) await choose('Value per Step', by);
      act(reading!, { type: 'accept' });
      return until(newest, ({ id, prediction_series }) => id !== before && prediction_series !== undefined);
    };
    const monthly = await change('monthly', 'Sum');
    assert.deepEqual([monthly.details?.frequency, monthly.prediction_series?.length], ['P1M', 14]);
    assert.equal(monthly.input_series?.[0]?.value, 31);
    const weekly = await change('weekly', 'Highest');
    assert.deepEqual([weekly.details?.frequency, weekly.prediction_series?.length], ['P1W', 26]);
    const daily = await change('Rows');
    assert.deepEqual([daily.input_series?.length, daily.details?.frequency], [900, 'P1D']);
  });

  it('shows a message instead of steps if rows have no times', async () => {
    const rows = Array.from({ length: 30 }, (_, row) => seasonal(row)).join('\n');
    const file = extension.file('rows.csv', `sales\n${rows}\n`);
    const made = await forecast(file);
    const [before, panels] = [await count(), extension.window.panels.length];
    await changeSteps(extension.app, made, file);
    assert.deepEqual(extension.person.texts, ['The rows of rows.csv cannot be combined into longer steps.']);
    assert.deepEqual([await count(), extension.window.panels.length], [before, panels]);
  });

  it('is refused while another service is in use', async () => {
    const made = await forecast(extension.file('sales.csv', months(36, { sales: seasonal })));
    extension.window.setSetting('forecasts.service', 'http://127.0.0.1:9');
    await extension.run('forecastAgain', made);
    assert.equal(extension.person.texts[0], 'This belongs to a different service. Switch to that service first.'); // prettier-ignore
  });

  it('sends nothing of its chart to another service', async () => {
    const { app, window, person } = extension;
    await forecast(
      extension.file('own.csv', months(60, { sales: (month) => (month === 40 ? 9000 : seasonal(month)) })),
    );
    const page = new SeenChart(window.panels.at(-1)!);
    await page.comes(({ analyses: { anomalies } }) => typeof anomalies === 'object');
    page.act({ type: 'compare', do: 'open' });
    await app.tokens.set('http://127.0.0.1:9', 'token');
    window.setSetting('forecasts.service', 'http://127.0.0.1:9');
    page.act({ type: 'compare', do: 'add-model', id: 'theta' });
    const { rows } = await page.compared((view) => view.rows[1]?.sentence !== undefined);
    page.act({ type: 'action', id: 'leave-out' });
    await until(() => person.texts.length, Boolean); // prettier-ignore
    const refusal = 'This belongs to a different service. Switch to that service first.';
    assert.deepEqual([rows[1].sentence, ...person.texts], [refusal, refusal]);
  });

  it('shows a message if the service has deleted the forecast', async () => {
    await extension.run('forecastAgain', { serviceId: 'local', predictionId: 'prediction_of_nobody' });
    assert.equal(extension.person.texts[0], 'The service no longer has the series of this prediction.');
  });

  it('uses another model that is chosen after a failure', async () => {
    const made = await forecast(extension.file('failed.csv', months(35, { sales: seasonal })));
    extension.person.picks('Theta');
    await forecastAgain(extension.app, made, { isOtherModel: true });
    assert.equal((await newest()).ai_model_id, 'theta');
  });

  it('asks for a sheet if the chosen one is gone', async () => {
    const { person, folder, window } = extension;
    const sheets = { North: sheetOf(30, 'sales', seasonal), South: sheetOf(36, 'sales', (month) => 500 - month) };
    const file = URI.file(path.join(folder, 'shops.xlsx'));
    writeFileSync(file.fsPath, await workbookOf(sheets));
    person.picks('South');
    const made = await forecast(file);
    writeFileSync(file.fsPath, await workbookOf({ North: sheets.North, West: sheetOf(33, 'sales', seasonal) }));
    person.picks('West');
    await extension.run('forecastAgain', made);
    assert.deepEqual(person.inputs.at(-1)?.items.map(({ label }) => label), ['North', 'West']); // prettier-ignore
    assert.equal((await newest()).input_series?.length, 33);
    const before = await count();
    await extension.app.kept.keep(file.toString(), true);
    writeFileSync(file.fsPath, await workbookOf({ North: sheets.North, East: sheetOf(34, 'sales', seasonal) }));
    window.log.length = 0;
    window.savedDocument.fire({ uri: file });
    await until(() => window.log.join('\n'), (log) => log.includes('the sheet that was chosen is gone')); // prettier-ignore
    assert.equal(await count(), before, 'what is kept up to date is not of another sheet either');
    await extension.app.kept.keep(file.toString(), false);
  });

  it('uses only the named columns', async () => {
    const { client } = await extension.app.connection.ready();
    const series = Array.from({ length: 40 }, (_, i) => ({
      timestamp: new Date(Date.UTC(2020, i)).toISOString(),
      ...(i < 36 ? { value: seasonal(i) + (i % 5 === 0 ? 30 : 0) } : {}),
      metadata: { covariates: { promotion: i % 5 === 0 ? 1 : 0, price: i } },
    }));
    const { id } = await client.createPrediction({ series, prediction_length: 4, ai_model_id: 'theta' });
    await forecastAgain(extension.app, { serviceId: 'local', predictionId: id }, { covariates: ['promotion'] });
    const named = (await newest()).input_series!.map(({ metadata }) => Object.keys((metadata?.covariates ?? {}) as object)); // prettier-ignore
    assert.deepEqual([...new Set(named.flat())], ['promotion']);
    await forecastAgain(extension.app, { serviceId: 'local', predictionId: id }, { covariates: [] });
    const plain = (await newest()).input_series!;
    assert.deepEqual([plain.length, plain.every(({ metadata }) => metadata?.covariates === undefined)], [36, true]);
  });
});
