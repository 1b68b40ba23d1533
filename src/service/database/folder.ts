import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes a folder for this user alone, which no repository takes in: what is stored, and the token, are nobody else's.
 * @throws the system's error
 */
export function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    // one that is there stays; where it cannot be written, what is stored next tells
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}
