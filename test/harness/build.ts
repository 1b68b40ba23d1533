import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { bin, outDir, root, vsixFile } from './paths.ts';
import { runOk } from './processes.ts';
import { missingIn, ofPackage, type Sbom } from './sbom.ts';
import { Problem } from './say.ts';

/** Bundles the extension into `dist/`. */
export async function buildExtension(): Promise<void> {
  await runOk(process.execPath, ['esbuild.mjs'], { cwd: root });
}

/** Bundles the programs of threads into a folder. */
export async function bundleThreads(folder: string): Promise<void> {
  await runOk(process.execPath, ['esbuild.mjs', '--threads', folder], { cwd: root });
}

/**
 * Bundles the host tests into `out/host/`: the extension host runs no TypeScript. They are modules as the extension is, as
 * VS Code 1.103 gives modules and `require` an API each, and tests replace functions of it.
 */
export async function buildHostTests(): Promise<number> {
  const outdir = path.join(outDir, 'host');
  rmSync(outdir, { recursive: true, force: true });
  const tests = readdirSync(path.join(root, 'test', 'host')).filter((name) => name.endsWith('.test.ts'));
  await build({
    absWorkingDir: root,
    entryPoints: ['index.ts', ...tests].map((name) => `test/host/${name}`),
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    splitting: true,
    outExtension: { '.js': '.mjs' },
    // libraries in the older form of modules ask for the platform's by `require`
    banner: {
      js: 'import{createRequire as createRequireHere}from"node:module";const require=createRequireHere(import.meta.url);',
    },
    external: ['vscode', 'mocha'],
    conditions: ['wintercg'],
    mainFields: ['module', 'main'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  return tests.length;
}

/** Writes what the package is made of into `dist/`, as CycloneDX: the libraries that are bundled. */
async function writeSbom(): Promise<void> {
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--loglevel', 'error'];
  const output = await runOk('npm', args, { cwd: root, shell: process.platform === 'win32' });
  // warnings about the machine's own settings may stand before it
  const all = JSON.parse(output.slice(output.indexOf('{'))) as Sbom;
  const { name } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { readonly name: string };
  const notices = readFileSync(path.join(root, 'dist', 'third-party-licenses.txt'), 'utf8');
  const sbom = ofPackage(all, name, notices);
  const missing = missingIn(sbom, notices);
  if (missing.length > 0) throw new Problem(`The bill of materials lacks ${missing.join(', ')}.`);
  writeFileSync(path.join(root, 'dist', 'sbom.cdx.json'), JSON.stringify(sbom, undefined, 1));
}

/** Packages what is in `dist/` and says what it weighs. @param of the release: where links of the README lead to */
export async function packageExtension(of?: { readonly url: string; readonly tag: string }): Promise<string[]> {
  await writeSbom();
  const lenient = ['--allow-missing-repository', '--no-rewrite-relative-links']; // there is no public repository yet
  const links = of && [
    ...['--baseContentUrl', `${of.url}/blob/${of.tag}`],
    ...['--baseImagesUrl', `${of.url}/raw/${of.tag}`],
    '--allow-missing-repository',
  ];
  const args = ['package', '--no-dependencies', ...(links ?? lenient), '--out', vsixFile];
  await runOk(process.execPath, [bin.vsce, ...args], { cwd: root });
  const isShown = (name: string) => path.extname(name) !== '' && !name.endsWith('.map');
  const dist = readdirSync(path.join(root, 'dist')).filter(isShown);
  const kilobytes = (file: string): string => `${(statSync(file).size / 1000).toFixed(0)} KB`;
  return [
    ...dist.map((name) => `dist/${name} ${kilobytes(path.join(root, 'dist', name))}`),
    `${path.basename(vsixFile)} ${kilobytes(vsixFile)}`,
  ];
}
