// Unit tests run in plain Node, where there is no `vscode`: the editor's modules are handed the workbench of the tests.
// What fast-check tries is the same at every run, unless FAST_CHECK_SEED says otherwise.
import { registerHooks } from 'node:module';
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 4711) });

const workbench = new URL('./editor/workbench/vscode.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: workbench, shortCircuit: true } : next(specifier, context),
});
