import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const root = path.join(import.meta.dirname, '..', '..', '..');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** Calls a program of `package.json` in a wrong way. @returns what it says of that */
async function wrong(script: string, ...args: string[]): Promise<string> {
  const [, ...own] = scripts[script]!.split(' ');
  const child = spawn(process.execPath, [...own, ...args], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  const [says, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  assert.equal(code, 2, says);
  assert.match(says, /^[^\n]+\n$/, 'one line');
  return says.trimEnd();
}

describe('arguments of benchmarks and fault tests', () => {
  for (const script of Object.keys(scripts).filter((name) => /^bench:|^train:|^test:faults/.test(name))) {
    it(`end ${script} with exit code 2 and one line if unknown`, async () => {
      assert.match(
        await wrong(script, '--bogus'),
        /^Unknown option '--bogus'\. (The options are --|It has no options\.)/,
      );
    });
  }

  it('are reported if a number is invalid, a file is missing, or none is given', async () => {
    const data = ['--data', 'nowhere.json.gz'];
    assert.equal(await wrong('bench:rolling', ...data), 'There is no file or folder “nowhere.json.gz”.');
    assert.equal(
      await wrong('bench:rolling', ...data, '--most', 'many'),
      '--most is a number from 0, which “many” is not.',
    );
    assert.match(
      await wrong('bench:rolling', ...data, '--model', 'oracle'),
      /^--model is one of .*, which “oracle” is not\.$/,
    );
    assert.match(
      await wrong('bench:rolling', '--data', '--json'),
      /^Option '--data' argument is ambiguous\. The options are --data,/,
    );
    assert.match(await wrong('bench:rolling'), /^Usage: .* --data FILE\.json\.gz/);
    assert.equal(await wrong('bench:first-chart', 'few'), 'ROWS is a number from 0, which “few” is not.');
    assert.equal(await wrong('bench:totals', '--days', ''), '--days is a number from 0, which “” is not.');
    assert.equal(await wrong('test:faults', '--seed', 'WORD'), '--seed is a number from 0, which “WORD” is not.');
  });

  it('are parsed alike by all programs', () => {
    const folder = path.join(root, 'test', 'bench');
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.ts') && one !== 'arguments.ts')) {
      const source = readFileSync(path.join(folder, name), 'utf8');
      assert.doesNotMatch(source, /parseArgs|= process\.argv|Number\((?:options|values)\./, name);
    }
  });
});
