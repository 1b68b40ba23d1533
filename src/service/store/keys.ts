import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Key, Page } from '../../contract/resources.ts';
import { isoInstant } from '../../calendar/format.ts';
import { RequestError } from '../errors.ts';
import { listTable, newId, type PageRequest, type SqlRow, text } from './list.ts';

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
  readonly #database: DatabaseSync;
  readonly #vault: Buffer;

  /** @param hostToken the token of the program that runs the service; it is registered as a key on first sight */
  constructor(database: DatabaseSync, hostToken: string) {
    this.#database = database;
    this.#vault = Buffer.from(hkdfSync('sha256', hostToken, 'time-series-forecasts', 'key vault', 32));
    if (!this.isActive(hostToken)) this.#insert(hostToken, 'this machine');
  }

  isActive(secret: string): boolean {
    const row = this.#database.prepare(`select status from keys where digest = ?`).get(digest(secret));
    return row?.status === 'ACTIVE';
  }

  create(name: string | undefined): Key {
    return this.#insert(newToken(), name);
  }

  list(page: PageRequest): Page<Key> {
    return listTable(this.#database, { table: 'keys' }, page, (row) => this.#read(row));
  }

  remove(id: string, usedSecret: string): void {
    const row = this.#database.prepare('select digest from keys where id = ?').get(id);
    if (!row) throw RequestError.notFound('key', id);
    if (row.digest === digest(usedSecret)) {
      throw new RequestError(409, 'This key signs the request itself, so it stays. Delete it with another key.');
    }
    this.#database.prepare('delete from keys where id = ?').run(id);
  }

  #insert(secret: string, name: string | undefined): Key {
    const id = newId('key');
    this.#database
      .prepare(
        `insert into keys (id, status, name, digest, sealed, created_at) values (?, 'ACTIVE', ?, ?, ?, ?)
         on conflict (digest) do update set status = 'ACTIVE'`,
      )
      .run(id, name ?? null, digest(secret), this.#seal(secret, id), isoInstant(Date.now()));
    return this.#read(this.#database.prepare('select * from keys where digest = ?').get(digest(secret)) as SqlRow);
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
