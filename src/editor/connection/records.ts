import { createHash } from '#platform/hash';
import { type Place, Shelf } from '#platform/shelf';
import * as z from 'zod/mini';

/** Above this many so many of the oldest go. */
const ROOM = 100;

/**
 * Small records by their keys, each by itself: windows that write at the same time do not write over each other.
 */
export class Records<T extends z.ZodMiniType> {
  readonly #shelf: Shelf;
  readonly #file: z.ZodMiniObject<{ key: z.ZodMiniString; value: T }>;
  readonly #most: number;
  readonly #trouble: (error: unknown) => void;
  /**
   * What could not be written, newest last, and as `undefined` what could not be deleted: known to this window alone, as long
   * as it is open.
   */
  readonly #own = new Map<string, z.infer<T> | undefined>();

  /**
   * @param place where they are kept
   * @param most records that are kept; of more, the oldest are forgotten
   * @param trouble is told what the file system does not let be written; by itself it throws
   */
  constructor(place: Place, schema: T, most: number, trouble: (error: unknown) => void = thrown) {
    this.#shelf = new Shelf(place);
    this.#file = z.object({ key: z.string(), value: schema });
    this.#most = most;
    this.#trouble = trouble;
  }

  /** As it is now, also by another window; `undefined` where there is none that can be read. */
  get(key: string): z.infer<T> | undefined {
    return this.#own.has(key) ? this.#own.get(key) : this.#read(nameOf(key))?.value;
  }

  /** Newest first. */
  all(): readonly z.infer<T>[] {
    const own = [...this.#own.values()].reverse().flatMap((value) => (value === undefined ? [] : [value]));
    const written = this.#shelf.byAge().flatMap((name) => {
      const read = this.#read(name);
      return read && !this.#own.has(read.key) ? [read.value] : [];
    });
    return [...own, ...written.reverse()];
  }

  /** What cannot be written is known to this window alone. */
  set(key: string, value: z.infer<T>): void {
    this.#own.delete(key);
    try {
      this.#shelf.write(nameOf(key), JSON.stringify({ key, value }));
      this.#makeRoom();
    } catch (error) {
      this.#own.set(key, value);
      for (const oldest of this.#own.keys()) if (this.#own.size > this.#most) this.#own.delete(oldest);
      this.#trouble(error);
    }
  }

  /** What cannot be deleted is gone for this window alone. @returns whether it was there */
  delete(key: string): boolean {
    const isThere = this.get(key) !== undefined;
    if (this.#remove(nameOf(key))) this.#own.delete(key);
    else this.#own.set(key, undefined);
    return isThere;
  }

  /** @returns whether it is gone */
  #remove(name: string): boolean {
    try {
      this.#shelf.remove(name);
      return true;
    } catch (error) {
      this.#trouble(error);
      return false;
    }
  }

  #read(name: string): { readonly key: string; readonly value: z.infer<T> } | undefined {
    try {
      const parsed = z.safeParse(this.#file, JSON.parse(this.#shelf.read(name)));
      return parsed.success ? (parsed.data as { key: string; value: z.infer<T> }) : undefined;
    } catch {
      // there is none, or another window has just taken it away, or a disk has spoilt it
      return undefined;
    }
  }

  #makeRoom(): void {
    if (this.#shelf.names().length <= this.#most + ROOM) return;
    const names = this.#shelf.byAge();
    for (const name of names.slice(0, names.length - this.#most)) this.#remove(name);
  }
}

const nameOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 40);

const thrown = (error: unknown): never => {
  throw error;
};
