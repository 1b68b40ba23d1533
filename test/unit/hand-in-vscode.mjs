// Unit tests run in plain Node, where there is no `vscode`: the editor's modules are handed the workbench of the tests.
// Node strips types but knows no JSX: components are compiled as the bundles are, by esbuild.
// What fast-check tries is the same at every run, unless FAST_CHECK_SEED says otherwise.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 4711) });

const workbench = new URL('./editor/workbench/vscode.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: workbench, shortCircuit: true } : next(specifier, context),
  load: (url, context, next) => {
    const { protocol, pathname } = new URL(url);
    if (protocol !== 'file:' || !pathname.endsWith('.tsx')) return next(url, context);
    return { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true };
  },
});

/** A component as a module; esbuild is loaded with the first. */
function compiled(sourcefile) {
  const { transformSync } = createRequire(import.meta.url)('esbuild');
  const options = { loader: 'tsx', jsx: 'automatic', jsxImportSource: 'preact', sourcemap: 'inline' };
  return transformSync(readFileSync(sourcefile, 'utf8'), { ...options, sourcefile }).code;
}

/** Bundles the programs of threads, once for a run of mocha and before its processes start; `threads.ts` names them. */
export async function mochaGlobalSetup() {
  const folder = mkdtempSync(path.join(tmpdir(), 'forecasts-threads-'));
  const { bundleThreads } = await import('../harness/build.ts');
  await bundleThreads(folder);
  process.env.TEST_THREADS = folder;
}

export function mochaGlobalTeardown() {
  if (process.env.TEST_THREADS) rmSync(process.env.TEST_THREADS, { recursive: true, force: true });
}
