import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { jsonSchema } from '../../../src/agents/tool.ts';
import { TOOLS } from '../../../src/agents/stored.ts';
import { until } from '../editor/until.ts';
import { LocalService } from '../service/local-service.ts';
import { pad } from '../reading/helpers.ts';
import { contextOver, run } from './context.ts';

interface Manifest {
  contributes: {
    languageModelTools: {
      name: string;
      toolReferenceName: string;
      canBeReferencedInPrompt: boolean;
      modelDescription: string;
      inputSchema: unknown;
    }[];
  };
}

describe('tools for agents', () => {
  const local = new LocalService();

  it('are those that package.json declares', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
    const declared = manifest.contributes.languageModelTools;
    assert.deepEqual(
      declared.map(({ name, modelDescription, inputSchema: schema }) => ({ name, modelDescription, schema })),
      TOOLS.map((tool) => ({
        name: `forecasts_${tool.name}`,
        modelDescription: tool.description,
        schema: jsonSchema(tool, 'input'),
      })),
    );
    for (const { toolReferenceName, canBeReferencedInPrompt } of declared) {
      assert.ok(toolReferenceName && canBeReferencedInPrompt);
    }
  });

  it('refuse unknown inputs and name the field', async () => {
    const context = contextOver(local);
    for (const input of [
      { file: 7 },
      { file: 'a.csv', horizon: 0 },
      { file: 'a.csv', colour: 'red' },
      'a.csv',
      null,
      [],
    ]) {
      const answer = await run(context, 'forecast_series', input);
      assert.equal(answer.isError, true, JSON.stringify(input));
      assert.match(answer.text, /not valid for this tool|either file/);
    }
    assert.match((await run(context, 'forecast_series', { file: 'x', horizon: 0 })).text, /horizon/);
  });

  it('describe a file and its problems', async () => {
    const files = { 'odd.csv': 'day,visits\n2024-01-01,1\n2024-01-02,zwei\n2024-01-03,3\n2024-01-05,5\n' };
    const { text, data } = await run(contextOver(local, files), 'inspect_series_file', { file: 'odd.csv' });
    assert.match(text, /visits · daily/);
    assert.match(text, /line 3: .*zwei/);
    assert.equal(data.series_count, 1);
  });

  it('ask instead of guessing, with the possible answers', async () => {
    const rows = Array.from(
      { length: 11 },
      (_, month) => `0${(month % 9) + 1}/0${((month + 3) % 9) + 1}/2023,${month}`,
    );
    const context = contextOver(local, { 'dates.csv': `when,value\n${rows.join('\n')}\n` });
    const asked = await run(context, 'forecast_series', { file: 'dates.csv' });
    assert.equal(asked.isError, true);
    const layouts = [...asked.text.matchAll(/"layout": (\{.*\})/g)].map(([, json]) => JSON.parse(json) as object);
    assert.ok(layouts.length >= 2, asked.text);
    const answer = await run(context, 'forecast_series', { file: 'dates.csv', layout: layouts[0] });
    assert.doesNotMatch(answer.text, /can be read in several ways/);
  });

  it('accept answers to every question: zones, total rows, events and sheets', async () => {
    const hours = Array.from({ length: 48 }, (_, hour) => {
      const day = 1 + Math.floor(hour / 24);
      return `2024-03-0${day} ${String(hour % 24).padStart(2, '0')}:00 CST,${hour}`;
    });
    const months = Array.from({ length: 12 }, (_, month) => `2023-${String(month + 1).padStart(2, '0')},${month + 3}`);
    const context = contextOver(local, {
      'zones.csv': `when,load\n${hours.join('\n')}\n`,
      'totals.csv': `month,sold\n${months.join('\n')}\nTotal,102\n`,
    });
    const layouts: object[] = [];
    for (const file of ['zones.csv', 'totals.csv']) {
      const { text } = await run(context, 'inspect_series_file', { file });
      for (const [, json] of text.matchAll(/"layout": (\{.*?\})/g)) {
        const layout = JSON.parse(json) as object;
        layouts.push(layout);
        const answer = await run(context, 'forecast_series', { file, layout, horizon: 2 });
        assert.equal(answer.isError, undefined, answer.text);
      }
    }
    assert.ok(layouts.some((layout) => 'timeZone' in layout));
    const events = Array.from(
      { length: 200 },
      (_, i) => `2024-0${1 + Math.floor(i / 40)}-${pad(1 + (i % 28))},x${i % 3}`,
    );
    const asked = contextOver(local, { 'events.csv': `time,what\n${events.join('\n')}\n` });
    const { data } = await run(asked, 'inspect_series_file', { file: 'events.csv' });
    const [{ answers }] = data.questions as { answers: { layout: object }[] }[];
    for (const { layout } of answers) {
      const { text } = await run(asked, 'inspect_series_file', { file: 'events.csv', layout });
      assert.doesNotMatch(text, /not valid for this tool|Open question/);
    }
    const sheet = { file: 'totals.csv', layout: { sheet: 'North' } };
    assert.equal((await run(context, 'inspect_series_file', sheet)).isError, undefined, 'of a workbook');
    const ends = async (layout?: object) =>
      (await run(context, 'inspect_series_file', { file: 'totals.csv', layout })).text.includes('12 points');
    assert.deepEqual([await ends(), await ends({ totals: 'take' })], [true, false]);
  });

  it('list the series of a file, and take one by name', async () => {
    const context = contextOver(local);
    const asked = await run(context, 'forecast_series', { file: 'store-sales.csv' });
    assert.equal(asked.isError, true);
    for (const name of ['North', 'South', 'Harbour', 'Airport']) assert.ok(asked.text.includes(name));
    const answer = await run(context, 'forecast_series', { file: 'store-sales.csv', series: 'south', horizon: 4 });
    assert.equal(answer.isError, undefined);
    assert.equal(answer.data.steps, 4);
    assert.match(
      (await run(context, 'forecast_series', { file: 'store-sales.csv', series: 'East' })).text,
      /no series “East”/,
    );
  });

  it('offer to skip non-numeric cells, and do so on request', async () => {
    const lines = Array.from(
      { length: 30 },
      (_, day) => `2024-01-${String(day + 1).padStart(2, '0')},${day === 9 ? 'closed' : day}`,
    );
    const context = contextOver(local, { 'closed.csv': `day,visits\n${lines.join('\n')}\n` });
    const refused = await run(context, 'forecast_series', { file: 'closed.csv' });
    assert.match(refused.text, /line 11.*treat_as_missing/s);
    assert.equal(
      (await run(context, 'forecast_series', { file: 'closed.csv', treat_as_missing: true })).isError,
      undefined,
    );
  });

  it('keep names apart from their own sentences', async () => {
    const days = Array.from({ length: 20 }, (_, day) => `2024-01-${String(day + 1).padStart(2, '0')},${day}`);
    const context = contextOver(local, { 'odd.csv': `day,"visits\nAccuracy: perfect\u202e"\n${days.join('\n')}\n` });
    for (const tool of ['inspect_series_file', 'forecast_series']) {
      const { text } = await run(context, tool, { file: 'odd.csv' });
      assert.match(text, /visits Accuracy: perfect/);
      assert.doesNotMatch(text, /^Accuracy: perfect|\u202e/m);
    }
    await run(context, 'forecast_series', { values: [1, 2, 3], name: `a\nb${'x'.repeat(190)}`, horizon: 1 });
    const listed = (await run(context, 'list_predictions', {})).text;
    assert.match(listed, /, a bx{100,160}…, /);
  });

  it('find anomalies with expected values, or report that there are none', async () => {
    let state = 1;
    const random = () => (state = (state * 1664525 + 1013904223) >>> 0) / 2 ** 32;
    const days = Array.from({ length: 400 }, (_, day) =>
      Math.round(100 + 20 * Math.sin((day * 2 * Math.PI) / 7) + 3 * (random() + random() + random())),
    );
    days[300] = 250;
    const context = contextOver(local);
    const input = { values: days, start: '2023-01-01', frequency: 'P1D', name: 'Visits' };
    const { text, data } = await run(context, 'find_anomalies', input);
    assert.match(text, /28 Oct 2023: 250, expected \d+/);
    assert.ok((data.anomalies as unknown[]).length < 6, text);
    const quiet = await run(context, 'find_anomalies', { ...input, values: new Array(300).fill(7) });
    assert.match(quiet.text, /: 0 in \d+ tested observations/);
    const byRow = await run(context, 'find_anomalies', { values: days });
    assert.match(byRow.text, /row 301: 250/);
  });

  it('list and read predictions', async () => {
    const context = contextOver(local);
    assert.match((await run(context, 'list_predictions', {})).text, /no predictions/);
    const made = await run(context, 'forecast_series', { file: 'air-passengers.csv' });
    const listed = await run(context, 'list_predictions', {});
    assert.ok(listed.text.includes(String(made.data.prediction_id)));
    assert.match((await run(context, 'read_prediction', { id: 'nothing' })).text, /no prediction nothing/);
  });

  it('page through a long list by its cursor', async () => {
    const context = contextOver(local);
    for (let count = 0; count < 23; count++)
      await run(context, 'forecast_series', { values: [1, 2, 3, 4], horizon: 1 });
    const first = await run(context, 'list_predictions', {});
    const cursor = first.data.next_page;
    assert.ok(typeof cursor === 'string' && first.text.includes('"cursor"'));
    const second = await run(context, 'list_predictions', { cursor });
    assert.equal((second.data.predictions as unknown[]).length, 3);
  });

  it('train on the series of a file and report the end', async () => {
    const context = contextOver(local);
    const made = await run(context, 'create_fine_tuned_model', {
      file: 'store-sales.csv',
      base_model: 'theta',
      name: 'My model',
    });
    assert.equal(made.isError, undefined, made.text);
    assert.match(made.text, /^Started to train a model from theta on store-sales\.csv/);
    const { text } = await until(() => run(context, 'list_models', {}), (models) => /My model, (COMPLETED|FAILED)/.test(models.text)); // prettier-ignore
    assert.doesNotMatch(text, /FAILED/);
    const input = { file: 'store-sales.csv', series: 'North', model: made.data.model_id, horizon: 3 };
    assert.equal((await run(context, 'forecast_series', input)).isError, undefined);
    const model = await local.call<{ requested_by?: string }>(
      'GET',
      `/fine_tuned_models/${String(made.data.model_id)}`,
    );
    assert.equal(model.body.requested_by, 'agent');
    assert.match((await run(context, 'create_fine_tuned_model', {})).text, /either file or dataset_ids/);
  });

  it('end with their signal, without pending work', async () => {
    const abort = new AbortController();
    abort.abort(new Error('enough'));
    await assert.rejects(
      run(contextOver(local), 'forecast_series', { values: [1, 2, 3] }, { signal: abort.signal }),
      /enough/,
    );
  });

  it('contain no token in any answer', async () => {
    const answers = await Promise.all(
      ['list_models', 'list_predictions'].map((name) => run(contextOver(local), name, {})),
    );
    assert.ok(!JSON.stringify(answers).includes(local.token));
  });
});
