import { mkdirSync, watch } from 'node:fs';

/** Calls back when the databases of a folder change, which is created. @throws the system's error */
export function watchDatabases(folder: string, onChange: () => void, onProblem: (problem: unknown) => void) {
  mkdirSync(folder, { recursive: true });
  const watcher = watch(folder, (_event, name) => {
    if (name === null || name.endsWith('.db') || name.endsWith('.db-wal')) onChange();
  });
  return watcher.on('error', onProblem);
}
