import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/editor/names.ts';
import { answering, extension, file, messages, sample, until } from './support.ts';

const forecast = (uri: vscode.Uri) => vscode.commands.executeCommand(COMMANDS.forecast, uri);
const problemsOf = (uri: vscode.Uri) =>
  vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Forecasts');
const closeAll = async () => {
  for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
};

async function newest() {
  const { app } = await extension();
  const [prediction] = (await app.connection.inUse.client.listPredictions({ size: 1 })).items;
  return prediction;
}

const valuesOf = async () => (await newest()).input_series?.map(({ value }) => value);

describe('Problems of a file', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('forecasts.clearProblems');
    await closeAll();
  });

  const odd = 'month;value\n2024-01;1\n2024-02;n/a?\n2024-03;3\n2024-04;abc\n2024-05;5\n';

  it('are shown at their cells and disappear when fixed', async () => {
    const uri = await file('odd.csv', odd);
    await messages(() => forecast(uri));
    const found = await until(() => problemsOf(uri), (all) => all.length === 2, 'two problems'); // prettier-ignore
    assert.deepEqual(
      found.map(({ range, severity }) => [range.start.line, range.start.character, range.end.character, severity]),
      [
        [2, 8, 12, vscode.DiagnosticSeverity.Error],
        [4, 8, 11, vscode.DiagnosticSeverity.Error],
      ],
    );
    assert.match(found[0].message, /“n\/a\?” is not a number/);
    const editor = await vscode.window.showTextDocument(uri);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      found[0].range,
    );
    assert.deepEqual(
      actions.map(({ title }) => title),
      ['Treat “n/a?” as missing', 'Treat all 2 cells that are not numbers as missing'],
    );
    await vscode.workspace.applyEdit(actions[1].edit!);
    assert.match(editor.document.getText(), /2024-02;\n2024-03;3\n2024-04;\n/);
    await until(() => problemsOf(uri), (all) => all.length === 0, 'mended'); // prettier-ignore
    await forecast(uri);
    assert.deepEqual(await valuesOf(), [1, undefined, 3, undefined, 5]);
  });

  it('follow the file on disk and disappear with it', async () => {
    const uri = await file('disk.csv', odd);
    await messages(() => forecast(uri));
    await until(() => problemsOf(uri), (all) => all.length === 2, 'two problems'); // prettier-ignore
    // watching a file takes a moment to begin: once a later watcher of it sees it written, the one of the problems does
    let isWatched = false;
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(sample(''), 'disk.csv'), true);
    watcher.onDidChange(() => (isWatched = true));
    const touch = async () => {
      await file('disk.csv', odd);
      return isWatched;
    };
    await until(touch, (seen) => seen, 'the file is watched');
    watcher.dispose();
    await file('disk.csv', odd.replace('abc', '4'));
    await until(() => problemsOf(uri), (all) => all.length === 1, 'one is mended'); // prettier-ignore
    await vscode.workspace.fs.delete(uri);
    await until(() => problemsOf(uri), (all) => all.length === 0, 'gone'); // prettier-ignore
  });
});

describe('Forecast Selection', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('forecasts.clearProblems');
    await closeAll();
  });

  const text = `# sales\nMonat;Nord;Süd\n${Array.from({ length: 24 }, (_, i) => `01.${String((i % 12) + 1).padStart(2, '0')}.${2020 + Math.floor(i / 12)};${i},5;${100 + i}`).join('\n')}\n`;

  async function select(name: string, content: string, ...selections: [number, number, number, number][]) {
    const editor = await vscode.window.showTextDocument(await file(name, content));
    editor.selections = selections.map(([a, b, c, d]) => new vscode.Selection(a, b, c, d));
    return editor;
  }
  const run = () => vscode.commands.executeCommand('forecasts.forecastSelection');

  it("uses the selected rows with the file's header and unsaved edits", async () => {
    const editor = await select('rows.csv', text, [5, 3, 10, 0]);
    await editor.edit((edit) => {
      edit.replace(new vscode.Range(5, 11, 5, 14), '99,5');
    });
    editor.selection = new vscode.Selection(5, 3, 10, 0);
    const asked = await answering([['Nord']], run);
    assert.match(asked[0].placeholder, /rows\.csv, lines 6–10/);
    assert.equal((await newest()).name, 'rows.csv, lines 6–10 · Nord');
    assert.deepEqual(await valuesOf(), [99.5, 4.5, 5.5, 6.5, 7.5]);
    assert.equal((await newest()).input_series?.[0].timestamp, '2020-04-01T00:00:00Z');
  });
});
