import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** What a file or folder gives, or nothing where it is gone: what was listed need not be there when it is read. */
function unlessGone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const mebibyte = 1 << 20;

/**
 * The files below `folder` in which `stands` finds a secret, and how many were looked at. The folder may belong to a
 * program at work, which takes journals and locks away between two looks. Files of 200 MiB and more are passed over.
 */
export function searched(folder: string, stands: (bytes: Buffer) => boolean): { count: number; found: string[] } {
  const sum = { count: 0, found: [] as string[] };
  for (const entry of unlessGone(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      const below = searched(name, stands);
      sum.count += below.count;
      sum.found.push(...below.found);
    } else if (entry.isFile()) {
      const bytes = unlessGone(() => (statSync(name).size < 200 * mebibyte ? readFileSync(name) : undefined));
      if (!bytes) continue;
      sum.count++;
      if (stands(bytes)) sum.found.push(name);
    }
  }
  return sum;
}
