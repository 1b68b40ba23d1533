import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import writeWorkbook from 'write-excel-file/universal';
import { inspectCommand } from '../../../src/cli/commands/inspect.ts';
import { lines, pad } from '../reading/helpers.ts';
import { printed, ran } from './in-process.ts';

describe('inspect', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'inspect-'));
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  async function runOn(name: string, content: string | Uint8Array, ...args: string[]) {
    const file = join(folder, name);
    writeFileSync(file, content);
    const { code, out } = await ran(inspectCommand, [file, ...args]);
    return { code, output: out.join('\n') };
  }
  const run = (text: string, ...args: string[]) => runOn('a.csv', text, ...args);

  const text = lines(
    24,
    (i) => `${2000 + Math.floor(i / 12)}-${pad((i % 12) + 1)},${i === 5 ? 'oops' : i},${i}`,
    'Month,a,b',
  );

  it('prints series, problems with lines, and choices as JSON', async () => {
    const { code, output } = await run(text, '--json');
    assert.equal(code, 0);
    const { series, problems, choices } = JSON.parse(output) as {
      series: { id: string; valueColumn: string; frequency: string; start: string; end: string; points: number; gaps: number }[];
      problems: { line: number; message: string }[];
      choices: string[];
    }; // prettier-ignore
    const [first] = series;
    assert.deepEqual([first?.id, first?.valueColumn, first?.frequency, first?.points, first?.gaps], ['a', 'a', 'P1M', 23, 0]); // prettier-ignore
    assert.deepEqual([first?.start, first?.end], ['2000-01-01T00:00:00Z', '2001-12-01T00:00:00Z']);
    assert.deepEqual(problems.map(({ line, message }) => [line, message]), [[7, '“oops” is not a number.']]); // prettier-ignore
    assert.deepEqual(choices, ['Which column should be forecast?']);
  });

  it('prints a line per file with the result of each answer, or its refusal', async () => {
    const files = { 'a.csv': text, 'none.csv': 'a,b\nx,y\nz,w\n' };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    const paths = Object.keys(files).map((name) => join(folder, name));
    const { code, out } = await ran(inspectCommand, ['--json', '--answers', ...paths]);
    assert.equal(code, 1);
    const [first, second] = out.map((line) => JSON.parse(line) as {
      file: string; error?: string; series: object[];
      choices: { kind: string; options: { label: string; series: { points: number; sum: number }[]; choices: object[] }[] }[];
    }); // prettier-ignore
    assert.deepEqual([first?.file, first?.series.length], [paths[0], 2]);
    const [choice] = first!.choices;
    assert.equal(choice?.kind, 'value-columns');
    const b = choice.options.find(({ label }) => label === 'b');
    assert.deepEqual([b?.series.map(({ points, sum }) => [points, sum]), b?.choices], [[[24, 276]], []]);
    assert.match(second?.error ?? '', /no column of numbers/);
  });

  it('prints its usage', async () => {
    assert.match((await printed(inspectCommand, ['--help'])).out, /^Usage: /);
  });

  it('explains invalid arguments', async () => {
    const wrong = [[], ['a.csv', '--bogus'], ['--answers', '--json'], ['a.csv', '--sheet'], ['a.csv', '--sheet=']]; // prettier-ignore
    for (const args of wrong) {
      const { code, errors } = await printed(inspectCommand, args);
      assert.ok(code !== 0 && errors.length > 20, args.join(' '));
    }
    assert.equal((await runOn('sheet.csv', text, '--sheet=Any')).code, 0);
  });

  it('prints readable lines', async () => {
    assert.match((await run(text)).output, /^a · monthly · Jan 2000 – Dec 2001 · 23 points, no gaps, 1 missing$/m);
  });

  it('reads workbooks, and locates problems by sheet and cell', async () => {
    const data = [
      ['day', 'n'],
      ...Array.from({ length: 20 }, (_, n) => [`2024-01-${pad(n + 1)}`, n === 3 ? 'oops' : n]),
    ];
    const sheets = ['North', 'South 2'].map((sheet) => ({
      sheet,
      data: data.map((row) => row.map((value) => ({ value: value as string, type: typeof value === 'number' ? Number : String }))), // prettier-ignore
    }));
    const book = await writeWorkbook(sheets as Parameters<typeof writeWorkbook>[0]).toBlob();
    const bytes = new Uint8Array(await book.arrayBuffer());
    const first = await runOn('a.xlsx', bytes);
    assert.match(first.output, /^n · daily · 1 Jan 2024 – 20 Jan 2024 · 19 points, no gaps, 1 missing$/m);
    assert.match(first.output, /^North!B5: error: “oops” is not a number\.$/m);
    assert.match(first.output, /^Which sheet should be read\? North \| South 2$/m);
    const second = await runOn('a.xlsx', bytes, '--sheet', 'South 2', '--json');
    const { problems } = JSON.parse(second.output) as { problems: { place: string }[] };
    assert.deepEqual(problems.map(({ place }) => place), ["'South 2'!B5"]); // prettier-ignore
    const both = [[1, 2, 3], [9, 8, 7]].map((values, at) => ({
      sheet: ['North', 'South 2'][at],
      data: [['day', 'shop', 'n'], ...values.flatMap((value, n) => ['a', 'b'].map((shop) => [`0${n + 1}/0${n + 2}/2024`, shop, value]))].map((row) => row.map((value) => ({ value: value as string, type: typeof value === 'number' ? Number : String }))),
    })); // prettier-ignore
    const dated = new Uint8Array(await (await writeWorkbook(both as Parameters<typeof writeWorkbook>[0]).toBlob()).arrayBuffer()); // prettier-ignore
    const third = await runOn('b.xlsx', dated, '--sheet', 'South 2', '--json', '--answers');
    const { choices } = JSON.parse(third.output) as { choices: { kind: string; options: { series: { sum: number }[] }[] }[] }; // prettier-ignore
    const dates = choices.find(({ kind }) => kind !== 'sheet');
    assert.deepEqual(dates?.options.map(({ series }) => series.map(({ sum }) => sum)), [[24, 24], [24, 24]]); // prettier-ignore
  });

  it('exits with 1 and a message if there is nothing to read', async () => {
    assert.deepEqual((await run('')).code, 1);
    assert.match((await run('')).output, /a\.csv is empty/);
    const { code, out } = await ran(inspectCommand, ['/nowhere.csv', '--json']);
    assert.deepEqual([code, /cannot be read/.test(out.join())], [1, true]);
  });
});
