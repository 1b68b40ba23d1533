import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Key, Page } from '../../contract/resources.ts';
import { isoInstant } from '../../calendar/format.ts';
import { RequestError } from '../errors.ts';
import type { Home } from './home.ts';
import { listTable, newId, type PageRequest, type SqlRow, text } from './list.ts';
import type { Db } from './tables.ts';

/** A new token of this service: 32 random bytes. */
export const newToken = (): string => `tsf_${randomBytes(32).toString('base64url')}`;

/** Whether a text can be a token: without blanks, and long enough not to be guessed. */
export const isToken = (text: string): boolean => /^[\x21-\x7e]{20,200}$/.test(text);

const digest = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/**
 * The API keys. The interface's listing returns secrets, so they must be kept readable; on disk they are only kept
 * sealed (AES-256-GCM) with a key that is derived from the host's token, which lives in the editor's secret storage.
 */
export class Keys {
  readonly #db: Db;
  readonly #vault: Buffer;

  private constructor(db: Db, hostToken: string) {
    this.#db = db;
    this.#vault = Buffer.from(hkdfSync('sha256', hostToken, 'time-series-forecasts', 'key vault', 32));
  }

  /** @param hostToken the token of the program that runs the service; it is registered as a key on first sight */
  static async open({ db }: Home, hostToken: string): Promise<Keys> {
    const keys = new Keys(db, hostToken);
    if (!(await keys.isActive(hostToken))) await keys.#insert(hostToken, 'this machine');
    return keys;
  }

  async isActive(secret: string): Promise<boolean> {
    const query = this.#db.selectFrom('keys').select('status').where('digest', '=', digest(secret));
    return (await query.executeTakeFirst())?.status === 'ACTIVE';
  }

  create(name: string | undefined): Promise<Key> {
    return this.#insert(newToken(), name);
  }

  list(page: PageRequest): Promise<Page<Key>> {
    return listTable(this.#db, { table: 'keys' }, page, (rows) => rows.map((row) => this.#read(row)));
  }

  async remove(id: string, usedSecret: string): Promise<void> {
    const row = await this.#db.selectFrom('keys').select('digest').where('id', '=', id).executeTakeFirst();
    if (!row) throw RequestError.notFound('key', id);
    if (row.digest === digest(usedSecret)) {
      throw new RequestError(409, 'This key signs the request itself, so it stays. Delete it with another key.');
    }
    await this.#db.deleteFrom('keys').where('id', '=', id).execute();
  }

  async #insert(secret: string, name: string | undefined): Promise<Key> {
    const id = newId('key');
    const { rows } = await sql<SqlRow>`
      insert into keys (id, status, name, digest, sealed, created_at)
      values (${id}, 'ACTIVE', ${name ?? null}, ${digest(secret)}, ${this.#seal(secret, id)}, ${isoInstant(Date.now())})
      on conflict (digest) do update set status = 'ACTIVE' returning *`.execute(this.#db);
    return this.#read(rows[0]);
  }

  #read(row: SqlRow): Key {
    const id = text(row.id) ?? `damaged_${row.seq}`;
    return {
      id,
      status: text(row.status),
      secret: this.#open(text(row.sealed) ?? '', id),
      created_at: text(row.created_at),
      name: text(row.name),
    };
  }

  #seal(secret: string, id: string): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#vault, iv).setAAD(Buffer.from(id));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** `undefined` for a key that was made under another host token: it still works, but cannot be shown any more. */
  #open(text: string, id: string): string | undefined {
    const bytes = Buffer.from(text, 'base64url');
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#vault, bytes.subarray(0, 12)).setAAD(Buffer.from(id));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }
}
