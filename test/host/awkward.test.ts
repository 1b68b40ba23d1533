import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, VIEWS } from '../../src/editor/names.ts';
import { type AwkwardService, type Personality, startAwkwardService } from '../harness/awkward.ts';
import type { Node } from '../../src/editor/views/tree/kinds.ts';
import { extension, file, messages, sample, set, until, tabOpened } from './support.ts';

describe('Unknown services', () => {
  let service: AwkwardService;

  before(async () => {
    service = await startAwkwardService();
    const { app } = await extension();
    await app.tokens.set(new URL(service.base('quoted')).origin, service.token);
  });
  after(async () => {
    const { app } = await extension();
    await app.tokens.delete(new URL(service.base('quoted')).origin);
    await set('forecasts.service', undefined);
    await service.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  async function use(personality: Personality) {
    const { app } = await extension();
    await set('forecasts.service', service.base(personality));
    await until(
      () => app.connection.current.id,
      (id) => id.endsWith(`/${personality}`),
      'the service is in use',
    );
    // nothing describes these services, so that their first forecast would ask for a model
    app.memory.chooseModel(app.connection.current.id, 'house-model');
    return app;
  }

  async function nodes(view: keyof typeof VIEWS): Promise<Node[]> {
    const { app } = await extension();
    return (await app.trees.get(VIEWS[view])?.getChildren()) ?? [];
  }

  const labels = async (view: keyof typeof VIEWS) => {
    const { app } = await extension();
    return (await nodes(view)).map((node) => String(app.trees.get(VIEWS[view])?.getTreeItem(node).label));
  };

  it('loads more rows and keeps the position after a refresh', async () => {
    const app = await use('quoted');
    const client = app.connection.inUse.client;
    const { list } = client;
    client.list = (name, query, ...more) => list.call(client, name, { ...query, size: 3 }, ...more) as never;
    const tree = app.trees.get(VIEWS.datasets);
    assert.ok(tree);
    const first = await nodes('datasets');
    assert.deepEqual(
      first.map((node) => node.id.slice(0, 4)),
      ['d0', 'd1', 'd2', 'more'],
    );
    await vscode.commands.executeCommand(COMMANDS.loadMore, first[3]);
    assert.equal((await nodes('datasets')).length, 7);
    await vscode.commands.executeCommand(COMMANDS.refresh);
    assert.equal((await nodes('datasets')).length, 7);
    Object.assign(client, { list });
  });

  it('shows sparse resources and says which it cannot read', async () => {
    await use('sparse');
    const datasets = await labels('datasets');
    assert.deepEqual(datasets.slice(0, 2), ['Dataset d1', 'Dataset d2']);
    assert.match(datasets[2], /1 more do not have the expected format/);
    assert.deepEqual((await labels('predictions')).length, 3);
  });

  it('never shows the secret of a key', async () => {
    const app = await use('quoted');
    const tree = app.trees.get(VIEWS.keys);
    const painted = (await nodes('keys')).map((node) => {
      const { label, description, tooltip, contextValue, accessibilityInformation } = tree!.getTreeItem(node);
      return JSON.stringify({
        label,
        description,
        tooltip: (tooltip as vscode.MarkdownString).value,
        contextValue,
        accessibilityInformation,
      });
    });
    assert.equal(painted.length, 2);
    for (const text of painted) assert.doesNotMatch(text, /awkward-secret/);
  });

  it('knows models from earlier requests and from predictions', async () => {
    const app = await use('quoted');
    await vscode.commands.executeCommand(COMMANDS.forecast, sample('air-passengers.csv'));
    const made = await app.connection.inUse.client.createFineTunedModel({ base_model: 'house-model', name: 'x' });
    await app.madeModels.keep(app.connection.current.id, made);
    await vscode.commands.executeCommand(COMMANDS.refresh);
    const tree = app.trees.get(VIEWS.models);
    const words = (await nodes('models')).map((node) => {
      const item = tree!.getTreeItem(node);
      return `${String(item.label)}: ${String(item.description)}`;
    });
    assert.equal(words.length, 2, words.join('\n'));
    assert.match(words[0], /fine-tuned · queued as of \d\d:\d\d; this service reports no newer status/);
    assert.match(words[1], /^house-model: last used on air-passengers\.csv · just now$/);
  });

  it('receives series one by one if it accepts no more at a time', async () => {
    await use('quoted');
    const rows = ['a', 'b', 'c'].flatMap((id) => Array.from({ length: 12 }, (_, i) => `${id},2024-01-${i + 10},${i}`));
    const uri = await file('three.csv', `id,day,value\n${rows.join('\n')}\n`);
    const before = service.requests.length;
    await vscode.commands.executeCommand('forecasts.forecastAll', uri);
    await tabOpened('Forecasts: three.csv');
    const posts = service.requests.slice(before).filter(({ method }) => method === 'POST');
    assert.equal(posts.length, 3);
  });

  it('follows a queued prediction in its chart and in the view', async () => {
    const app = await use('slow');
    await vscode.commands.executeCommand(COMMANDS.forecast, sample('air-passengers.csv'));
    await vscode.commands.executeCommand(`${VIEWS.predictions}.focus`);
    await until(
      async () =>
        (await nodes('predictions')).map((node) => (node.kind === 'prediction' ? node.item.status : node.kind)),
      (statuses) => statuses[0] === 'COMPLETED',
      'the prediction is done in the view',
    );
    assert.ok(app);
  });

  it('says in one sentence what is wrong with a service', async () => {
    const cases: [Personality, RegExp][] = [
      ['html', /returned a web page/],
      ['broken', /failed \(500\)/],
      ['redirect', /redirects to http:\/\/127\.0\.0\.1:9\. The token was not sent there/],
    ];
    for (const [personality, sentence] of cases) {
      await use(personality);
      const shown = await messages(() =>
        vscode.commands.executeCommand(COMMANDS.forecast, sample('air-passengers.csv')),
      );
      assert.equal(shown.length, 1, personality);
      assert.match(shown[0].text, sentence);
      const [problem] = await labels('datasets');
      assert.match(problem, sentence);
      const [row] = await nodes('datasets');
      const explained = await messages(() => vscode.commands.executeCommand(COMMANDS.explainProblem, row));
      assert.match(explained[0].text, sentence);
      assert.equal(explained[0].buttons[0], 'Try Again');
    }
  });

  it('makes no link of text from a file or a service', async () => {
    await use('quoted');
    const uri = await file(
      'link.csv',
      'month,value\n2024-01,1\n2024-02,[oops](command:workbench.action.closeWindow)\n2024-03,3\n2024-04,4\n',
    );
    const shown = await messages(() => vscode.commands.executeCommand(COMMANDS.forecast, uri));
    assert.match(shown[0].text, /oops/);
    assert.doesNotMatch(shown[0].text, /\]\(/);
  });

  it('checks a service from the palette', async () => {
    await use('quoted');
    await vscode.commands.executeCommand('forecasts.checkService');
    const shown = () =>
      vscode.workspace.textDocuments
        .filter(({ uri }) => uri.scheme === 'output')
        .map((one) => one.getText())
        .join('\n');
    const text = await until(shown, (all) => /Not tested: creating a prediction/.test(all), 'the report');
    assert.match(text, /Everything that was tested works[^]*Not tested: creating a prediction/);
    assert.doesNotMatch(text, /awkward-(token|secret)/);
    assert.deepEqual(service.created.filter((one) => one === 'quoted fine_tuned_models').length, 1);
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });
});
