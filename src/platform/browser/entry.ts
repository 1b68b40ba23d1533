/** Entry of the extension in a browser: imports the extension as it is anywhere else. */
import * as vscode from 'vscode';
import { GLOBAL, type Modules, Programs } from './programs.ts';

declare const MODULES: Modules;

const THREADS = ['./series.mjs', './service.mjs', './engine.mjs'];
const DATABASE = 'web/sqlite3.wasm';

interface Main {
  activate(context: vscode.ExtensionContext): unknown;
  deactivate(): Promise<void>;
}

let main: Promise<Main> | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<unknown> {
  const dist = vscode.Uri.joinPath(context.extensionUri, 'dist');
  const read = async (file: string) => vscode.workspace.fs.readFile(vscode.Uri.joinPath(dist, file));
  const programs = new Programs(read, Object.keys(vscode), MODULES);
  Object.assign(globalThis, { [GLOBAL]: { editor: vscode, programs, load: programs.load } });
  main = programs.load('./main.mjs') as Promise<Main>;
  const { activate: start } = await main;
  programs.expect(DATABASE);
  for (const name of THREADS) programs.address(name).catch(() => undefined); // read again when the thread starts
  return start(context);
}

export const deactivate = async (): Promise<void> => (await main)?.deactivate();
