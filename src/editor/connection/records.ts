import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';

/** Above this many so many of the oldest go. */
const ROOM = 100;

/**
 * Small records by their keys, each in a file of its own: windows that write at the same time do not write over each
 * other, as they would in the one value that the editor keeps of an extension's state.
 */
export class Records<T extends z.ZodMiniType> {
  readonly #folder: string;
  readonly #file: z.ZodMiniObject<{ key: z.ZodMiniString; value: T }>;
  readonly #most: number;
  readonly #trouble: (error: unknown) => void;
  /**
   * What could not be written, newest last, and as `undefined` what could not be deleted: known to this window alone, as long
   * as it is open.
   */
  readonly #own = new Map<string, z.infer<T> | undefined>();

  /**
   * @param folder is made with the first record
   * @param most records that are kept; of more, the oldest are forgotten
   * @param trouble is told what the file system does not let be written; by itself it throws
   */
  constructor(folder: string, schema: T, most: number, trouble: (error: unknown) => void = thrown) {
    this.#folder = folder;
    this.#file = z.object({ key: z.string(), value: schema });
    this.#most = most;
    this.#trouble = trouble;
  }

  /** As it is now, also by another window; `undefined` where there is none that can be read. */
  get(key: string): z.infer<T> | undefined {
    return this.#own.has(key) ? this.#own.get(key) : this.#read(this.#pathOf(key))?.value;
  }

  /** Newest first. */
  all(): readonly z.infer<T>[] {
    const own = [...this.#own.values()].reverse().flatMap((value) => (value === undefined ? [] : [value]));
    const written = this.#byAge().flatMap((file) => {
      const read = this.#read(file);
      return read && !this.#own.has(read.key) ? [read.value] : [];
    });
    return [...own, ...written.reverse()];
  }

  /** What cannot be written is known to this window alone. */
  set(key: string, value: z.infer<T>): void {
    const file = this.#pathOf(key);
    // whole or not at all, also for a window that reads at this moment
    const draft = `${file}.${randomUUID()}`;
    this.#own.delete(key);
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(draft, JSON.stringify({ key, value }));
      renameSync(draft, file);
      this.#makeRoom();
    } catch (error) {
      this.#own.set(key, value);
      for (const oldest of this.#own.keys()) if (this.#own.size > this.#most) this.#own.delete(oldest);
      this.#trouble(error);
      this.#remove(draft);
    }
  }

  /** What cannot be deleted is gone for this window alone. @returns whether it was there */
  delete(key: string): boolean {
    const isThere = this.get(key) !== undefined;
    if (this.#remove(this.#pathOf(key))) this.#own.delete(key);
    else this.#own.set(key, undefined);
    return isThere;
  }

  /** @returns whether it is gone */
  #remove(file: string): boolean {
    try {
      rmSync(file, { force: true });
      return true;
    } catch (error) {
      this.#trouble(error);
      return false;
    }
  }

  #pathOf(key: string): string {
    return path.join(this.#folder, `${createHash('sha256').update(key).digest('hex').slice(0, 40)}.json`);
  }

  #read(file: string): { readonly key: string; readonly value: z.infer<T> } | undefined {
    try {
      const parsed = z.safeParse(this.#file, JSON.parse(readFileSync(file, 'utf8')));
      return parsed.success ? (parsed.data as { key: string; value: z.infer<T> }) : undefined;
    } catch {
      // there is none, or another window has just taken it away, or a disk has spoilt it
      return undefined;
    }
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder).filter((name) => name.endsWith('.json'));
    } catch {
      return [];
    }
  }

  /** The files, oldest first. */
  #byAge(): string[] {
    const files = this.#names().map((name) => path.join(this.#folder, name));
    const timed = files.map((file) => ({ file, time: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
    return timed.sort((a, b) => a.time - b.time).map(({ file }) => file);
  }

  #makeRoom(): void {
    if (this.#names().length <= this.#most + ROOM) return;
    const files = this.#byAge();
    for (const file of files.slice(0, files.length - this.#most)) this.#remove(file);
  }
}

const thrown = (error: unknown): never => {
  throw error;
};
