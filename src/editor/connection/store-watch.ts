import { watchDatabases } from '#platform/watch';

/** Changes within so many milliseconds are told once. */
const TOGETHER = 500;

/**
 * Tells when the store of the local service has changed, by this window or another one on the same store. It watches from
 * {@link start} on.
 */
export class StoreWatch {
  readonly #folder: string;
  readonly #onChange: () => void;
  readonly #onProblem: (problem: unknown) => void;
  #watcher: { close(): void } | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param folder is made where it is missing */
  constructor(folder: string, onChange: () => void, onProblem: (problem: unknown) => void) {
    this.#folder = folder;
    this.#onChange = onChange;
    this.#onProblem = onProblem;
  }

  /** Where the folder cannot be watched, that is reported, and nothing is told. */
  start(): void {
    if (this.#watcher) return;
    try {
      const onChange = () => {
        this.#changed();
      };
      this.#watcher = watchDatabases(this.#folder, onChange, this.#onProblem);
    } catch (problem) {
      this.#onProblem(problem);
    }
  }

  dispose(): void {
    this.#watcher?.close();
    clearTimeout(this.#timer);
  }

  #changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#onChange();
    }, TOGETHER);
  }
}
