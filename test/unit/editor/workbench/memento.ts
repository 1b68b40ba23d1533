/** A memento that keeps a copy of what it is given, as the editor's does. */
export class Memento {
  readonly #values = new Map<string, string>();

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  get<T>(key: string, initial?: T): T {
    const stored = this.#values.get(key);
    return (stored === undefined ? initial : JSON.parse(stored)) as T;
  }

  update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, JSON.stringify(value));
    return Promise.resolve();
  }
}
