import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { tempDir } from '../harness/paths.ts';
import { Store } from '../ui/store.ts';
import type { WebWorkbench } from './workbench.ts';

/** What the browser's storage is read by, as far as it is read here. */
interface Folder {
  readonly values: () => AsyncIterable<Folder & StoredFile>;
}
interface StoredFile {
  readonly kind: 'file' | 'directory';
  readonly getFile: () => Promise<{ readonly arrayBuffer: () => Promise<ArrayBuffer> }>;
}
interface Browser {
  readonly navigator: { readonly storage: { readonly getDirectory: () => Promise<Folder> } };
  readonly btoa: (text: string) => string;
}

/** Before each file of SQLite in the browser’s storage stand its path and some flags. */
const HEADER = 4096;
const LONGEST_PATH = 512;

/** All files of the origin of the extension host, in base64; none where one was written meanwhile. */
const filesOf = async (): Promise<string[] | undefined> => {
  const { navigator, btoa } = globalThis as unknown as Browser;
  const files: string[] = [];
  const walk = async (folder: Folder): Promise<void> => {
    for await (const entry of folder.values()) {
      if (entry.kind === 'directory') await walk(entry);
      else {
        const bytes = new Uint8Array(await (await entry.getFile()).arrayBuffer());
        const parts: string[] = [];
        for (let at = 0; at < bytes.length; at += 32_768)
          parts.push(String.fromCharCode(...bytes.subarray(at, at + 32_768)));
        files.push(btoa(parts.join('')));
      }
    }
  };
  try {
    await walk(await navigator.storage.getDirectory());
    return files;
  } catch (error) {
    if (error instanceof Error && error.name === 'NotReadableError') return undefined;
    throw error;
  }
};

/** A copy of the database of the service in the browser, as it is on the disk at the moment; empty before there is one. */
export async function storedIn(vscode: WebWorkbench): Promise<Store> {
  const host = vscode.extensionHost();
  const files = await vscode.until(
    () => host.evaluate(filesOf),
    (all) => all !== undefined,
  );
  const contents = (files ?? []).map((text) => Buffer.from(text, 'base64'));
  const isDatabase = (bytes: Buffer) => bytes.subarray(0, LONGEST_PATH).toString('latin1').includes('/forecasts.db\0');
  const database = contents.find(isDatabase);
  const copy = path.join(tempDir('store'), 'forecasts.db');
  if (database) writeFileSync(copy, database.subarray(HEADER));
  return new Store(copy);
}
