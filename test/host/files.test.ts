import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/editor/connection/names.ts';
import { answering, extension, file, messages, until } from './support.ts';

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
  const [prediction] = (await app.connection.client().listPredictions({ size: 1 })).items;
  return prediction;
}

const valuesOf = async () => (await newest()).input_series?.map(({ value }) => value);

describe('what was chosen about a file', () => {
  afterEach(closeAll);

  const ambiguous = 'day,value\n01/02/2021,1\n02/02/2021,2\n03/02/2021,3\n04/02/2021,5\n';

  it('is asked once for a file and its header, with the rows that each answer gives', async () => {
    const uri = await file('order.csv', ambiguous);
    const asked = await answering([['Day first']], () => forecast(uri));
    assert.equal(asked.length, 1);
    assert.deepEqual(asked[0].labels, ['Day first', 'Month first']);
    assert.match(asked[0].details[0], /^1 Feb 2021: 1 {2}2 Feb 2021: 2/);
    assert.match(asked[0].details[1], /^2?.?Jan 2021: 1 {2}2?.?Feb 2021: 2/);
    assert.equal((await newest()).input_series?.[0].timestamp, '2021-02-01T00:00:00Z');
    assert.deepEqual(await answering([], () => forecast(uri)), []);
    assert.equal((await newest()).input_series?.[0].timestamp, '2021-02-01T00:00:00Z');
    await file('order.csv', ambiguous.replace('value', 'amount'));
    assert.equal((await answering([['Month first']], () => forecast(uri))).length, 1);
  });

  it('is asked again by Forecast with Options, what was chosen first', async () => {
    const uri = await file('order.csv', ambiguous);
    const answers = [undefined, undefined, '5'];
    const asked = await answering(answers, () => vscode.commands.executeCommand(COMMANDS.forecastWithOptions, uri));
    assert.equal(asked.length, 3);
    assert.deepEqual(asked[0].picked, ['Day first']);
    assert.equal(asked[0].step, '1/4');
    const { input_series, prediction_series } = await newest();
    assert.equal(input_series?.[0].timestamp, '2021-02-01T00:00:00Z');
    assert.equal(prediction_series?.length, 5);
  });

  it('holds for the series of a wide file, until one of them is gone', async () => {
    const rows = (names: string) =>
      `month,${names}\n${Array.from({ length: 14 }, (_, i) => `${2020 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')},${i},${100 + i}`).join('\n')}\n`;
    const uri = await file('wide.csv', rows('north,south'));
    const [asked] = await answering([['south']], () => forecast(uri));
    assert.deepEqual(asked.labels, ['north', 'south']);
    assert.equal((await newest()).name, 'wide.csv · south');
    assert.deepEqual(await answering([], () => forecast(uri)), []);
    assert.equal((await newest()).name, 'wide.csv · south');
    await file('wide.csv', rows('north,west'));
    assert.equal((await answering([['west']], () => forecast(uri))).length, 1);
    assert.equal((await newest()).name, 'wide.csv · west');
    await file('wide.csv', rows('north,south'));
    assert.deepEqual(await answering([], () => forecast(uri)), []);
    assert.equal((await newest()).name, 'wide.csv · south');
  });
});

describe('problems of a file', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand(COMMANDS.clearProblems);
    await closeAll();
  });

  const odd = 'month;value\n2024-01;1\n2024-02;n/a?\n2024-03;3\n2024-04;abc\n2024-05;5\n';

  it('stand at their cells, and go when they are mended', async () => {
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
      ['Leave “n/a?” empty', 'Leave empty all 2 cells that are not numbers'],
    );
    await vscode.workspace.applyEdit(actions[1].edit!);
    assert.match(editor.document.getText(), /2024-02;\n2024-03;3\n2024-04;\n/);
    await until(() => problemsOf(uri), (all) => all.length === 0, 'mended'); // prettier-ignore
    await forecast(uri);
    assert.deepEqual(await valuesOf(), [1, undefined, 3, undefined, 5]);
  });

  it('offer to remove a row only where it says nothing new', async () => {
    const uri = await file(
      'twice.csv',
      'day,v\n2024-01-01,1\n2024-01-02,2\n2024-01-02,2\n2024-01-03,3\n2024-01-03,4\n',
    );
    await forecast(uri);
    const [first, second] = await until(() => problemsOf(uri), (all) => all.length === 2, 'duplicates'); // prettier-ignore
    await vscode.window.showTextDocument(uri);
    const titles = async ({ range }: vscode.Diagnostic) =>
      (await vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', uri, range)).map(
        ({ title }) => title,
      );
    assert.deepEqual(await titles(first), ['Remove this repeated row']);
    assert.deepEqual(await titles(second), []);
  });

  it('follow the file on disk, and go with it', async () => {
    const uri = await file('disk.csv', odd);
    await messages(() => forecast(uri));
    await until(() => problemsOf(uri), (all) => all.length === 2, 'two problems'); // prettier-ignore
    // written until it is seen: watching a file takes a moment to begin
    const write = async () => {
      await file('disk.csv', odd.replace('abc', '4'));
      await new Promise((resolve) => setTimeout(resolve, 1500));
      return problemsOf(uri);
    };
    await until(write, (all) => all.length === 1, 'one is mended');
    await vscode.workspace.fs.delete(uri);
    await until(() => problemsOf(uri), (all) => all.length === 0, 'gone'); // prettier-ignore
  });

  it('are cleared on command, and never shown of a file that nobody asked about', async () => {
    const uri = await file('odd.csv', odd);
    const other = await file('other.csv', odd);
    await messages(() => forecast(uri));
    await until(() => problemsOf(uri), (all) => all.length === 2, 'two problems'); // prettier-ignore
    await vscode.window.showTextDocument(other);
    assert.deepEqual(problemsOf(other), []);
    await vscode.commands.executeCommand(COMMANDS.clearProblems);
    assert.deepEqual(problemsOf(uri), []);
  });
});

describe('Forecast Selection', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand(COMMANDS.clearProblems);
    await closeAll();
  });

  const text = `# sales\nMonat;Nord;Süd\n${Array.from({ length: 24 }, (_, i) => `01.${String((i % 12) + 1).padStart(2, '0')}.${2020 + Math.floor(i / 12)};${i},5;${100 + i}`).join('\n')}\n`;

  async function select(name: string, content: string, ...selections: [number, number, number, number][]) {
    const editor = await vscode.window.showTextDocument(await file(name, content));
    editor.selections = selections.map(([a, b, c, d]) => new vscode.Selection(a, b, c, d));
    return editor;
  }
  const run = () => vscode.commands.executeCommand(COMMANDS.forecastSelection);

  it('takes the selected rows with the header of the file, and unsaved edits', async () => {
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

  it('takes the column of a selected cell, and of a column of cells only those rows', async () => {
    const cell = text.split('\n')[3].indexOf(';10') + 2;
    await select('column.csv', text, [3, cell, 3, cell + 2]);
    assert.deepEqual(await answering([], run), []);
    assert.equal((await newest()).name, 'column.csv · Süd');
    assert.equal((await valuesOf())?.length, 24);
    const box = [2, 3, 4, 5].map((line): [number, number, number, number] => [line, 15, line, 18]);
    await select('column.csv', text, ...box);
    assert.deepEqual(await answering([], run), []);
    assert.deepEqual(await valuesOf(), [100, 101, 102, 103]);
  });

  it('takes elements of a JSON document, and says what is no selection of any', async () => {
    const points = Array.from({ length: 6 }, (_, i) => `  {"timestamp": "2024-0${i + 1}-01", "value": ${i}}`);
    const json = `[\n${points.join(',\n')}\n]\n`;
    await select('part.json', json, [2, 0, 5, 0]);
    await run();
    assert.deepEqual(await valuesOf(), [1, 2, 3]);
    await select('part.json', json, [2, 5, 4, 9]);
    const [shown] = await messages(run);
    assert.match(shown.text, /part\.json, line 3: .*Select whole elements/);
    await select('part.json', json);
    vscode.window.activeTextEditor!.selection = new vscode.Selection(0, 0, 0, 0);
    const [nothing] = await messages(run);
    assert.match(nothing.text, /Nothing is selected in part\.json/);
  });
});

describe('Forecast All Series', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand(COMMANDS.clearProblems);
    await closeAll();
  });

  const months = Array.from(
    { length: 30 },
    (_, i) => `${2020 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
  );
  const long = (names: readonly string[]) =>
    `store;month;sales\n${names.flatMap((name, n) => months.map((month, i) => `${name};${month};${100 * n + i + (i % 12)},5`)).join('\n')}\n`;

  /** Runs it, saves the result by a button of the list, and gives the list and what was saved. */
  async function saved(uri: vscode.Uri, button: string, target: vscode.Uri, selected?: vscode.Uri[]) {
    const original = vscode.window.showSaveDialog;
    vscode.window.showSaveDialog = () => Promise.resolve(target);
    try {
      const [list] = await answering([{ button }], () =>
        vscode.commands.executeCommand(COMMANDS.forecastAll, uri, selected),
      );
      const text = await until(
        () => vscode.workspace.fs.readFile(target).then((bytes) => new TextDecoder().decode(bytes), () => ''), // prettier-ignore
        (written) => written !== '',
        'saved',
      );
      return { list, text };
    } finally {
      vscode.window.showSaveDialog = original;
    }
  }

  it('forecasts the series of a long file, stores them, and saves all in the shape of the file', async () => {
    const { app } = await extension();
    const uri = await file('panel/stores.csv', long(['Nord', 'Süd', '=West']));
    const { list, text } = await saved(uri, 'Save All as CSV…', vscode.Uri.joinPath(uri, '..', '..', 'saved.csv'));
    assert.equal(list.title, 'stores.csv: 3 forecasts');
    assert.deepEqual(list.labels.toSorted(), ['=West', 'Nord', 'Süd']);
    assert.match(list.details[0], /% error · \d+ % (better|worse) than repeating the last season/);
    const errors = list.details.map((detail) => parseFloat(detail));
    assert.deepEqual(
      errors,
      errors.toSorted((a, b) => a - b),
    );
    const lines = text.trim().split('\n');
    assert.match(lines[0], /^store;month;sales;0\.025;0\.1;0\.25;0\.75;0\.9;0\.975$/);
    assert.match(lines[1], /^Nord;2022-07;\d+,\d+;/);
    assert.ok(lines.some((line) => line.startsWith("'=West;2022-07;")));
    const { items } = await app.connection.client().listDatasets({ size: 1 });
    assert.equal(items[0].name, 'stores.csv');
    assert.deepEqual(items[0].tags, ['forecast', 'stores.csv']);
    assert.equal(items[0].series_count, 3);
    assert.equal(items[0].stats?.freq, 'P1M');
  });

  it('takes a folder with all below it, and says what could not be read', async () => {
    const folder = await file('many/a.csv', long(['Nord']));
    await file('many/below/b.csv', long(['Ost', 'West']));
    await file('many/empty.csv', '');
    await file('many/readme.md', '# no series');
    const warnings: string[] = [];
    const original = vscode.window.showWarningMessage;
    vscode.window.showWarningMessage = ((text: string) => {
      warnings.push(text);
      return Promise.resolve(undefined);
    }) as unknown as typeof original;
    try {
      const parent = vscode.Uri.joinPath(folder, '..');
      const target = vscode.Uri.joinPath(parent, '..', 'saved.json');
      const { list, text } = await saved(parent, 'Save All as JSON…', target);
      assert.deepEqual(list.labels.toSorted(), ['a.csv', 'b.csv · Ost', 'b.csv · West']);
      const rows = JSON.parse(text) as { series: string; month: string; sales: number }[];
      assert.equal(new Set(rows.map((row) => row.series)).size, 3);
      assert.equal(rows[0].month, '2022-07');
      assert.equal(warnings.length, 1);
      assert.match(warnings[0], /empty\.csv is empty/);
    } finally {
      vscode.window.showWarningMessage = original;
    }
  });

  it('opens the chart of a chosen series, whose export has its name', async () => {
    const { app } = await extension();
    const uri = await file('panel/two.csv', long(['Nord', 'Süd']));
    await answering([['Süd']], () => vscode.commands.executeCommand(COMMANDS.forecastAll, uri)).catch(() => undefined);
    const { items } = await app.connection.client().listPredictions({ size: 2 });
    const chart = items.find(({ name }) => name === 'Süd');
    const note = await until(() => app.memory.recall('local', chart?.id ?? ''), (found) => found !== undefined, 'noted'); // prettier-ignore
    assert.equal(note?.label, 'two.csv · Süd');
    assert.equal(note?.source?.id, 'Süd');
    assert.equal(note?.source?.idColumn, 'store');
  });
});
