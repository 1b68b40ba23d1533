import type { Dirent, Stats } from 'node:fs';
import { FileType } from './values.ts';

export const typeOf = (entry: Dirent | Stats): number => (entry.isDirectory() ? FileType.Directory : FileType.File);

/** A failure comes as a rejection, as from the editor. */
export const wait = async <T>(work: () => T): Promise<T> => {
  await Promise.resolve();
  return work();
};
