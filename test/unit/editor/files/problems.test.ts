import assert from 'node:assert/strict';
import type { URI } from 'vscode-uri';
import { Extension } from '../extension.ts';
import { type Diagnostic, DiagnosticSeverity, Range } from '../workbench/values.ts';
import { until } from '../until.ts';

const odd = 'month;value\n2024-01;1\n2024-02;n/a?\n2024-03;3\n2024-04;abc\n2024-05;5\n';

describe('Problems of a file', () => {
  const extension = new Extension();
  afterEach(() => extension.run('clearProblems'));

  const problemsOf = (uri: URI): readonly Diagnostic[] => extension.window.diagnostics.get(uri.toString()) ?? [];
  /** Diagnostics come after the command has said what is wrong. */
  const problems = async (uri: URI, count: number): Promise<readonly Diagnostic[]> => {
    return until(
      () => problemsOf(uri),
      ({ length }) => length === count,
    );
  };
  const fixes = (uri: URI, text: string, asked: Diagnostic) => {
    const document = extension.window.select(uri, text);
    const actions = extension.window.codeActions!.provideCodeActions(document, asked.range, { diagnostics: [asked] });
    return { document, actions, titles: actions.map(({ title }) => title) };
  };

  it('are shown at their cells, and have quick fixes', async () => {
    const uri = extension.file('odd.csv', odd);
    await extension.run('forecast', uri);
    assert.match(extension.person.texts[0], /odd\.csv, line 3.*“n\/a\?”/);
    const found = await problems(uri, 2);
    assert.deepEqual(
      found.map(({ range, severity, source }) => [
        range.start.line,
        range.start.character,
        range.end.character,
        severity,
        source,
      ]),
      [
        [2, 8, 12, DiagnosticSeverity.Error, 'Forecasts'],
        [4, 8, 11, DiagnosticSeverity.Error, 'Forecasts'],
      ],
    );
    assert.match(found[0].message, /“n\/a\?” is not a number/);
    const { document, actions, titles } = fixes(uri, odd, found[0]);
    assert.deepEqual(titles, ['Treat “n/a?” as missing', 'Treat all 2 cells that are not numbers as missing']);
    document.apply(actions[1].edit!);
    assert.match(document.getText(), /2024-02;\n2024-03;3\n2024-04;\n/);
    let lines = 0;
    const { lineAt } = document;
    document.lineAt = (line) => {
      lines++;
      return lineAt.call(document, line);
    };
    extension.window.codeActions!.provideCodeActions(document, found[0].range, { diagnostics: found.slice(0, 1) });
    assert.equal(lines, 0, 'the whole document is read only for rows that are repeated');
    await extension.run('forecast', uri);
    const { items } = await extension.app.connection.inUse.client.listPredictions({ size: 1 });
    assert.deepEqual(
      items[0].input_series?.map(({ value }) => value),
      [1, undefined, 3, undefined, 5],
    );
  });

  it('are one problem with one fix if there are many cells', async () => {
    const text = `month;value\n${Array.from({ length: 60 }, (_, i) => `${2000 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')};${i % 3 === 1 ? `off${i}` : i}`).join('\n')}\n`;
    const uri = extension.file('many.csv', text);
    extension.window.documents.length = 0;
    await extension.run('forecast', uri);
    const [one] = await problems(uri, 1);
    assert.match(one.message, /^“off1” is not a number\. This occurs in 20 places\.$/);
    const { titles, actions, document } = fixes(uri, text, one);
    assert.deepEqual(titles, ['Treat all 20 cells that are not numbers as missing']);
    document.apply(actions[0].edit!);
    assert.equal(document.getText(), text.replaceAll(/off\d+/g, ''));
  });

  it('offer to remove a row only if it repeats another', async () => {
    const text = 'day,v\n2024-01-01,1\n2024-01-02,2\n2024-01-02,2\n2024-01-03,3\n2024-01-03,4\n';
    const uri = extension.file('twice.csv', text);
    extension.window.documents.length = 0;
    await extension.run('forecast', uri);
    const [both] = await problems(uri, 1);
    const { titles, actions, document } = fixes(uri, text, both);
    assert.deepEqual(titles, ['Remove this repeated row']);
    document.apply(actions[0].edit!);
    assert.equal(document.getText(), text.replace('2024-01-02,2\n', ''));
  });

  it('find repeated rows in one pass over the document', async () => {
    const day = (i: number) => new Date(Date.UTC(2000, 0, 1 + i)).toISOString().slice(0, 10);
    const rows = Array.from({ length: 3000 }, (_, i) => `${day(i)},${i}`);
    const twice = rows.map((row, i) => (i < 2960 ? row : `${row}\n${row}`));
    const text = `day,v\n${twice.join('\n')}\n`;
    const uri = extension.file('often.csv', text);
    extension.window.documents.length = 0;
    await extension.run('forecast', uri);
    const found = await problems(uri, 1);
    const document = extension.window.select(uri, text);
    let looked = 0;
    const { lineAt } = document;
    document.lineAt = (line) => {
      looked++;
      return lineAt.call(document, line);
    };
    const context = { diagnostics: [found[0]] };
    const titles = extension.window.codeActions!.provideCodeActions(document, found[0].range, context).map(({ title }) => title); // prettier-ignore
    assert.ok(titles.includes('Remove all 40 repeated rows'), titles.join());
    assert.ok(looked <= document.lineCount + 41, String(looked));
  });

  it('follow the edits of their file only', async () => {
    const uri = extension.file('edited.csv', odd);
    const other = extension.file('other.csv', odd);
    extension.window.documents.length = 0;
    await extension.run('forecast', uri);
    await problems(uri, 2);
    const document = extension.window.select(uri, odd.replace('abc', '4'));
    extension.window.changedDocument.fire({ document, contentChanges: [{}] });
    await problems(uri, 1);
    const untouched = extension.window.select(other, odd);
    extension.window.changedDocument.fire({ document: untouched, contentChanges: [{}] });
    await extension.run('clearProblems');
    assert.deepEqual([problemsOf(uri), problemsOf(other)], [[], []]);
  });

  it('name the fault of each kind of broken file, and store nothing', async () => {
    const client = extension.app.connection.inUse.client;
    const before = (await client.listPredictions({ size: 1 })).total;
    extension.window.documents.length = 0;
    const cases: [string, string, RegExp, string][] = [
      ['empty.csv', '', /empty\.csv.*empty/i, 'Open File'],
      ['words.csv', 'a,b\nx,y\nz,w\n', /words\.csv/, 'Open File'],
      [
        'broken.json',
        '[{"timestamp": "2024-01-01", "value": 1},\n {"timestamp": ]',
        /broken\.json, line 2/,
        'Show Line',
      ],
    ];
    for (const [name, content, sentence, way] of cases) {
      const uri = extension.file(name, content);
      await extension.run('forecast', uri);
      const shown = extension.person.read.at(-1)!;
      assert.match(shown.text, sentence);
      assert.doesNotMatch(shown.text, /Error:|undefined|\bat \w+\./);
      assert.ok(shown.buttons.includes(way), `${name}: ${shown.buttons.join()}`);
    }
    assert.equal(extension.person.read.length, cases.length);
    assert.equal((await client.listPredictions({ size: 1 })).total, before);
  });

  it('replace a cell by NA if cells are separated by blanks', async () => {
    const text = '2024-01 1\n2024-02 x?\n2024-03 3\n2024-04 4\n2024-05 5\n';
    const uri = extension.file('blanks.txt', text);
    extension.window.documents.length = 0;
    await extension.run('forecast', uri);
    const [problem] = await problems(uri, 1);
    assert.deepEqual(fixes(uri, text, problem).titles, ['Treat “x?” as missing']);
    assert.ok(problem.range.contains(new Range(1, 8, 1, 9).start));
  });
});
