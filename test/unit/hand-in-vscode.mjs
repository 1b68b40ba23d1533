// Unit tests run in plain Node, where there is no `vscode`: the editor's modules are handed the workbench of the tests.
// Node strips types but knows no JSX: components are compiled as the bundles are, by esbuild.
// What fast-check tries is the same at every run, unless FAST_CHECK_SEED says otherwise.
import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
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
