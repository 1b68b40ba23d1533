import { createHash } from '#platform/hash';
import { type Place, Shelf } from '#platform/shelf';
import * as z from 'zod/mini';

/** Records above the limit before the oldest are removed. */
const ROOM = 100;

/** Small records by their keys, a file each, so that windows do not overwrite each other's. */
export class Records<T extends z.ZodMiniType> {
  readonly #shelf: Shelf;
  readonly #file: z.ZodMiniObject<{ key: z.ZodMiniString; value: T }>;
  readonly #most: number;
  readonly #onProblem: (error: unknown) => void;
  /** Values that could not be written, newest last, or deleted (`undefined`): known to this window alone. */
  readonly #own = new Map<string, z.infer<T> | undefined>();

  /** @param most the oldest are forgotten beyond it @param onProblem gets an error of the file system; throws by default */
  constructor(
    place: Place,
    schema: T,
    most: number,
    onProblem = (error: unknown): void => {
      throw error;
    },
  ) {
    this.#shelf = new Shelf(place);
    this.#file = z.object({ key: z.string(), value: schema });
    this.#most = most;
    this.#onProblem = onProblem;
  }

  /** As it is now, also by another window; `undefined` if there is none that can be read. */
  get(key: string): z.infer<T> | undefined {
    return this.#own.has(key) ? this.#own.get(key) : this.#read(nameOf(key))?.value;
  }

  all(): readonly z.infer<T>[] {
    const own = [...this.#own.values()].filter((value) => value !== undefined);
    const written = this.#shelf.byAge().flatMap((name) => {
      const read = this.#read(name);
      return read && !this.#own.has(read.key) ? [read.value] : [];
    });
    return [...written, ...own].reverse();
  }

  set(key: string, value: z.infer<T>): void {
    this.#keep(key, value, () => this.#shelf.write(nameOf(key), JSON.stringify({ key, value })));
    const names = this.#shelf.names().length > this.#most + ROOM ? this.#shelf.byAge() : [];
    for (const name of names.slice(0, -this.#most)) this.#try(() => this.#shelf.remove(name));
  }

  delete(key: string): boolean {
    const isThere = this.get(key) !== undefined;
    this.#keep(key, undefined, () => this.#shelf.remove(nameOf(key)));
    return isThere;
  }

  #keep(key: string, value: z.infer<T> | undefined, write: () => void): void {
    this.#own.set(key, value);
    if (this.#try(write)) this.#own.delete(key);
  }

  #try(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      this.#onProblem(error);
      return false;
    }
  }

  #read(name: string): { readonly key: string; readonly value: z.infer<T> } | undefined {
    try {
      return z.parse(this.#file, JSON.parse(this.#shelf.read(name))) as { key: string; value: z.infer<T> };
    } catch {
      // missing, deleted by another window just now, or damaged
      return undefined;
    }
  }
}

const nameOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 40);
