import type * as vscode from 'vscode';

/** Work that nothing awaits. Its failure goes to the log. */
export function inBackground(
  log: Pick<vscode.LogOutputChannel, 'error'>,
  work: PromiseLike<unknown> | undefined,
): void {
  work?.then(undefined, (error: unknown) =>
    log.error(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  );
}
