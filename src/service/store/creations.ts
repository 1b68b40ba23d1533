import { failure } from '../../contract/failures.ts';
import { createHash, type Hash } from '#platform/hash';
import { sql } from 'kysely';
import { isoInstant } from '../../calendar/format.ts';
import { BusyError, RequestError } from '../errors.ts';
import type { Db } from '../database/store.ts';

/** A creation that comes under a key, so that it is done once however often it comes within a day. */
export interface Once {
  readonly db: Db;
  readonly tenant: string;
  readonly key: string;
  readonly hash: Hash;
}

/** Notes what is made first in the transaction that makes it: another that is faster is waited for. */
export type Note = (db: Db, made: string) => Promise<void>;

export interface Steps {
  readonly note?: Note | undefined;
  readonly count?: (db: Db, series: number) => Promise<unknown>;
}

class Repeated extends Error {}

/** What a request asks for under a key. @throws RequestError 400 for what is no key */
export function onceOf(request: Request, tenant: string, db: Db): Once | undefined {
  const key = request.headers.get('idempotency-key');
  if (key === null) return undefined;
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) throw new RequestError(400, failure('idempotency_key'));
  const hash = createHash('sha256').update(`${request.method} ${new URL(request.url).pathname}\n`);
  return { db, tenant, key, hash };
}

/** Forgets the key of what ends through no fault of its own, in that transaction: the same request makes it again. */
export async function forgetMade(db: Db, prediction: string): Promise<void> {
  await db.deleteFrom('creations').where('made', '=', prediction).execute();
}

/** Makes something, or finds what was made under the same key. @throws as {@link madeUnder} */
export async function createOnce<T extends { readonly id: string }>(
  once: Once | undefined,
  make: (note?: Note) => Promise<T>,
): Promise<{ readonly id: string; readonly made?: T }> {
  const done = async (note?: Note) => {
    const made = await make(note);
    return { id: made.id, made };
  };
  if (!once) return done();
  for (;;) {
    const before = await madeUnder(once);
    if (before !== undefined) return { id: before };
    try {
      return await done(async (db, made) => {
        const { rows } = await sql`insert into creations (tenant, key, hash, made, created_at)
          values (${once.tenant}, ${once.key}, ${hashOf(once)}, ${made}, ${isoInstant(Date.now())})
          on conflict (tenant, key) do nothing returning made`.execute(db);
        if (rows.length === 0) throw new Repeated();
      });
    } catch (error) {
      if (error instanceof Repeated) continue;
      const faster = error instanceof BusyError ? await madeUnder(once) : undefined;
      if (faster === undefined) throw error;
      return { id: faster };
    }
  }
}

/** What was made under the same key. @throws RequestError 422 where that was another request */
export async function madeUnder(once: Once): Promise<string | undefined> {
  const found = once.db.selectFrom('creations').select(['hash', 'made']);
  const row = await found.where('tenant', '=', once.tenant).where('key', '=', once.key).executeTakeFirst();
  if (row && row.hash !== hashOf(once)) throw new RequestError(422, failure('idempotency_key_taken'));
  return row?.made;
}

const hashOf = ({ hash }: Once): string => hash.copy().digest('base64url');
