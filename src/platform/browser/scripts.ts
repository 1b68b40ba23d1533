import * as vscode from 'vscode';
import type { Program, Script } from './threads.ts';

/** The programs of the extension, by their names. */
export const scriptsOf =
  ({ extensionUri }: vscode.ExtensionContext) =>
  (name: string): Script =>
    new WebProgram(vscode.Uri.joinPath(extensionUri, 'dist/web'), name);

/** There is nothing that could run further programs. */
export const runtime: string | undefined = undefined;

/** A worker cannot be started from the files of an extension: they are read by the editor, and have an address as a blob. The editor
 * starts it as a classic one, which imports its program as a module, and holds its first message until that has come.
 */
class WebProgram implements Program {
  readonly #folder: vscode.Uri;
  readonly #name: string;
  #address: Promise<string> | undefined;

  constructor(folder: vscode.Uri, name: string) {
    this.#folder = folder;
    this.#name = name;
  }

  address(): Promise<string> {
    return (this.#address ??= this.#load());
  }

  async read(name: string): Promise<Uint8Array> {
    return vscode.workspace.fs.readFile(vscode.Uri.joinPath(this.#folder, name));
  }

  async #load(): Promise<string> {
    const program = blobOf(new Uint8Array(await this.read(`${this.#name}.js`)));
    return blobOf(`started=new Promise(resolve=>addEventListener('message',resolve,{once:true}));import('${program}')`);
  }
}

const blobOf = (content: string | Uint8Array<ArrayBuffer>): string =>
  URL.createObjectURL(new Blob([content], { type: 'text/javascript' }));
