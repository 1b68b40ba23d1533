import assert from 'node:assert/strict';
import path from 'node:path';
import type { PreparedToolInvocation } from 'vscode';
import { VIEWS } from '../../../../src/editor/names.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';
import { CancellationError, EventEmitter, type LanguageModelToolResult, type MarkdownString } from '../workbench/values.ts'; // prettier-ignore

interface RegisteredTool {
  readonly prepareInvocation: (call: { input: unknown }) => Promise<PreparedToolInvocation>;
  readonly invoke: (call: { input: unknown }, token: unknown) => Promise<LanguageModelToolResult>;
}

describe('language model tools in the editor', () => {
  const extension = new Extension();
  beforeEach(() => {
    extension.window.root = path.join(extension.folder, 'open');
    extension.window.moreRoots.length = 0;
  });
  afterEach(() => {
    extension.window.root = undefined;
    extension.window.setSetting('forecasts.service', undefined);
  });

  const tool = (name: string) => extension.window.tools.get(`forecasts_${name}`) as RegisteredTool;
  const asked = async (name: string, input: unknown) => {
    const { confirmationMessages, invocationMessage } = await tool(name).prepareInvocation({ input });
    const textOf = (one: unknown) => (one as MarkdownString | undefined)?.value.replaceAll('\\', '');
    return { says: textOf(invocationMessage), asks: textOf(confirmationMessages?.message) };
  };
  const done = async (name: string, input: unknown, cancelled = new EventEmitter<void>().event) => {
    const { content } = await tool(name).invoke({ input }, { onCancellationRequested: cancelled });
    return content.map(({ value }) => value).join('\n');
  };
  const sales = (name = 'open/sales.csv') => extension.file(name, months(36, { sales: seasonal }));

  it('forecast a file of the open folder without a question, and name the number of rows', async () => {
    sales();
    const { says, asks } = await asked('forecast_series', { file: 'sales.csv' });
    assert.equal(says, 'Forecast Series: 36 rows of sales.csv, by Local forecasts');
    assert.equal(asks, undefined);
    const answer = await done('forecast_series', { file: 'sales.csv', horizon: 3 });
    assert.match(answer, /vscode:\/\/time-series-forecasts\.time-series-forecasts\/prediction\?service=local&id=prediction_/); // prettier-ignore
    const tree = extension.app.trees.get(VIEWS.predictions)!;
    const [node] = await tree.getChildren();
    assert.equal(tree.getTreeItem(node).label, 'sales.csv');
    assert.equal(extension.app.memory.recall('local', 'item' in node ? node.item.id : '')?.byAgent, true);
  });

  it('keep the service that they began with, although another one is in use before they end', async () => {
    sales();
    const { client } = extension.app.connection.inUse;
    const { createPrediction } = client;
    client.createPrediction = (...request) => {
      extension.window.setSetting('forecasts.service', 'https://forecasts.example.com/v1');
      return createPrediction.apply(client, request);
    };
    const answer = await done('forecast_series', { file: 'sales.csv', horizon: 3 });
    Reflect.deleteProperty(client, 'createPrediction');
    const [, id] = /service=local&id=(\w+)/.exec(answer) ?? [];
    assert.equal(extension.app.memory.recall('local', id)?.byAgent, true);
  });

  it('confirm before they read a file outside the open folders', async () => {
    const uri = sales('private/diary.csv');
    const { says, asks } = await asked('inspect_series_file', { file: uri.fsPath });
    assert.equal(says, 'Inspect Series File');
    assert.equal(asks, `${uri.fsPath} is outside the open folders.`);
    const { says: sends } = await asked('forecast_series', { file: uri.fsPath });
    assert.doesNotMatch(sends ?? '', /36 rows/);
    assert.equal((await asked('inspect_series_file', { file: 'open/../../private/diary.csv' })).asks?.endsWith('outside the open folders.'), true); // prettier-ignore
  });

  it('confirm before anything goes to a remote service, with what and where', async () => {
    sales();
    extension.window.setSetting('forecasts.service', 'https://forecasts.example.com/v1');
    const { asks } = await asked('forecast_series', { file: 'sales.csv' });
    assert.equal(asks, 'This will be sent to forecasts.example.com: 36 rows of sales.csv.');
    assert.match((await asked('forecast_series', { values: [1, 2, 3] })).asks ?? '', /: 3 values\.$/);
    assert.equal((await asked('inspect_series_file', { file: 'sales.csv' })).asks, undefined, 'what stays here does not ask'); // prettier-ignore
  });

  it('confirm before a training, and mark the model as made by an agent', async () => {
    sales();
    const { asks } = await asked('create_fine_tuned_model', { file: 'sales.csv' });
    assert.equal(asks, 'A model is trained on 36 rows of sales.csv by Local forecasts. This may take minutes.');
    const answer = await done('create_fine_tuned_model', { file: 'sales.csv', base_model: 'theta' });
    assert.match(answer, /^Started to train a model from theta on sales\.csv/);
    const [model] = (await extension.app.connection.inUse.client.list('listFineTunedModels')).items;
    assert.deepEqual([model.base_model, model.requested_by], ['theta', 'agent']);
    assert.equal(extension.app.memory.recall('local', model.id)?.byAgent, true);
  });

  it('make no links from file names', async () => {
    const { confirmationMessages } = await tool('inspect_series_file').prepareInvocation({
      input: { file: '/elsewhere/[all is well](command:evil).csv' },
    });
    assert.doesNotMatch((confirmationMessages?.message as unknown as MarkdownString).value, /[^\\]\]\(/);
  });

  it('find a file by name in several folders, and say that no folder is open', async () => {
    sales('beside/sales.csv');
    extension.window.moreRoots.push(path.join(extension.folder, 'beside'));
    assert.match(await done('inspect_series_file', { file: 'beside/sales.csv' }), /sales/);
    assert.equal((await asked('inspect_series_file', { file: 'beside/sales.csv' })).asks, undefined);
    extension.window.root = undefined;
    const answer = await done('inspect_series_file', { file: 'sales.csv' });
    assert.equal(answer, 'This did not work. No folder is open, so the relative path “sales.csv” cannot be resolved. Give an absolute path.'); // prettier-ignore
    assert.match((await asked('inspect_series_file', { file: 'sales.csv' })).asks ?? '', /outside the open folders/);
  });

  it('explain an invalid file or input', async () => {
    extension.file('open/empty.csv', '');
    assert.match(await done('forecast_series', { file: 'empty.csv' }), /^This did not work\. .*empty\.csv is empty/);
    assert.match(await done('forecast_series', { file: 'none.csv' }), /^This did not work\. .*none\.csv/);
    assert.match(await done('forecast_series', { horizon: -3 }), /^This did not work\. .*horizon/);
    assert.match((await asked('forecast_series', { file: 'none.csv' })).says ?? '', /none\.csv/);
  });

  it('end as cancelled when the person stops them', async () => {
    sales();
    const cancelled = new EventEmitter<void>();
    const event: typeof cancelled.event = (listener) => {
      listener();
      return cancelled.event(listener);
    };
    await assert.rejects(done('forecast_series', { file: 'sales.csv' }, event), CancellationError);
    assert.ok(!extension.window.log.some((line) => line.startsWith('error ')), extension.window.log.join('\n'));
  });

  it('report a defect as one, and log it', async () => {
    const { reader } = extension.app;
    reader.read = () => Promise.reject(new Error('a defect of the tests'));
    try {
      await assert.rejects(
        done('inspect_series_file', { file: sales().fsPath }),
        /^Error: Inspect Series File failed because of a bug in this extension\. See its log for details\.$/,
      );
      assert.match(extension.window.log.join('\n'), /error inspect_series_file: Error: a defect of the tests/);
    } finally {
      Reflect.deleteProperty(reader, 'read');
    }
  });
});
