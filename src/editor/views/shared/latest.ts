/** Work of which only the latest counts: what began before is aborted when the next begins. */
export class Latest {
  #current = new AbortController();

  /** Aborts what began before. @returns the signal of what begins now */
  begin(): AbortSignal {
    this.#current.abort();
    this.#current = new AbortController();
    return this.#current.signal;
  }

  end(): void {
    this.#current.abort();
  }
}
