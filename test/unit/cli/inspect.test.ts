import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from '../../../src/cli/inspect.ts';
import { lines, pad } from '../reading/helpers.ts';

describe('cli/inspect', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'inspect-'));
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  function run(text: string, ...args: string[]): { code: number; output: string } {
    const file = join(folder, 'a.csv');
    writeFileSync(file, text);
    let output = '';
    const code = inspect([file, ...args], (part) => (output += part));
    return { code, output };
  }

  const text = lines(
    24,
    (i) => `${2000 + Math.floor(i / 12)}-${pad((i % 12) + 1)},${i === 5 ? 'oops' : i},${i}`,
    'Month,a,b',
  );

  it('prints series, problems with lines and choices as JSON', () => {
    const { code, output } = run(text, '--json');
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

  it('prints lines for people', () => {
    assert.match(run(text).output, /^a · monthly · Jan 2000 – Dec 2001 · 23 points, no gaps, 1 missing$/m);
  });

  it('exits with 1 and a sentence where there is nothing to read', () => {
    assert.deepEqual(run('').code, 1);
    assert.match(run('').output, /a\.csv is empty/);
    let output = '';
    assert.equal(inspect(['/nowhere.csv', '--json'], (part) => (output += part)), 1); // prettier-ignore
    assert.match(output, /cannot be read/);
  });
});
