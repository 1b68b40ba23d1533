import * as vscode from 'vscode';
import { say } from '../../ui/say.ts';
import type { Node } from './node.ts';

const URIS = 'text/uri-list';
/** As the editor calls files from another program, whatever is in them. */
const FILES = 'files';

/** Takes files that are dropped on a view, from the explorer or from another program. */
export class FileDrop implements vscode.TreeDragAndDropController<Node> {
  readonly dragMimeTypes = [];
  readonly dropMimeTypes = [URIS, FILES];
  readonly #take: (files: readonly vscode.Uri[]) => void;

  constructor(take: (files: readonly vscode.Uri[]) => void) {
    this.#take = take;
  }

  async handleDrop(_target: Node | undefined, dropped: vscode.DataTransfer): Promise<void> {
    const text = (await dropped.get(URIS)?.asString()) ?? '';
    const listed = text
      .split(/[\r\n]+/)
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => vscode.Uri.parse(line, true));
    const files = [...dropped].flatMap(([, item]) => item.asFile() ?? []);
    const found = listed.length > 0 ? listed : files.flatMap(({ uri }) => uri ?? []);
    if (found.length > 0) this.#take(found);
    // a browser hands over what is in a file, but not where it is
    else if (files.length > 0)
      await say.info(
        vscode.l10n.t('{0} cannot be reached from here. Put it into the folder that is open, and drop it from the explorer.', files[0].name), // prettier-ignore
      );
  }
}
