import type * as vscode from 'vscode';

/** Work that nobody waits for. Its failure is not lost: it goes to the log. */
export function inBackground(
  log: Pick<vscode.LogOutputChannel, 'error'>,
  work: PromiseLike<unknown> | undefined,
): void {
  work?.then(undefined, (error: unknown) => {
    log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  });
}
