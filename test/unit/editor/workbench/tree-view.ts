import { EventEmitter } from './values.ts';

/** A view of the sidebar that is not drawn; the test says whether it is in sight. */
export class TreeView {
  readonly id: string;
  readonly treeDataProvider: unknown;
  readonly selection: readonly unknown[] = [];
  readonly revealed: unknown[] = [];
  visible = false;
  message: string | undefined;
  description: string | undefined;
  readonly #seen = new EventEmitter<{ readonly visible: boolean }>();
  readonly onDidChangeVisibility = this.#seen.event;

  constructor(id: string, treeDataProvider: unknown) {
    this.id = id;
    this.treeDataProvider = treeDataProvider;
  }

  /** The person opens the view, or closes it. */
  see(visible: boolean): void {
    this.visible = visible;
    this.#seen.fire({ visible });
  }

  reveal(node: unknown): Promise<void> {
    this.revealed.push(node);
    return Promise.resolve();
  }

  dispose(): void {
    this.visible = false;
  }
}
