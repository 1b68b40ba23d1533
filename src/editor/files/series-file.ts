import { createHash } from '#platform/hash';
import * as vscode from 'vscode';
import { lastPoints } from '../../reading/points.ts';
import type { ReadSeries } from '../../reading/types.ts';
import type { ThreadReader } from '../../reading/thread/reader.ts';
import type { Source } from '../connection/memory.ts';
import { inBackground } from '../ui/say.ts';
import type { Choices } from './choices.ts';
import { editedDocument, fileNameOf, openAsBefore, type OpenedDocument } from './document.ts';

export interface FileListener {
  /** As it was read last, in the way that was chosen for it: at once, and after each change. Unreadable cells are missing. */
  readonly onRead: (opened: OpenedDocument) => void;
  readonly onFailure?: (error: unknown) => void;
  readonly onDelete?: () => void;
}

interface Known {
  readonly reader: ThreadReader;
  readonly choices: Choices;
  readonly log: vscode.LogOutputChannel;
}

const DEBOUNCE = 400;
/** A file that never rests is read all the same. */
const LONGEST_WAIT = 2000;
/** A file that takes long to read is read again seldom: after so many times as long. */
const REST = 4;

export class SeriesFiles implements vscode.Disposable {
  readonly #known: Known;
  readonly #files = new Map<string, SeriesFile>();
  readonly #disposables: vscode.Disposable[];

  constructor(known: Known) {
    this.#known = known;
    this.#disposables = [
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.#files.get(document.uri.toString())?.edited();
      }),
      vscode.workspace.onDidSaveTextDocument((document) => {
        const file = this.#files.get(document.uri.toString());
        if (file) inBackground(known.log, file.saved(document));
      }),
    ];
  }

  /** Follows a file, edits that are not saved included, until the subscription is disposed. */
  subscribe(uri: vscode.Uri, listener: FileListener): vscode.Disposable {
    const key = uri.toString();
    const file = this.#files.get(key) ?? new SeriesFile(uri, this.#known);
    this.#files.set(key, file);
    file.add(listener);
    return new vscode.Disposable(() => {
      file.listeners.delete(listener);
      if (file.listeners.size > 0) return;
      file.dispose();
      if (this.#files.get(key) === file) this.#files.delete(key);
    });
  }

  /** A file as it is now; where it is followed it is not read for this alone. @throws SeriesError */
  read(uri: vscode.Uri): Promise<OpenedDocument> {
    const file = this.#files.get(uri.toString());
    return file ? file.now() : openAsBefore(this.#known, uri, 'report', new AbortController().signal);
  }

  dispose(): void {
    for (const file of this.#files.values()) file.dispose();
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

class SeriesFile {
  readonly listeners = new Set<FileListener>();
  readonly #uri: vscode.Uri;
  readonly #known: Known;
  readonly #watcher: vscode.Disposable | undefined;
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  /** Since when a change waits to be read (epoch milliseconds). */
  #since: number | undefined;
  #took = 0;
  #reading: Promise<OpenedDocument> | undefined;
  #opened: OpenedDocument | undefined;
  /** What was read, see {@link #version}; undefined where an edit made it old. */
  #read: string | undefined;

  constructor(uri: vscode.Uri, known: Known) {
    this.#uri = uri;
    this.#known = known;
    if (uri.scheme === 'untitled') return;
    // brackets and braces would be read as a pattern
    const name = fileNameOf(uri).replaceAll(/[[\]{}*?]/g, '?');
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), name);
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const onlyOwn = (react: () => void) => (changed: vscode.Uri) => {
      if (changed.toString() === uri.toString()) react();
    };
    watcher.onDidChange(onlyOwn(() => this.#later()));
    watcher.onDidCreate(onlyOwn(() => this.#later()));
    watcher.onDidDelete(onlyOwn(() => this.#notify(({ onDelete }) => onDelete?.())));
    this.#watcher = watcher;
  }

  add(listener: FileListener): void {
    this.listeners.add(listener);
    const before = this.#opened;
    this.now().then(
      (opened) => {
        // a reading after the subscription has notified it
        if (opened === before && this.listeners.has(listener)) listener.onRead(opened);
      },
      (error: unknown) => this.#known.log.debug(`${this.#uri.path} cannot be read: ${String(error)}`),
    );
  }

  /** As it is now, read once however many ask. @throws SeriesError */
  async now(): Promise<OpenedDocument> {
    await this.#reading?.catch(() => undefined);
    if (this.#opened && this.#read !== undefined && this.#read === (await this.#version())) return this.#opened;
    return this.#only(() => this.#readNow());
  }

  #only(read: () => Promise<OpenedDocument>): Promise<OpenedDocument> {
    return (this.#reading ??= read().finally(() => {
      this.#reading = undefined;
    }));
  }

  edited(): void {
    this.#read = undefined;
    this.#later();
  }

  /** What was read as an edit is on the disk now, and need not be read once more. */
  async saved({ version }: vscode.TextDocument): Promise<void> {
    const opened = this.#opened;
    if (!opened || this.#read !== this.#versionOf('text', version)) return this.#later();
    const noted = async () => {
      const version = await this.#version();
      if (this.#read !== undefined) this.#read = version;
      return opened;
    };
    await this.#only(noted);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#watcher?.dispose();
    this.#abort.abort();
  }

  #notify(tell: (listener: FileListener) => void): void {
    for (const listener of [...this.listeners]) tell(listener);
  }

  #later(): void {
    // a file that is being written is read once it rests
    this.#since ??= Date.now();
    if (Date.now() - this.#since > LONGEST_WAIT) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.#since = undefined;
        this.now().catch(() => undefined);
      },
      Math.max(DEBOUNCE, REST * this.#took),
    );
  }

  async #readNow(): Promise<OpenedDocument> {
    const start = performance.now();
    const version = (this.#read = await this.#version());
    try {
      const opened = await openAsBefore(this.#known, this.#uri, 'report', this.#abort.signal);
      this.#opened = opened;
      this.#notify(({ onRead }) => onRead(opened));
      return opened;
    } catch (error) {
      if (this.#read === version) this.#read = undefined;
      this.#opened = undefined;
      this.#notify(({ onFailure }) => onFailure?.(error));
      throw error;
    } finally {
      this.#took = performance.now() - start;
    }
  }

  /** Equal for the same text read in the same way: of an edited document its version, else when its file was written. */
  async #version(): Promise<string> {
    const edited = editedDocument(this.#uri);
    if (edited) return this.#versionOf('text', edited.version);
    const stat = await vscode.workspace.fs.stat(this.#uri).then(undefined, () => undefined);
    // without a time the file may have changed
    return this.#versionOf('file', ...(stat && stat.mtime > 0 ? [stat.mtime, stat.size] : [crypto.randomUUID()]));
  }

  #versionOf(...content: (string | number)[]): string {
    return JSON.stringify([...content, this.#known.choices.latest(this.#uri)?.layout]);
  }
}

/** Reports when a file no longer holds the forecast numbers, and when it does again; nothing while it is unreadable. */
export function followSeries(
  files: SeriesFiles,
  { uri, id, fingerprint, isPart }: Source,
  { onChange, onSeries }: { onChange: (isCurrent: boolean) => void; onSeries?: (series: ReadSeries) => void },
): vscode.Disposable {
  if (uri === undefined) return new vscode.Disposable(() => undefined);
  let isCurrent = true;
  return files.subscribe(vscode.Uri.parse(uri), {
    onRead: ({ document }) => {
      const series = document.series.find((one) => one.id === id);
      if (!series) return;
      onSeries?.(series);
      if (fingerprint === undefined || isPart) return;
      const now = fingerprintOf(series) === fingerprint;
      if (now !== isCurrent) onChange((isCurrent = now));
    },
  });
}

/** Identifies the data of a forecast: its last points, times and values, and whether any time is closed. */
export function fingerprintOf(series: Pick<ReadSeries, 'times' | 'values' | 'closed'>): string {
  const { times, values } = lastPoints(series);
  const hash = createHash('sha256');
  if (series.closed === false) hash.update('open');
  for (const { buffer, byteOffset, byteLength } of [times, values])
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  return hash.digest('base64url').slice(0, 22);
}

export function sourceOf(
  { uri, document, isPart }: Pick<OpenedDocument, 'uri' | 'document' | 'isPart'>,
  series: ReadSeries,
): Source {
  const { id, valueColumn, timeColumn, idColumn, timeKind, timeZone } = series;
  return {
    fileName: fileNameOf(uri),
    uri: uri.toString(),
    format: document.format,
    ...{ id, valueColumn, timeColumn, idColumn, timeKind, timeZone },
    fingerprint: fingerprintOf(series),
    isPart,
  };
}
