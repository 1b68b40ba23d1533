/**
 * `npm test`: everything, and `N passed, N failed` as the last line. `npm test -- unit`, `host`, `oldest` (the host tests
 * in the lowest VS Code that is supported), `ui`, `web` run one kind (several may be named), without the type check and the
 * linter; what follows a `--` of its own goes to mocha: `npm test -- ui -- --grep reload`.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { buildExtension, buildHostTests, packageExtension } from './build.ts';
import { downloadAnswers, hasScreen } from './online.ts';
import { bin, outDir, root } from './paths.ts';
import { end, run } from './processes.ts';
import type { Report } from './reporter.ts';
import { Problem, reason, say, step } from './say.ts';
import { searched } from './secrets.ts';
import { ensureBrowser, ensureServer, oldestServer } from './setup.ts';

const kinds = ['unit', 'faults', 'host', 'oldest', 'ui', 'web'] as const;
type Kind = (typeof kinds)[number];

const labels: Record<Kind, string> = {
  unit: 'unit tests',
  faults: 'faults',
  host: 'host tests',
  oldest: 'host tests in the oldest VS Code',
  ui: 'UI tests',
  web: 'web tests',
};

interface Outcome {
  name: string;
  passed: number;
  failed: number;
  remark: string;
}

const outcomes: Outcome[] = [];
const notes = path.join(outDir, 'reports', 'notes.txt');

/** A step that is not a test: it counts only where it fails. */
async function stage(name: string, work: () => Promise<unknown>): Promise<boolean> {
  const from = Date.now();
  try {
    await work();
    step(`${name}: ok (${seconds(Date.now() - from)})`);
    return true;
  } catch (error) {
    step(`${name}: FAILED\n${reason(error)}`);
    outcomes.push({ name, passed: 0, failed: 1, remark: 'see above' });
    return false;
  }
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

async function tool(script: string, ...args: string[]): Promise<void> {
  const { code, output } = await run(process.execPath, [script, ...args], { cwd: root });
  if (code !== 0) throw new Problem(output.trim());
}

/**
 * Runs the tests of one kind and adds up what its report says; no report, or an empty one, is a failure.
 *
 * @param isAlone no other kind is told of meanwhile
 */
async function tests(kind: Kind, args: string[], isAlone = true): Promise<void> {
  const from = Date.now();
  step(labels[kind]);
  const report = path.join(outDir, 'reports', `${kind}.json`);
  rmSync(report, { force: true });
  const env: NodeJS.ProcessEnv = { ...process.env, TEST_REPORT: report, TEST_NOTES: notes };
  let code: number;
  if (kind === 'faults') {
    const script = path.join(root, 'test', 'faults', 'main.ts');
    const told = await run(process.execPath, [script, ...args], { cwd: root, env, show: isAlone });
    code = told.code;
    if (!isAlone) say(`${labels.faults}\n${told.output.trimEnd()}`);
  } else if (kind === 'host' || kind === 'oldest') code = await hostTests(env, args, kind === 'oldest');
  else {
    const own = ['--no-config', '--no-package', '--reporter', path.join(import.meta.dirname, 'reporter.ts')];
    // only a test that fails lasts so long, and a machine may have much else to do
    const limits = { unit: '60000', ui: '300000', web: '300000' };
    // files of their own do not know of each other, so that several run at a time; a browser waits more than it works
    const jobs = kind === 'unit' ? Math.min(4, Math.max(2, availableParallelism())) : 2;
    own.push('--parallel', '--jobs', String(jobs));
    if (kind === 'unit') own.push('--require', path.join(root, 'test/unit/hand-in-vscode.mjs'));
    const mocha = [...own, '--timeout', limits[kind], ...args, `test/${kind}/**/*.test.{ts,tsx}`];
    ({ code } = await run(process.execPath, [bin.mocha, ...mocha], { cwd: root, env, show: true }));
  }
  const result = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as Report) : undefined;
  const passed = result?.passed ?? 0;
  let failed = result?.failed ?? 0;
  let remark = seconds(Date.now() - from);
  if (result?.skipped) remark += `, ${String(result.skipped)} skipped`;
  const crashed = !result || (code !== 0 && failed === 0);
  if (crashed) remark += `, did not come to its end (exit code ${String(code)})`;
  else if (passed + failed === 0) remark += ', ran no test';
  if (crashed || passed + failed === 0) failed++;
  outcomes.push({ name: labels[kind], passed, failed, remark });
}

/**
 * In the extension host there is no standard output: its reporter writes to a file, which is shown at the end, as the
 * UI tests show theirs meanwhile.
 */
async function hostTests(env: NodeJS.ProcessEnv, args: string[], oldest: boolean): Promise<number> {
  const output = path.join(outDir, 'reports', `${oldest ? 'oldest' : 'host'}.txt`);
  writeFileSync(output, '');
  const grep = args[args.findIndex((arg) => /^(--grep|-g)$/.test(arg)) + 1];
  const { code, output: told } = await run(
    process.execPath,
    [path.join(import.meta.dirname, 'host.ts'), ...(oldest ? ['--oldest'] : [])],
    {
      cwd: root,
      env: { ...env, TEST_OUTPUT: output, ...(args.length && grep ? { TEST_GREP: grep } : {}) },
    },
  );
  say(readFileSync(output, 'utf8').trimEnd());
  say(code !== 0 ? told : (/^VS Code .*$/m.exec(told)?.[0] ?? 'VS Code for the desktop'));
  return code;
}

async function main(): Promise<number> {
  const [chosen = [], mochaArgs = []] = split(process.argv.slice(2));
  const unknown = chosen.filter((name) => !(kinds as readonly string[]).includes(name));
  if (unknown.length) {
    say(`There are no tests of the kind ${unknown.join(', ')}: choose of ${kinds.join(', ')}, or none for all.`);
    return 2;
  }
  const all = chosen.length === 0;
  const { VSCODE_TEST_EXECUTABLE, VSCODE_TEST_VERSION, VSCODE_TEST_SERVER } = process.env;
  const asked = VSCODE_TEST_EXECUTABLE ?? VSCODE_TEST_VERSION ?? VSCODE_TEST_SERVER; // then that one is all
  const wanted = kinds.filter((kind) => (all ? kind !== 'oldest' || !asked : chosen.includes(kind)));
  mkdirSync(path.dirname(notes), { recursive: true });
  for (const name of ['logs', 'screenshots']) rmSync(path.join(outDir, name), { recursive: true, force: true });
  writeFileSync(notes, '');

  // VS Code and the browser are fetched while the checks and the unit tests run
  const needsVscode = wanted.some((kind) => kind !== 'unit' && kind !== 'faults');
  const from = Date.now();
  const ready = needsVscode ? settled(fetchVscode(wanted)) : undefined;

  let built = true;
  if (needsVscode || all) built = await stage('build', buildExtension);
  if (all) {
    const lint = stage('lint', () => tool(bin.eslint, '.')); // as long as the other two together
    await stage('types', async () => {
      await tool(bin.tsc, '-p', '.');
      await tool(bin.tsc, '-p', 'src/webview');
      await tool(bin.tsc, '-p', 'test/unit/webview');
    });
    await stage('format', () => tool(bin.prettier, '--check', '.'));
    await lint;
  }
  let packaged = built;
  if (built && (wanted.includes('ui') || wanted.includes('web') || all)) {
    packaged = await stage('package', async () => {
      for (const size of await packageExtension()) appendFileSync(notes, `${size}\n`);
    });
  }
  // the faults mostly wait, and are told of when they are over
  const plain = (['unit', 'faults'] as const).filter((kind) => wanted.includes(kind));
  await Promise.all(plain.map((kind) => tests(kind, mochaArgs, plain.length === 1)));
  if (ready) {
    const settle = await ready;
    await stage(`VS Code and browser (${seconds(Date.now() - from)} since the start)`, settle);
  }
  if (built && (wanted.includes('host') || wanted.includes('oldest'))) {
    built = await stage('build of the host tests', buildHostTests);
  }
  // a browser waits more than it works: the UI tests leave room for the host tests beside them
  const inVscode = async (kind: Kind): Promise<void> => {
    if (!wanted.includes(kind)) return;
    if (kind === 'ui' || kind === 'web' ? packaged : built) await tests(kind, mochaArgs);
    else outcomes.push({ name: labels[kind], passed: 0, failed: 1, remark: 'not run, see above' });
  };
  await Promise.all([
    inVscode('ui'),
    inVscode('host')
      .then(() => inVscode('oldest'))
      .then(() => inVscode('web')),
  ]);

  if (wanted.some((kind) => kind !== 'unit')) {
    await stage('no secret in logs and reports', () => {
      noSecretsIn(path.join(outDir, 'logs'), path.join(outDir, 'reports'));
      return Promise.resolve();
    });
  }

  say();
  for (const line of readFileSync(notes, 'utf8').split('\n').filter(Boolean)) say(line);
  for (const { name, passed, failed, remark } of outcomes) {
    say(`${name}: ${String(passed)} passed, ${String(failed)} failed (${remark})`);
  }
  const sum = (key: 'passed' | 'failed'): number => outcomes.reduce((total, outcome) => total + outcome[key], 0);
  say(`${String(sum('passed'))} passed, ${String(sum('failed'))} failed`);
  return sum('failed') === 0 && sum('passed') > 0 ? 0 : 1;
}

/** Tokens of the local service, and those of the tests’ own services. */
const SECRETS = /tsf_[\w-]{43}|(awkward|strict)-(token-4711|secret-0815|revoked-0815)/;

function noSecretsIn(...folders: string[]): void {
  const found = folders.flatMap((folder) => searched(folder, (bytes) => SECRETS.test(bytes.toString('latin1'))).found);
  if (found.length) throw new Problem(`A secret stands in ${found.join(', ')}`);
}

/** Brings what the kinds of tests need, one after the other: the registry is not faster when asked twice at once. */
async function fetchVscode(wanted: readonly Kind[]): Promise<void> {
  const desktop = hasScreen() && !process.env.VSCODE_TEST_SERVER && (await downloadAnswers());
  if (wanted.includes('ui') || wanted.includes('web') || !desktop) {
    await ensureBrowser();
    await ensureServer();
  }
  if (wanted.includes('oldest') && !desktop) await ensureServer(oldestServer);
}

/** A promise's end as a function that gives it again: a failure can wait for its time. */
function settled(promise: Promise<void>): Promise<() => Promise<void>> {
  return promise.then(
    () => () => promise,
    () => () => promise,
  );
}

/** The arguments in front of a `--` and those after it. */
function split(args: string[]): [string[], string[]] {
  const at = args.indexOf('--');
  return at < 0 ? [args, []] : [args.slice(0, at), args.slice(at + 1)];
}

main().then(end, (error: unknown) => {
  say(reason(error));
  say('0 passed, 1 failed');
  return end(1);
});
