import { failure } from '../../contract/failures.ts';
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isToken, newToken } from '../store/token.ts';
import { makeFolder } from '#platform/sqlite';
import { StoreError } from '../errors.ts';

/** The token of an earlier run, or a new one, in a file that only this user may read. @throws StoreError */
export function tokenOf(folder: string): string {
  const file = join(folder, 'token');
  const kept = read(file);
  if (kept !== undefined) return kept;
  const token = newToken();
  const beside = `${file}-${crypto.randomUUID()}`;
  try {
    makeFolder(folder);
    writeFileSync(beside, token, { mode: 0o600, flush: true });
    renameSync(beside, file);
    return token;
  } catch (cause) {
    rmSync(beside, { force: true });
    const reason = cause instanceof Error ? cause.message : String(cause);
    const sentence = `The service’s token cannot be stored in ${folder}: ${reason}. Free some space, or choose another folder with --data.`;
    throw new StoreError(failure('other', sentence), { cause });
  }
}

function read(file: string): string | undefined {
  try {
    const token = readFileSync(file, 'utf8').trim();
    chmodSync(file, 0o600);
    return isToken(token) ? token : undefined;
  } catch {
    return undefined; // not there, or no file that can be read: then a new one is written, or refused with the reason
  }
}
