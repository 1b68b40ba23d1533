import { mkdirSync, watch } from 'node:fs';

/**
 * Tells when the databases of a folder change, whichever program changes them. @param folder is made where it is missing
 * @throws the system's error where it cannot be watched
 */
export function watchDatabases(
  folder: string,
  onChange: () => void,
  onProblem: (problem: unknown) => void,
): { close(): void } {
  mkdirSync(folder, { recursive: true });
  const watcher = watch(folder, (_event, name) => {
    // what is written goes to the log beside the database first
    if (name === null || name.endsWith('.db') || name.endsWith('.db-wal')) onChange();
  });
  return watcher.on('error', onProblem);
}
