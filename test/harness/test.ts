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
import { end, run, type RunResult } from './processes.ts';
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
/** What failed, with its error: told once more at the end, as a long log may be cut in front. */
const failures: string[] = [];
const notes = path.join(outDir, 'reports', 'notes.txt');

/** Where Node keeps what it compiled: hundreds of processes of tests run the same sources. */
const compileCache = path.join(outDir, 'compile-cache');

/** A step that is not a test: it counts only where it fails. */
async function stage(name: string, work: () => Promise<unknown>): Promise<boolean> {
  const from = Date.now();
  try {
    await work();
    step(`${name}: ok (${seconds(Date.now() - from)})`);
    return true;
  } catch (error) {
    step(`${name}: FAILED\n${reason(error)}`);
    failures.push(`${name}\n${reason(error)}`);
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
 * @param isAlone what it says is shown at once: nothing else is said meanwhile
 */
async function tests(kind: Kind, args: string[], isAlone: boolean): Promise<void> {
  const from = Date.now();
  step(labels[kind]);
  const report = path.join(outDir, 'reports', `${kind}.json`);
  rmSync(report, { force: true });
  const env: NodeJS.ProcessEnv = { ...process.env, TEST_REPORT: report, TEST_NOTES: notes };
  const { code, output } =
    kind === 'host' || kind === 'oldest'
      ? await hostTests(env, args, kind === 'oldest')
      : await run(process.execPath, programOf(kind, args), {
          cwd: root,
          env: kind === 'unit' || kind === 'faults' ? { ...env, NODE_COMPILE_CACHE: compileCache } : env,
          show: isAlone,
        });
  const result = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as Report) : undefined;
  const passed = result?.passed ?? 0;
  let failed = result?.failed ?? 0;
  let remark = seconds(Date.now() - from);
  if (result?.skipped) remark += `, ${String(result.skipped)} skipped`;
  failures.push(...(result?.failures ?? []).map((failure) => `${labels[kind]}: ${failure.slice(0, 4000)}`));
  const crashed = !result || (code !== 0 && failed === 0);
  if (crashed) failures.push(`${labels[kind]}\n${output.trimEnd().slice(-4000)}`);
  if (crashed) remark += `, did not come to its end (exit code ${String(code)})`;
  else if (passed + failed === 0) remark += ', ran no test';
  if (crashed || passed + failed === 0) failed++;
  outcomes.push({ name: labels[kind], passed, failed, remark });
  step(`${labels[kind]}: ${String(passed)} passed, ${String(failed)} failed (${remark})\n${output.trimEnd()}`);
}

/** What runs the tests of a kind, and its arguments. */
function programOf(kind: 'unit' | 'faults' | 'ui' | 'web', args: string[]): string[] {
  if (kind === 'faults') return [path.join(root, 'test', 'faults', 'main.ts'), ...args];
  const own = ['--no-config', '--no-package', '--reporter', path.join(import.meta.dirname, 'reporter.ts')];
  // only a test that fails lasts so long, and a machine may have much else to do
  const limits = { unit: '60000', ui: '300000', web: '300000' };
  // files of their own do not know of each other, so that several run at a time; a browser waits more than it works
  const jobs = kind === 'unit' ? Math.min(4, Math.max(2, availableParallelism())) : 2;
  own.push('--parallel', '--jobs', String(jobs));
  if (kind === 'unit') own.push('--require', path.join(root, 'test/unit/hand-in-vscode.mjs'));
  return [bin.mocha, ...own, '--timeout', limits[kind], ...args, `test/${kind}/**/*.test.{ts,tsx}`];
}

/** In the extension host there is no standard output: its reporter writes to a file. */
async function hostTests(env: NodeJS.ProcessEnv, args: string[], oldest: boolean): Promise<RunResult> {
  const output = path.join(outDir, 'reports', `${oldest ? 'oldest' : 'host'}.txt`);
  writeFileSync(output, '');
  const grep = args[args.findIndex((arg) => /^(--grep|-g)$/.test(arg)) + 1];
  const { code, output: reported } = await run(
    process.execPath,
    [path.join(import.meta.dirname, 'host.ts'), ...(oldest ? ['--oldest'] : [])],
    {
      cwd: root,
      env: { ...env, TEST_OUTPUT: output, ...(args.length && grep ? { TEST_GREP: grep } : {}) },
    },
  );
  const which = code !== 0 ? reported : (/^VS Code .*$/m.exec(reported)?.[0] ?? 'VS Code for the desktop');
  return { code, output: `${readFileSync(output, 'utf8').trimEnd()}\n${which}` };
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
  for (const name of ['logs', 'screenshots', 'compile-cache'])
    rmSync(path.join(outDir, name), { recursive: true, force: true });
  writeFileSync(notes, '');

  const needsVscode = wanted.some((kind) => kind !== 'unit' && kind !== 'faults');
  const needsPackage = all || wanted.includes('ui') || wanted.includes('web');
  const built = needsVscode || all ? stage('build', buildExtension) : Promise.resolve(true);
  const packaged = built.then((isBuilt) => (isBuilt && needsPackage ? stage('package', writePackage) : isBuilt));
  const inVscode = async (kind: Kind, isReady: Promise<boolean>): Promise<void> => {
    if (!wanted.includes(kind)) return;
    if (await isReady) await tests(kind, mochaArgs, wanted.length === 1);
    else outcomes.push({ name: labels[kind], passed: 0, failed: 1, remark: 'not run, see above' });
  };
  const fetched = needsVscode ? fetchVscode(wanted) : undefined;
  const newest = Promise.all([packaged, fetched?.newest]).then((done) => !done.includes(false));
  const hostBuilt = (wanted.includes('host') || wanted.includes('oldest') ? newest : Promise.resolve(false)).then(
    (isReady) => isReady && stage('build of the host tests', buildHostTests),
  );
  const oldest = Promise.all([hostBuilt, fetched?.oldest]).then((done) => !done.includes(false));
  const inNode = async (kind: 'unit' | 'faults'): Promise<void> => {
    if (wanted.includes(kind)) await tests(kind, mochaArgs, wanted.length === 1);
  };
  const queue = [
    () => (all ? built.then(check) : Promise.resolve()).then(() => inNode('unit')),
    () => inNode('faults'),
    () => inVscode('host', hostBuilt),
    () => inVscode('web', newest),
    () => inVscode('ui', newest),
    () => inVscode('oldest', oldest),
  ];
  const next = async (): Promise<void> => {
    for (let work = queue.shift(); work; work = queue.shift()) await work();
  };
  // two at a time: on two cores more of them make each other wait for longer than a program has to end
  await Promise.all([next(), next()]);

  if (wanted.some((kind) => kind !== 'unit')) {
    await stage('no secret in logs and reports', () => {
      noSecretsIn(path.join(outDir, 'logs'), path.join(outDir, 'reports'));
      return Promise.resolve();
    });
  }

  say();
  for (const line of readFileSync(notes, 'utf8').split('\n').filter(Boolean)) say(line);
  for (const failure of failures) say(`✗ ${failure}\n`);
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

/** The linter, the compiler and the formatter, one after the other: each of them fills a core. */
async function check(): Promise<void> {
  await stage('lint', () => tool(bin.oxlint));
  await stage('types', async () => {
    for (const project of ['.', 'src/webview', 'test/unit/webview']) await tool(bin.tsc, '-p', project);
  });
  await stage('format', () => tool(bin.oxfmt, '--check', '.'));
}

async function writePackage(): Promise<void> {
  for (const size of await packageExtension()) appendFileSync(notes, `${size}\n`);
}

/** Brings what the kinds of tests need, one after the other: the registry is not faster when asked twice at once. */
function fetchVscode(wanted: readonly Kind[]): { newest: Promise<boolean>; oldest: Promise<boolean> } {
  const desktop = hasScreen() && !process.env.VSCODE_TEST_SERVER ? downloadAnswers() : Promise.resolve(false);
  const newest = stage('VS Code and browser', async () => {
    if (!wanted.includes('ui') && !wanted.includes('web') && (await desktop)) return;
    await ensureBrowser();
    await ensureServer();
  });
  const oldest = newest.then(async () => {
    if (!wanted.includes('oldest') || (await desktop)) return true;
    return stage('the oldest VS Code', () => ensureServer(oldestServer));
  });
  return { newest, oldest };
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
