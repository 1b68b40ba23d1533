import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/editor/names.ts';
import { answering, extension, file, inNewest, messages, remoteService, sample, set, until } from './support.ts';

type Answers = Parameters<typeof answering>[0];

const BACK = { button: 'Back' };
const create = (uri?: vscode.Uri) => vscode.commands.executeCommand(COMMANDS.createFineTunedModel, uri);
const closeAll = () => vscode.commands.executeCommand('workbench.action.closeAllEditors');

/** What was asked and said while a model was to be made, with a button to press on what is said. */
async function wizard(answers: Answers, uri?: vscode.Uri, press?: string) {
  let asked: Awaited<ReturnType<typeof answering>> = [];
  const said = await messages(async () => {
    asked = await answering(answers, () => create(uri));
  }, press);
  return { asked, said, prompts: asked.map(({ placeholder }) => placeholder) };
}

async function newestModel() {
  const { app } = await extension();
  return (await app.connection.inUse.client.list('listFineTunedModels', { size: 1 })).items[0];
}

inNewest('Create Fine-Tuned Model', () => {
  afterEach(closeAll);

  it('stores its dataset once if the model is refused and returns to the answers', async () => {
    const { app } = await extension();
    const client = app.connection.inUse.client;
    const datasets = async () => (await client.listDatasets({ size: 1 }, true)).total;
    const before = await datasets();
    const original = client.createFineTunedModel.bind(client);
    let sent = 0;
    client.createFineTunedModel = async (request, signal) => {
      assert.equal(await datasets(), before! + 1);
      return original(sent++ > 0 ? request : { ...request, base_model: 'nobody' }, signal);
    };
    try {
      const answers = [undefined, ['Theta'], ['Epochs'], '900', 'mine', BACK, '3', undefined];
      const { asked, said, prompts } = await wizard(answers, sample('retail-long.csv'), 'Change Answers');
      assert.equal(said.length, 1);
      assert.match(
        said[0].text,
        /^The local service does not have what was requested\. It says: “Base model: There is no .*“nobody”/,
      );
      assert.deepEqual(said[0].buttons, ['Change Answers']);
      assert.match(prompts[5], /called\?/);
      assert.equal(asked[5].value, 'mine');
      assert.match(prompts[6], /passes over/);
      assert.equal(asked[6].value, '900');
      assert.equal(asked[7].value, 'mine');
      assert.equal(await datasets(), before! + 1);
      const model = await newestModel();
      assert.equal(model.name, 'mine');
      assert.equal(model.config?.max_epochs, 3);
    } finally {
      client.createFineTunedModel = original;
    }
  });

  it('leaves no dataset behind if the person cancels', async () => {
    const { app } = await extension();
    const client = app.connection.inUse.client;
    const before = (await client.listDatasets({ size: 1 })).total;
    const original = client.createFineTunedModel.bind(client);
    client.createFineTunedModel = (request) => original({ ...request, base_model: 'nobody' });
    try {
      await wizard([undefined, ['Theta'], [], 'x'], sample('retail-long.csv'));
    } finally {
      client.createFineTunedModel = original;
    }
    assert.equal((await client.listDatasets({ size: 1 })).total, before);
  });

  it('asks for at least the context that the base model needs', async () => {
    for (const [base, text, refusal] of [
      ['Hybrid', '5', 'Enter a whole number from 6 to 1000000.'],
      ['Theta', '3', 'Enter a whole number from 4 to 1000000.'],
    ]) {
      const { asked } = await wizard([undefined, [base], ['Context length'], text], sample('retail-long.csv'));
      assert.equal(asked[3].refusal, refusal);
      assert.equal(asked.length, 4);
    }
  });

  it('goes back one input at a time and keeps the answers', async () => {
    const answers = [['Theta'], ['Horizon', 'Epochs'], '7', BACK, '8', '2', BACK, BACK, BACK, undefined];
    const { asked, prompts } = await wizard(answers, sample('air-passengers.csv'));
    assert.match(prompts[1], /Which settings/);
    assert.match(prompts[2], /Number of steps/);
    assert.match(prompts[3], /passes over/);
    assert.match(prompts[4], /Number of steps/);
    assert.equal(asked[4].value, '7');
    assert.match(prompts[6], /called\?/);
    assert.equal(asked[7].value, '2');
    assert.equal(asked[8].value, '8');
    assert.match(prompts[9], /Which settings/);
    assert.deepEqual(asked[9].picked, ['Horizon', 'Epochs']);
    assert.deepEqual(
      asked.slice(0, 4).map(({ step }) => step),
      ['1/3', '2/3', '3/5', '4/5'],
    );
    // the service has no model with position encoding
    assert.equal(asked[1].labels.includes('Position scaling'), false);
  });

  it('accepts tags of a dataset and goes back from them', async () => {
    const { app } = await extension();
    const series = Array.from({ length: 30 }, (_, month) => ({
      timestamp: new Date(Date.UTC(2020, month, 1)).toISOString(),
      value: month,
    }));
    await app.connection.inUse.client.do('createDataset', {
      body: { name: 'tagged', tags: ['shop'], series: [{ series }] },
    });
    const tags = ['$(database) Datasets of the service…'];
    const back = await wizard([tags, BACK, tags, ['shop'], BACK, undefined]);
    assert.match(back.prompts[2], /What should the model be trained on/);
    assert.deepEqual(back.asked[2].picked, tags);
    assert.match(back.prompts[4], /Which base model/);
    assert.deepEqual(back.asked[5].picked, ['shop']);
  });

  it('offers to treat cells that are no numbers as missing', async () => {
    const rows = Array.from(
      { length: 40 },
      (_, i) => `${2015 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
    );
    const text = `month,value\n${rows.map((month, i) => `${month},${i === 20 ? 'n/a?' : i}`).join('\n')}\n`;
    const uri = await file('odd-cell.csv', text);
    const { said } = await wizard([['Theta'], [], 'from odd cells'], uri, 'Treat as Missing');
    assert.equal(said.length, 1);
    assert.match(said[0].text, /odd-cell\.csv, line 22.*“n\/a\?”/);
    assert.deepEqual(said[0].buttons, ['Treat as Missing', 'Show Line']);
    const model = await newestModel();
    assert.equal(model.name, 'from odd cells');
    // lists leave the points out
    const { app } = await extension();
    const { input_config } = await app.connection.inUse.client.do('getFineTunedModel', { id: model.id });
    assert.equal(input_config?.series?.length, 40);
    await vscode.commands.executeCommand('forecasts.clearProblems');
  });

  it('suggests the horizon that the service chose for the model', async () => {
    const { app } = await extension();
    const client = app.connection.inUse.client;
    const original = client.list.bind(client);
    const model = {
      id: 'm',
      status: 'COMPLETED',
      name: 'Chosen',
      base_model: 'theta',
      config: { prediction_length: 9 },
    };
    const horizons: [unknown, string][] = [
      [{ ...model, horizon: 17 }, '17'],
      [model, '9'],
    ];
    try {
      for (const [item, value] of horizons) {
        client.list = async (name, ...rest) => {
          const page = await original(name, ...rest);
          return name === 'listFineTunedModels' ? { ...page, items: [item as (typeof page.items)[0]] } : page;
        };
        const options = () =>
          vscode.commands.executeCommand('forecasts.forecastWithOptions', sample('air-passengers.csv'));
        const asked = await answering([['Chosen'], ['Not negative']], options);
        assert.equal(asked[2].value, value);
      }
    } finally {
      client.list = original;
    }
  });
});

inNewest('Create Fine-Tuned Model with a remote service', () => {
  let remote: Awaited<ReturnType<typeof remoteService>>;

  before(async () => {
    const { app, folder } = await extension();
    remote = await remoteService(folder);
    await app.tokens.set(new URL(remote.url).origin, remote.token);
    await set('forecasts.service', remote.url);
    await until(
      () => app.connection.missing(),
      (missing) => missing === undefined,
      'the service is in use',
    );
  });
  after(async () => {
    const { app } = await extension();
    await set('forecasts.service', undefined);
    await app.tokens.delete(new URL(remote.url).origin);
    await remote.close();
  });

  it('offers position scaling', async () => {
    const { asked } = await wizard([['Theta'], ['Position scaling'], ['Yes'], BACK], sample('air-passengers.csv'));
    assert.ok(asked[1].labels.includes('Position scaling'));
    assert.deepEqual(asked[4].picked, ['Yes']);
  });

  it('says that there are no datasets and asks for another source', async () => {
    const { prompts } = await wizard([['$(database) Datasets of the service…'], BACK, undefined]);
    assert.equal(prompts[0], prompts[2]);
    assert.match(prompts[1], /^The service has no datasets yet/);
  });
});
