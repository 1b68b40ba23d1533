/**
 * A folder without a disk: the scheme `folder:`, whose files are kept by the server of the tests. The test writes and
 * reads them there, and a reload of the window finds them again.
 */
import * as vscode from 'vscode';

/** What the server tells of a file or a folder. */
interface Told {
  readonly type: 'file' | 'folder';
  readonly size: number;
  readonly changed: number;
  /** Of a folder, what is in it. */
  readonly entries: readonly (readonly [name: string, type: 'file' | 'folder'])[];
}

const typeOf = (type: 'file' | 'folder') => (type === 'file' ? vscode.FileType.File : vscode.FileType.Directory);

class Folder implements vscode.FileSystemProvider {
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changes.event;
  readonly #server: vscode.Uri;
  readonly #stopped = new AbortController();

  constructor(server: vscode.Uri) {
    this.#server = server;
  }

  dispose(): void {
    this.#stopped.abort();
    this.#changes.dispose();
  }

  async #ask(kind: string, { path }: vscode.Uri, request: RequestInit = {}): Promise<Response> {
    const url = `${this.#server.toString()}${kind}${path.split('/').map(encodeURIComponent).join('/')}`;
    const response = await fetch(url, { ...request, signal: this.#stopped.signal });
    if (response.status === 404) throw vscode.FileSystemError.FileNotFound(path);
    if (!response.ok) throw vscode.FileSystemError.Unavailable(`${path}: ${String(response.status)}`);
    return response;
  }

  /** Tells of changes as long as the window is open: the server answers once there are some. */
  async follow(): Promise<void> {
    for (let since = '-1'; !this.#stopped.signal.aborted;) {
      const response = await this.#ask('changes', vscode.Uri.from({ scheme: 'folder', path: `/${since}` }));
      const { next, paths } = (await response.json()) as { next: string; paths: string[] };
      since = next;
      const event = (path: string) => ({
        type: vscode.FileChangeType.Changed,
        uri: vscode.Uri.from({ scheme: 'folder', path }),
      });
      this.#changes.fire(paths.map(event));
    }
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined); // all of it is watched
  }

  async #told(uri: vscode.Uri): Promise<Told> {
    return (await (await this.#ask('stat', uri)).json()) as Told;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { type, size, changed } = await this.#told(uri);
    return { type: typeOf(type), size, ctime: changed, mtime: changed };
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    const { entries } = await this.#told(uri);
    return entries.map(([name, type]) => [name, typeOf(type)]);
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return new Uint8Array(await (await this.#ask('file', uri)).arrayBuffer());
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#ask('file', uri, { method: 'PUT', body: content });
  }

  async delete(uri: vscode.Uri): Promise<void> {
    await this.#ask('file', uri, { method: 'DELETE' });
  }

  async rename(from: vscode.Uri, to: vscode.Uri): Promise<void> {
    await this.writeFile(to, (await this.readFile(from)) as Uint8Array<ArrayBuffer>);
    await this.delete(from);
  }

  createDirectory(): void {
    // a folder is there with the first file in it
  }
}

export function activate({ extensionUri, subscriptions }: vscode.ExtensionContext): void {
  const folder = new Folder(extensionUri.with({ path: '/folder/' }));
  subscriptions.push(folder, vscode.workspace.registerFileSystemProvider('folder', folder));
  folder.follow().catch((error: unknown) => {
    void vscode.window.showErrorMessage(`The folder of the tests is not followed any more: ${String(error)}`);
  });
}
