import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { CommandName } from '../../src/editor/commands.ts';
import { COMMANDS, VIEWS } from '../../src/editor/names.ts';
import type { Node } from '../../src/editor/views/tree/kinds.ts';
import { type StrictService, startStrictService } from '../harness/strict.ts';
import { answering, extension, file, inNewest, messages, remoteService, set, until, tabOpened } from './support.ts';

/** What differs between an ordinary service and the local one over HTTP. */
interface Toured {
  readonly name: string;
  readonly url: string;
  readonly token: string;
  readonly strict: StrictService | undefined;
  readonly close: () => Promise<void>;
}

const monthly = (value: (month: number) => unknown, count = 24) =>
  Array.from({ length: count }, (_, month) => {
    const day = new Date(Date.UTC(2022, month, 1)).toISOString().slice(0, 10);
    return `${day},${String(value(month))}`;
  });

const ORDINARY = 'an ordinary service';
const CASES = {
  [ORDINARY]: async (): Promise<Toured> => {
    const strict = await startStrictService();
    return { name: 'Ordinary', url: strict.url, token: strict.token, strict, close: strict.close };
  },
  'the local service over HTTP': async (): Promise<Toured> => {
    const { url, token, close } = await remoteService((await extension()).folder);
    return { name: 'Far', url, token, strict: undefined, close };
  },
};

for (const [title, start] of Object.entries(CASES)) {
  const suite = title === ORDINARY ? describe : inNewest;
  suite(`Tour of ${title}`, () => {
    let toured: Toured;

    before(async () => {
      toured = await start();
    });
    after(async () => {
      for (const name of ['service', 'remoteServices']) await set(`forecasts.${name}`, undefined);
      await toured.close();
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });

    const run = (command: CommandName, ...args: unknown[]) =>
      vscode.commands.executeCommand(`forecasts.${command}`, ...args);
    const tree = async (view: keyof typeof VIEWS) => (await extension()).app.trees.get(VIEWS[view])!;
    const nodes = async (view: keyof typeof VIEWS): Promise<Node[]> => (await tree(view)).getChildren();
    const painted = async (view: keyof typeof VIEWS) => {
      const of = await tree(view);
      return (await nodes(view)).map((node) => {
        const { label, description } = of.getTreeItem(node);
        return `${String(label)}: ${String(description)}`;
      });
    };
    /** The newest prediction once it has ended. */
    const newest = async (label: string) => {
      const { app } = await extension();
      const { client, info } = app.connection.inUse;
      return until(
        async () => (await client.listPredictions({ size: 5 })).items[0],
        (item) =>
          item !== undefined &&
          ['COMPLETED', 'FAILED'].includes(item.status) &&
          app.memory.recall(info.id, item.id)?.label === label,
        label,
      );
    };

    it('is added only once a token is accepted; a wrong token is reported and asked for again', async () => {
      const { app } = await extension();
      const settled: string[] = [];
      const watching = app.connection.onDidChange(() => settled.push(app.connection.current.name));
      const shown = await messages(
        () =>
          answering([['$(add) Add a remote service…'], toured.url, toured.name, 'not-the-token', toured.token], () =>
            run('switchService'),
          ),
        'Enter Another',
      );
      watching.dispose();
      assert.match(shown[0].text, /does not accept the token/);
      assert.equal(shown[0].buttons[0], 'Enter Another');
      assert.equal(app.connection.current.name, toured.name);
      for (const name of settled) assert.ok(['Local forecasts', toured.name].includes(name), name);
      assert.equal(await app.connection.missing(), undefined);
    });

    it('fills four views page by page', async () => {
      for (const view of Object.keys(VIEWS) as (keyof typeof VIEWS)[]) {
        for (const node of await nodes(view)) assert.notEqual(node.kind, 'problem', JSON.stringify(node));
      }
      if (!toured.strict) return;
      for (const count of [50, 100, 130]) {
        const listed = await nodes('datasets');
        assert.equal(listed.filter(({ kind }) => kind === 'dataset').length, count);
        const more = listed.at(-1);
        if (more?.kind === 'more') await vscode.commands.executeCommand(COMMANDS.loadMore, more);
      }
      const keys = await nodes('keys');
      const words = await Promise.all(keys.map(async (node) => (await tree('keys')).getTreeItem(node).contextValue));
      assert.deepEqual(words.toSorted(), ['key secret', 'key secret active']);
    });

    it('forecasts a file with gaps and asks for a model once if required', async () => {
      const uri = await file(
        'gaps.csv',
        `month,value\n${monthly((i) => (i === 3 || i === 9 ? '' : 100 + i)).join('\n')}\n`,
      );
      const asked = await answering(toured.strict ? [['Another model…'], 'chronos-small'] : [], () =>
        run('forecast', uri),
      );
      assert.equal(asked.length, toured.strict ? 2 : 0, JSON.stringify(asked));
      assert.ok(!asked[0]?.labels.includes('The service’s default model'));
      const done = await newest('gaps.csv');
      assert.equal(done.status, 'COMPLETED');
      const { app } = await extension();
      const texts = app.memory.recall(app.connection.current.id, done.id)?.remarks?.map(({ text }) => text) ?? [];
      const isTold = texts.some((text) => /Points without a value were left out .*: 2/.test(text));
      assert.equal(isTold, toured.strict !== undefined, texts.join());
      const again = await answering([], () => run('forecast', uri));
      assert.equal(again.length, 0, 'the model is remembered');
      await newest('gaps.csv');
    });

    it('forecasts a selection and all series of a file', async () => {
      const rows = ['a', 'b'].flatMap((id) => monthly((i) => 10 + (i % 12)).map((row) => `${id},${row}`));
      const both = await file('two.csv', `id,month,value\n${rows.join('\n')}\n`);
      await run('forecastAll', both);
      await tabOpened('Forecasts: two.csv');
      const one = await file('part.csv', `month,value\n${monthly((i) => i + 1).join('\n')}\n`);
      const editor = await vscode.window.showTextDocument(one);
      editor.selection = new vscode.Selection(1, 0, 13, 0);
      await run('forecastSelection');
      assert.equal((await newest('part.csv, lines 2–13')).input_series?.length, 12);
    });

    it('trains on a file, on a dataset and on tags', async () => {
      const { app } = await extension();
      const base = toured.strict ? [['Another model…'], 'chronos-small'] : [['Theta']];
      const uri = await file('train.csv', `month,value\n${monthly((i) => i + 1).join('\n')}\n`);
      const asked = await answering([...base, [], 'from a file'], () => run('createFineTunedModel', uri));
      assert.ok(!asked[0].labels.includes('The service’s default model'));
      if (!toured.strict)
        await app.connection.inUse.client.do('createDataset', {
          body: {
            name: 'd',
            tags: ['retail'],
            series: [
              {
                series: monthly((i) => i).map((row) => ({
                  timestamp: `${row.slice(0, 10)}T00:00:00Z`,
                  value: Number(row.slice(11)),
                })),
              },
            ],
          },
        });
      const { items } = await app.connection.inUse.client.listDatasets({ size: 10 });
      const name = items[0].name ?? `Dataset ${items[0].id.slice(-6)}`;
      await answering([['$(database) Datasets of the service…'], [name], ...base, [], 'from a dataset'], () =>
        run('createFineTunedModel'),
      );
      await answering([['$(database) Datasets of the service…'], ['retail'], ...base, [], 'from tags'], () =>
        run('createFineTunedModel'),
      );
      const models = (await painted('models')).join('\n');
      for (const label of ['from a file', 'from a dataset', 'from tags'])
        assert.match(models, new RegExp(`${label}: fine-tuned`));
    });

    const itOfOrdinary = (what: string, test: (strict: StrictService) => Promise<void>) => {
      if (title === ORDINARY) it(what, () => test(toured.strict!));
    };

    itOfOrdinary('learns of a model what a forecast with it tells', async (strict) => {
      const { app } = await extension();
      const { info } = app.connection.inUse;
      assert.match(
        (await painted('models')).join('\n'),
        /queued as of \d\d:\d\d; this service reports no newer status/,
      );
      const [model] = app.madeModels.of(info.id);
      await until(
        () => Date.now() - strict.models.at(-1)!.from,
        (age) => age > strict.mood.work,
        'trained',
      );
      const uri = await file('tuned.csv', `month,value\n${monthly((i) => i + 1).join('\n')}\n`);
      const { showOpenDialog } = vscode.window;
      vscode.window.showOpenDialog = () => Promise.resolve([uri]);
      // files of the workspace would be offered first
      const { findFiles } = vscode.workspace;
      vscode.workspace.findFiles = () => Promise.resolve([]);
      try {
        await run('forecast', { serviceId: info.id, modelId: model.model.id });
        assert.equal(
          app.madeModels.of(info.id).find((one) => one.model.id === model.model.id)?.model.status,
          'COMPLETED',
        );
        strict.models.splice(0);
        // what was forecast before would be shown again
        await file('tuned.csv', `month,value\n${monthly((i) => i + 2).join('\n')}\n`);
        const gone = app.madeModels.of(info.id)[0].model.id;
        const shown = await messages(() => run('forecast', { serviceId: info.id, modelId: gone }));
        assert.equal(shown[0].buttons[0], 'Choose a Model…');
        assert.ok(!app.madeModels.of(info.id).some((one) => one.model.id === gone), 'it has left the list');
      } finally {
        vscode.window.showOpenDialog = showOpenDialog;
        vscode.workspace.findFiles = findFiles;
      }
    });

    itOfOrdinary('says of a forecast that FAILED what it had, and makes it again', async (strict) => {
      const uri = await file('short.csv', 'month,value\n2024-01,1\n2024-02,2\n2024-03,3\n');
      await run('forecast', uri);
      const failed = await newest('short.csv');
      assert.equal(failed.status, 'FAILED');
      const before = strict.predictions.length;
      const { info } = (await extension()).app.connection.inUse;
      await run('forecastAgain', { serviceId: info.id, predictionId: failed.id });
      assert.equal(strict.predictions.length, before + 1);
    });

    itOfOrdinary('says above its list that it is away and since when, and is back by itself', async (strict) => {
      await vscode.commands.executeCommand(`${VIEWS.predictions}.focus`);
      const { view } = await tree('predictions');
      const listed = (await nodes('predictions')).length;
      await strict.down();
      await run('refresh');
      assert.match(view.message ?? '', /cannot be reached: .* This list was read just now\./);
      assert.equal((await nodes('predictions')).length, listed, 'the list stays');
      const uri = await file('away.csv', `month,value\n${monthly((i) => i + 1).join('\n')}\n`);
      const [failure] = await messages(() => run('forecast', uri));
      assert.equal(failure.buttons[0], 'Try Again');
      await strict.up();
      await until(
        () => view.message,
        (message) => message === undefined,
        'the service is back',
      );
    });

    it('signs out and is removed', async () => {
      const { app } = await extension();
      await run('signOut');
      assert.equal(await app.connection.missing(), 'token');
      const { showWarningMessage } = vscode.window;
      const press = (_text: string, _options: unknown, button: string) => Promise.resolve(button);
      vscode.window.showWarningMessage = press as unknown as typeof showWarningMessage;
      try {
        await answering([['$(trash) Remove a remote service…'], [`$(cloud) ${toured.name}`]], () =>
          run('switchService'),
        );
      } finally {
        vscode.window.showWarningMessage = showWarningMessage;
      }
      assert.equal(app.connection.current.kind, 'local');
      assert.equal(app.connection.all.length, 1);
    });
  });
}
