import * as vscode from 'vscode';
import type { Node } from './node.ts';

const URIS = 'text/uri-list';

/** Takes files that are dropped on a view, from the explorer or from another program. */
export class FileDrop implements vscode.TreeDragAndDropController<Node> {
  readonly dragMimeTypes = [];
  readonly dropMimeTypes = [URIS];
  readonly #take: (files: readonly vscode.Uri[]) => void;

  constructor(take: (files: readonly vscode.Uri[]) => void) {
    this.#take = take;
  }

  async handleDrop(_target: Node | undefined, dropped: vscode.DataTransfer): Promise<void> {
    const text = (await dropped.get(URIS)?.asString()) ?? '';
    const files = text
      .split(/[\r\n]+/)
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => vscode.Uri.parse(line, true));
    if (files.length > 0) this.#take(files);
  }
}
