import type * as vscode from 'vscode';
import type { Script } from './threads.ts';

export const scriptsOf =
  (context: vscode.ExtensionContext) =>
  (name: string): Script =>
    context.asAbsolutePath(`dist/${name}.mjs`);

/** Runs further programs of the extension; `undefined` where there is nothing that could. */
export const runtime: string | undefined = process.execPath;
