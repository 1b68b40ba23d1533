// Unit tests run in plain Node, where there is no `vscode`: the editor's modules are handed the workbench of the tests.
import { registerHooks } from 'node:module';

const workbench = new URL('./editor/workbench/vscode.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: workbench, shortCircuit: true } : next(specifier, context),
});
