import { fromBase64, toBase64 } from '#platform/bytes';
import { createHash } from '#platform/hash';
import { sql } from 'kysely';
import { isoInstant } from '../../calendar/format.ts';
import { failure } from '../../contract/failures.ts';
import type { BodyOf } from '../../contract/operations.ts';
import { KEY_SCOPES, type KeyScope } from '../../contract/resources.ts';
import { newId, pick, Repository, type Row } from '../database/repository.ts';
import { DEFAULT_TENANT, type Db, type Store, type Tenant, transaction } from '../database/store.ts';
import { BusyError, RequestError, storeTrouble } from '../errors.ts';
import type { Note } from './creations.ts';
import { newToken } from './token.ts';

const isOver = (time: string | null | undefined): boolean => time != null && Date.parse(time) <= Date.now();

const digest = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

export interface Caller extends Pick<Row<'keys'>, 'id' | 'tenant' | 'requests_per_minute' | 'series_per_day'> {
  readonly scope: KeyScope;
}

type NewKey = Partial<BodyOf<'createKey'>> & { readonly tenant?: string };

/** How exactly the last use of a key is known, in milliseconds: a request that only reads should not have to write. */
const LAST_USE = 60_000;
const MINUTE = 60_000;
const DAY = 86_400_000;

type Counted = 'forecast' | 'stored';

const dayOf = (what: Counted): string => isoInstant(Date.now()).slice(0, 10) + (what === 'stored' ? ' stored' : '');

function tooMany(most: number, what: Counted): BusyError {
  const untilTomorrow = Math.ceil((DAY - (Date.now() % DAY)) / 1000);
  return new BusyError(failure(what === 'forecast' ? 'forecasts_per_day' : 'stored_per_day', most), untilTomorrow);
}

export const notValid = (): RequestError => new RequestError(401, failure('token_invalid'));

/** Sealed on disk (AES-256-GCM) by the host's token, and not only hashed, as the interface's listing returns the secrets. */
export class Keys extends Repository<Row<'keys'>, Awaited<ReturnType<typeof readKey>>> {
  protected readonly table = 'keys';
  protected readonly missing = 'no_key';
  readonly #vault: Vault;
  readonly #used = new Map<string, number>();

  private constructor(store: Store, vault: Vault, tenant?: Tenant) {
    super(store, tenant);
    this.#vault = vault;
  }

  /** @param hostToken the token of the program that runs the service; it is registered as a key on first sight */
  static async open(store: Store, hostToken: string): Promise<Keys> {
    const keys = new Keys(store, await vaultOf(hostToken));
    if (!(await keys.caller(hostToken))) await keys.#insert(hostToken, { name: 'this machine', scope: 'admin' });
    return keys;
  }

  override in(tenant: Tenant): this {
    return new Keys(this.store, this.#vault, tenant) as this;
  }

  protected read(rows: readonly Row<'keys'>[]) {
    return Promise.all(rows.map((row) => readKey(row, this.#vault)));
  }

  /** Whose token this is, looked up each time, so that a key that was deleted or has expired is refused at once. */
  async caller(secret: string): Promise<Caller | undefined> {
    const row = await this.db
      .selectFrom('keys')
      .select(['id', 'status', 'tenant', 'scope', 'expires_at', 'requests_per_minute', 'series_per_day'])
      .where('digest', '=', digest(secret))
      .executeTakeFirst();
    if (row?.status !== 'ACTIVE' || isOver(row.expires_at)) return undefined;
    // what is damaged may do the least
    return { ...row, scope: KEY_SCOPES.find((one) => one === row.scope) ?? 'read' };
  }

  /** @throws RequestError 401 where a key was deleted since it was looked up */
  async mustBeThere({ id, tenant }: Caller, db = this.store.in(tenant)): Promise<void> {
    const found = db.selectFrom('keys').select('id').where('id', '=', id);
    if (!(await found.executeTakeFirst())) throw notValid();
  }

  /** Notes that a key is used, which no request waits for, nor fails for: what is not noted is noted with the next. */
  noteUse({ id, tenant }: Caller): void {
    const now = Date.now();
    if (now - (this.#used.get(id) ?? 0) < LAST_USE) return;
    this.#used.set(id, now);
    const last_used_at = isoInstant(now);
    const write = this.store.in(tenant).updateTable('keys').set({ last_used_at }).where('id', '=', id);
    write.execute().catch(() => this.#used.delete(id));
  }

  /** Counts a request, where those of a minute are limited. @throws BusyError */
  async admit({ id, tenant, requests_per_minute: most }: Caller): Promise<void> {
    if (most === null) return;
    const now = Date.now();
    const isOn = sql`abs(requests.began - ${now}) < ${MINUTE}`;
    const counted = sql<{ count: number; began: number }>`
      insert into requests (key_id, began, count) select id, cast(${now} as bigint), 1 from keys where id = ${id}
      on conflict (key_id) do update set
        count = case when ${isOn} then requests.count + 1 else 1 end,
        began = case when ${isOn} then requests.began else excluded.began end
      returning count, began`;
    const found = await counted.execute(this.store.in(tenant)).catch((error: unknown) => {
      if (!storeTrouble(error)) throw error; // what only reads is answered also where nothing can be written
    });
    const { count, began } = found?.rows[0] ?? { count: 0, began: now }; // or the key is gone
    const after = Math.max(1, Math.ceil((began + MINUTE - now) / 1000));
    if (count > most) throw new BusyError(failure('requests_per_minute', most, after), after);
  }

  /** Counts series in the transaction that stores them. @returns the day, for {@link takeBack} @throws BusyError; 401 */
  async count(by: Caller, series: number, what: Counted, db: Db): Promise<string | undefined> {
    const { id, series_per_day: most } = by;
    if (most === null) {
      await this.mustBeThere(by, db);
      return undefined;
    }
    if (series > most) throw tooMany(most, what);
    const day = dayOf(what);
    const { rows } = await sql`insert into usage (key_id, day, series)
      select id, cast(${day} as text), cast(${series} as bigint) from keys where id = ${id}
      on conflict (key_id, day) do update set series = usage.series + excluded.series
      where usage.series + excluded.series <= ${most} returning series`.execute(db);
    if (rows.length > 0) return day;
    await this.mustBeThere(by, db);
    throw tooMany(most, what);
  }

  /** Takes one back that was counted, and that is refused after it was stored. @param day as {@link count} gave it */
  async takeBack({ id, tenant }: Caller, day: string | undefined, db = this.store.in(tenant)): Promise<void> {
    if (day === undefined) return;
    const counted = db.updateTable('usage').where('key_id', '=', id).where('day', '=', day).where('series', '>', 0);
    await counted.set(({ eb }) => ({ series: eb('series', '-', 1) })).execute();
  }

  /** Refuses forecasts that {@link count} would refuse, before anything is stored. @throws BusyError */
  async checkRoom(by: Caller, series: number, db = this.store.in(by.tenant)): Promise<void> {
    const { id, series_per_day: most } = by;
    if (most === null) return;
    const used = db.selectFrom('usage').select('series').where('key_id', '=', id);
    const today = await used.where('day', '=', dayOf('forecast')).executeTakeFirst();
    if ((today?.series ?? 0) + series > most) throw tooMany(most, 'forecast');
  }

  create(request: NewKey, note?: Note) {
    return transaction(this.store.in(request.tenant), async (db) => {
      const key = await this.#insert(newToken(), request, db);
      await note?.(db, key.id);
      return key;
    });
  }

  /** @param by who asks for it; absent for the program itself, which may delete any */
  async remove(id: string, by?: Caller): Promise<void> {
    await this.row(id);
    if (id === by?.id) throw new RequestError(409, failure('own_key'));
    await transaction(this.db, async (db) => {
      // what is of a key can be seen by anyone who sees the key
      await db.deleteFrom('usage').where('key_id', '=', id).execute();
      await db.deleteFrom('keys').where('id', '=', id).execute();
    });
  }

  async #insert(secret: string, { tenant = DEFAULT_TENANT, scope = 'write', ...key }: NewKey, db = this.db) {
    const id = newId('key');
    const now = Date.now();
    const { name = null, requests_per_minute = null, series_per_day = null, expires_in_days: days } = key;
    const expires_at = days === undefined ? null : isoInstant(now + days * DAY);
    const [sealed, created_at] = [await seal(secret, id, this.#vault), isoInstant(now)];
    const columns = { id, tenant, scope, name, expires_at, requests_per_minute, series_per_day, sealed, created_at };
    const row = await db
      .insertInto('keys')
      .values({ ...columns, status: 'ACTIVE', digest: digest(secret) })
      .onConflict((conflict) => conflict.column('digest').doUpdateSet({ status: 'ACTIVE' }))
      .returningAll()
      .executeTakeFirstOrThrow();
    return readKey(row, this.#vault);
  }
}

const readKey = async (row: Row<'keys'>, vault: Vault) => ({
  ...pick(row, 'id', 'created_at', 'name', 'tenant', 'expires_at', 'last_used_at', 'requests_per_minute'),
  series_per_day: row.series_per_day,
  status: isOver(row.expires_at) ? 'EXPIRED' : row.status,
  secret: await unseal(row, vault),
  scope: KEY_SCOPES.find((one) => one === row.scope),
});

const encoder = new TextEncoder();
const IV = 12;
const sealing = (iv: Uint8Array<ArrayBuffer>, id: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: encoder.encode(id),
});

async function seal(secret: string, id: string, vault: Vault): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV));
  const sealed = await crypto.subtle.encrypt(sealing(iv, id), vault, encoder.encode(secret));
  return toBase64(new Uint8Array([...iv, ...new Uint8Array(sealed)]), 'base64url');
}

/** `undefined` for a key that was made under another host token: it still works, but cannot be shown any more. */
async function unseal({ sealed, id }: Row<'keys'>, vault: Vault): Promise<string | undefined> {
  try {
    const bytes = fromBase64(sealed, 'base64url');
    const opened = await crypto.subtle.decrypt(sealing(bytes.slice(0, IV), id), vault, bytes.slice(IV));
    return new TextDecoder().decode(opened);
  } catch {
    return undefined;
  }
}

type Vault = Awaited<ReturnType<typeof vaultOf>>;

async function vaultOf(hostToken: string) {
  const token = await crypto.subtle.importKey('raw', encoder.encode(hostToken), 'HKDF', false, ['deriveKey']);
  const [salt, info] = [encoder.encode('time-series-forecasts'), encoder.encode('key vault')];
  const way = { name: 'HKDF', hash: 'SHA-256', salt, info };
  return crypto.subtle.deriveKey(way, token, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}
