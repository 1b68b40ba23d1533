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
  /** What could not be written, newest last: known to this window, as long as it is open. */
  readonly #unwritten = new Map<string, z.infer<T>>();
  /** What could not be deleted: gone for this window, as long as it is open. */
  readonly #undeleted = new Set<string>();

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
    return this.#unwritten.get(key) ?? this.#written(key);
  }

  /** Whether it outlives this window. */
  isWritten(key: string): boolean {
    return !this.#unwritten.has(key) && this.#written(key) !== undefined;
  }

  #written(key: string): z.infer<T> | undefined {
    return this.#undeleted.has(key) ? undefined : this.#read(this.#pathOf(key))?.value;
  }

  /** Newest first. */
  all(): readonly z.infer<T>[] {
    const written = this.#names()
      .map((name) => path.join(this.#folder, name))
      .map((file) => ({ read: this.#read(file), time: timeOf(file) }))
      .sort((a, b) => b.time - a.time)
      .flatMap(({ read }) =>
        read && !this.#unwritten.has(read.key) && !this.#undeleted.has(read.key) ? [read.value] : [],
      );
    return [...[...this.#unwritten.values()].reverse(), ...written];
  }

  /** What cannot be written is known to this window alone. @returns whether it is written */
  set(key: string, value: z.infer<T>): boolean {
    const file = this.#pathOf(key);
    // whole or not at all, also for a window that reads at this moment
    const draft = `${file}.${randomUUID()}`;
    this.#unwritten.delete(key);
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(draft, JSON.stringify({ key, value }));
      renameSync(draft, file);
      this.#undeleted.delete(key);
      this.#makeRoom();
      return true;
    } catch (error) {
      this.#unwritten.set(key, value);
      const [oldest] = this.#unwritten.keys();
      if (this.#unwritten.size > this.#most) this.#unwritten.delete(oldest);
      this.#trouble(error);
      this.#remove(draft);
      return false;
    }
  }

  /** What cannot be deleted is gone for this window alone. @returns whether it was there */
  delete(key: string): boolean {
    const isThere = this.get(key) !== undefined;
    this.#unwritten.delete(key);
    this.#undeleted.add(key);
    if (this.#remove(this.#pathOf(key))) this.#undeleted.delete(key);
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

  #makeRoom(): void {
    const names = this.#names();
    if (names.length <= this.#most + ROOM) return;
    const files = names.map((name) => path.join(this.#folder, name)).map((file) => ({ file, time: timeOf(file) }));
    const oldest = files.sort((a, b) => a.time - b.time).slice(0, files.length - this.#most);
    for (const { file } of oldest) this.#remove(file);
  }
}

const timeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const thrown = (error: unknown): never => {
  throw error;
};
