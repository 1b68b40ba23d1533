/** Work of which only the latest counts: a new run aborts the former one. */
export class Latest {
  #current = new AbortController();

  begin(): AbortSignal {
    this.#current.abort();
    this.#current = new AbortController();
    return this.#current.signal;
  }

  end(): void {
    this.#current.abort();
  }
}
