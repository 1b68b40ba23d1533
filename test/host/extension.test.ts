import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, settingId, VIEWS } from '../../src/editor/names.ts';
import { extension, file, messages, remoteService, sample, set, tabOpened, until } from './support.ts';

const chartTabs = () =>
  vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => tab.input instanceof vscode.TabInputWebview && tab.input.viewType.includes('forecasts.chart'));

const closeAll = () => vscode.commands.executeCommand('workbench.action.closeAllEditors');

describe('Forecast with the local service', () => {
  afterEach(closeAll);

  it('forecasts a file without a question, shows its chart and lists the prediction', async () => {
    const { app } = await extension();
    await vscode.commands.executeCommand(COMMANDS.forecast, sample('air-passengers.csv'));
    const labels = () => chartTabs().map(({ label }) => label);
    await until(labels, (all) => all.join() === 'Forecast: air-passengers.csv', 'one chart');
    const { items } = await app.connection.inUse.client.listPredictions();
    assert.equal(items[0].status, 'COMPLETED');
    assert.equal(items[0].name, 'air-passengers.csv');
    assert.equal(items[0].input_series?.length, 144);
    assert.equal(items[0].prediction_series?.length, 24);
    const tree = app.trees.get(VIEWS.predictions);
    assert.ok(tree);
    await vscode.commands.executeCommand(`${VIEWS.predictions}.focus`);
    const nodes = await until(
      () => tree.getChildren(),
      (all) => all.length > 0,
      'the view has entries',
    );
    const painted = tree.getTreeItem(nodes[0]);
    assert.equal(painted.label, 'air-passengers.csv');
    assert.match(String(painted.description), /24 months/);
    assert.equal((painted.iconPath as vscode.ThemeIcon).id, 'pass');
  });

  it('uses the unsaved edits of an open editor', async () => {
    const { app } = await extension();
    const uri = await file('edited.csv', 'month,value\n2024-01,1\n2024-02,2\n2024-03,3\n');
    const editor = await vscode.window.showTextDocument(uri);
    await editor.edit((edit) => {
      edit.insert(new vscode.Position(4, 0), '2024-04,4\n');
    });
    await vscode.commands.executeCommand(COMMANDS.forecast, uri);
    await tabOpened('Forecast: edited.csv');
    const { items } = await app.connection.inUse.client.listPredictions();
    assert.equal(items[0].input_series?.length, 4);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('says in one sentence what is wrong with a file, offers a way out, and stores nothing', async () => {
    const { app } = await extension();
    const total = async () => (await app.connection.inUse.client.listPredictions()).total;
    const before = await total();
    const cases: [string, string, RegExp, string][] = [
      ['empty.csv', '', /empty\.csv.*empty/i, 'Open File'],
      ['words.csv', 'a,b\nx,y\nz,w\n', /words\.csv/, 'Open File'],
      [
        'broken.json',
        '[{"timestamp": "2024-01-01", "value": 1},\n {"timestamp": ]',
        /broken\.json, line 2/,
        'Show Line',
      ],
      [
        'letters.csv',
        'month,value\n2024-01,1\n2024-02,n/a?\n2024-03,3\n2024-04,4\n',
        /letters\.csv, line 3.*“n\/a\?”/,
        'Show Line',
      ],
    ];
    for (const [name, content, sentence, way] of cases) {
      const uri = await file(name, content);
      const shown = await messages(() => vscode.commands.executeCommand(COMMANDS.forecast, uri));
      assert.equal(shown.length, 1, name);
      assert.match(shown[0].text, sentence);
      assert.doesNotMatch(shown[0].text, /Error:|undefined|\bat \w+\./);
      assert.ok(shown[0].buttons.includes(way), `${name}: ${shown[0].buttons.join()}`);
      assert.equal(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)), content);
    }
    assert.equal(await total(), before);
    assert.equal(chartTabs().length, 0);
  });

  it('treats cells that are no numbers as missing when the person agrees', async () => {
    const { app } = await extension();
    const uri = sample('letters.csv');
    await messages(() => vscode.commands.executeCommand(COMMANDS.forecast, uri), 'Treat as Missing');
    await tabOpened('Forecast: letters.csv');
    const { items } = await app.connection.inUse.client.listPredictions();
    assert.equal(items[0].name, 'letters.csv');
    assert.deepEqual(
      items[0].input_series?.map((point) => point.value),
      [1, undefined, 3, 4],
    );
  });
});

describe('Remote service', () => {
  let remote: Awaited<ReturnType<typeof remoteService>>;

  before(async () => {
    remote = await remoteService((await extension()).folder);
  });
  after(async () => {
    await set('forecasts.service', undefined);
    await remote.close();
    await closeAll();
  });

  it('gets no request before it has a base URL and a token, and says which is missing', async () => {
    const { app } = await extension();
    await set('forecasts.service', 'Nowhere');
    const noUrl = await messages(() => vscode.commands.executeCommand(COMMANDS.forecast, sample('air-passengers.csv')));
    assert.match(noUrl[0].text, /No service “Nowhere” is set up here/);
    assert.deepEqual(noUrl[0].buttons, ['Switch Service', 'Open Settings']);
    await set('forecasts.service', remote.url);
    await until(
      () => app.connection.missing(),
      (missing) => missing === 'token',
      'the token is missing',
    );
    await app.tokens.set(new URL(remote.url).origin, 'wrong-token');
    const wrong = await messages(() => vscode.commands.executeCommand(COMMANDS.forecast, sample('air-passengers.csv')));
    assert.match(wrong[0].text, /does not accept the token/);
    assert.ok(wrong[0].buttons.includes('Set Token'));
    assert.doesNotMatch(wrong[0].text, /wrong-token/);
  });

  it('forecasts with the token of its origin', async () => {
    const { app } = await extension();
    await app.tokens.set(new URL(remote.url).origin, remote.token);
    await vscode.commands.executeCommand(COMMANDS.forecast, sample('air-passengers.csv'));
    const items = await until(
      async () => (await app.connection.inUse.client.listPredictions()).items,
      ([first]) => first.status === 'COMPLETED',
      'it is done',
    );
    assert.equal(items.length, 1);
    assert.equal(
      (await until(chartTabs, (tabs) => tabs.length === 1, 'one chart'))[0].label,
      'Forecast: air-passengers.csv',
    );
    assert.ok(remote.requests.some((request) => request.method === 'POST' && request.path === '/predictions'));
  });

  it('ignores workspace settings that redirect it', async () => {
    const { app } = await extension();
    const before = remote.requests.length;
    const read = () => vscode.workspace.getConfiguration().get<string>(settingId('exportColumns'));
    assert.equal(read(), 'limits');
    const settings = { [settingId('service')]: 'http://127.0.0.1:9' };
    await file('.vscode/settings.json', JSON.stringify({ ...settings, [settingId('exportColumns')]: 'quantiles' }));
    // what a workspace may set says that its settings were read
    await until(read, (value) => value === 'quantiles', 'the settings of the workspace');
    assert.equal(app.connection.current.id, `${remote.url}/`);
    await app.connection.inUse.client.list('listKeys');
    assert.ok(remote.requests.length > before);
    await vscode.workspace.fs.delete(sample('.vscode'), { recursive: true });
    await until(read, (value) => value === 'limits', 'the settings without those of the workspace');
  });

  it('signs out by deleting the token', async () => {
    const { app } = await extension();
    await vscode.commands.executeCommand('forecasts.signOut');
    assert.equal(await app.connection.missing(), 'token');
  });
});

describe('Fine-tuned models and datasets', () => {
  afterEach(closeAll);

  it('trains on a stored dataset and forecasts with the model', async () => {
    const { app } = await extension();
    const client = app.connection.inUse.client;
    const series = Array.from({ length: 48 }, (_, month) => ({
      timestamp: new Date(Date.UTC(2020, month, 1)).toISOString(),
      value: 100 + month + 10 * Math.sin((month * Math.PI) / 6),
    }));
    const dataset = await client.do('createDataset', {
      body: {
        name: 'two',
        series: [
          { name: 'a', series },
          { name: 'b', series },
        ],
      },
    });
    const made = await client.createFineTunedModel({
      base_model: 'theta',
      input_config: { dataset_ids: [dataset.id] },
      name: 'on two',
    });
    const model = await until(
      () => client.do('getFineTunedModel', { id: made.id }),
      (now) => now.status === 'COMPLETED',
      'trained',
    );
    assert.equal(model.scores?.series, 2);
    const prediction = await client.createPrediction({ series, ai_model_id: model.id });
    assert.equal(prediction.status, 'COMPLETED');
  });
});
