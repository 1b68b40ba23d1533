import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tempDir } from '../harness/paths.ts';
import { Store } from '../ui/store.ts';
import type { WebWorkbench } from './workbench.ts';

/** What the browser's storage is read by, as far as it is read here. */
interface Folder {
  readonly values: () => AsyncIterable<Folder & StoredFile>;
}
interface Bytes {
  readonly slice: (from: number, to?: number) => Bytes;
  readonly text: () => Promise<string>;
  readonly arrayBuffer: () => Promise<ArrayBuffer>;
}
interface StoredFile {
  readonly kind: 'file' | 'directory';
  readonly getFile: () => Promise<Bytes>;
}
interface Browser {
  readonly navigator: { readonly storage: { readonly getDirectory: () => Promise<Folder> } };
  readonly btoa: (text: string) => string;
}

/** The database in the origin of the extension host, in base64: empty before there is one, none where it was written meanwhile. */
const databaseOf = async (): Promise<string | undefined> => {
  const { navigator, btoa } = globalThis as unknown as Browser;
  // before each file of SQLite in the browser’s storage stand its path and some flags
  const [header, longestPath] = [4096, 512];
  const find = async (folder: Folder): Promise<Bytes | undefined> => {
    for await (const entry of folder.values()) {
      const file = entry.kind === 'directory' ? await find(entry) : await entry.getFile();
      const isDatabase = file && (await file.slice(0, longestPath).text()).includes('/forecasts.db\0');
      if (isDatabase) return file;
    }
    return undefined;
  };
  try {
    const file = await find(await navigator.storage.getDirectory());
    if (!file) return '';
    const bytes = new Uint8Array(await file.slice(header).arrayBuffer());
    const parts: string[] = [];
    for (let at = 0; at < bytes.length; at += 32_768)
      parts.push(String.fromCharCode(...bytes.subarray(at, at + 32_768)));
    return btoa(parts.join(''));
  } catch (error) {
    if (error instanceof Error && error.name === 'NotReadableError') return undefined;
    throw error;
  }
};

/**
 * What the service in the browser has on the disk, read from a copy of its database. One that was taken in the middle of
 * a transaction is of two times, so that a whole one is waited for: a database that stays broken is an error.
 */
export async function storedIn<T>(vscode: WebWorkbench, read: (store: Store) => T): Promise<T> {
  const folder = tempDir('store');
  const store = new Store(path.join(folder, 'forecasts.db'));
  try {
    await vscode.until(
      async () => {
        const database = await vscode.extensionHost().evaluate(databaseOf);
        if (database) writeFileSync(store.file, Buffer.from(database, 'base64'));
        return database === '' || (database !== undefined && store.isWhole());
      },
      (isWhole) => isWhole,
    );
    return read(store);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
