/** How statements are asked of PostgreSQL: each is told what it may see, and what only reads waits for none of what frames it. */
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import type { Tenant } from '../service/database/store.ts';

/** What opens a tenant to the statements of one transaction, or all tenants: for what the program does by itself. */
const opening = (tenant: Tenant): string =>
  tenant === undefined
    ? `select set_config('forecasts.tenants', 'all', true)`
    : `select set_config('forecasts.tenant', ${pg.escapeLiteral(tenant)}, true)`;

/**
 * What only reads is a page, in the order of an index. Until PostgreSQL has looked at many new rows, which takes it minutes,
 * it believes that a tenant has next to none of them, and would fetch and sort them all for each page. What was written just
 * now is in memory, where a page that is not the next one costs no more.
 */
const IN_ORDER = `select set_config('enable_bitmapscan', 'off', true), set_config('random_page_cost', '1', true)`;

/**
 * A pool all of whose statements are bound to a tenant. Nothing is left in a connection, so that a pooler in transaction
 * mode may stand before the database.
 * @param pool of pipelined connections, which answer one statement behind the other: what frames a statement, or a
 * transaction that only reads, goes with it at no further round trip, which on a busy machine takes longer than the statement
 */
export const boundPool = (
  pool: Pick<pg.Pool, 'options' | 'end'> & { connect(): Promise<Client> },
  tenant: Tenant,
): PostgresPool => ({
  options: pool.options,
  Client: undefined as never,
  connect: async () => new BoundClient(await pool.connect(), opening(tenant)),
  end: () => pool.end(),
});

type Client = Pick<pg.PoolClient, 'query' | 'release'>;
type Result = PostgresQueryResult<unknown>;

const NOTHING: Result = { command: 'SELECT', rowCount: 0, rows: [] };

class BoundClient {
  readonly #client: Client;
  readonly #open: string;
  /** The transaction that is open; `reading` where its beginning is not waited for. */
  #transaction: { readonly reading?: Promise<unknown> } | undefined;

  constructor(client: Client, open: string) {
    this.#client = client;
    this.#open = open;
  }

  readonly query = ((text: string, values: readonly unknown[]): Promise<Result> => {
    if (/^(begin|start transaction)\b/.test(text)) return this.#begin(text);
    if (!this.#transaction) return this.#alone(text, values);
    return text === 'commit' || text === 'rollback' ? this.#end(text) : this.#run(text, values);
  }) as PostgresPoolClient['query'];

  release(): void {
    this.#client.release();
  }

  #run(text: string, values?: readonly unknown[]): Promise<Result> {
    return this.#client.query(text, values as unknown[]) as unknown as Promise<Result>;
  }

  async #alone(text: string, values: readonly unknown[]): Promise<Result> {
    const [begun, asked, ended] = await Promise.allSettled([
      this.#run(`begin; ${this.#open}`),
      this.#run(text, values),
      this.#run('commit'),
    ]);
    for (const one of [begun, asked, ended]) if (one.status === 'rejected') throw one.reason;
    return (asked as PromiseFulfilledResult<Result>).value;
  }

  async #begin(text: string): Promise<Result> {
    const isReading = text.endsWith('read only');
    const begun = this.#run(`${text}; ${this.#open}${isReading ? `; ${IN_ORDER}` : ''}`);
    this.#transaction = isReading ? { reading: begun } : {};
    if (isReading) {
      begun.catch(() => undefined); // told at its end
      return NOTHING;
    }
    try {
      return await begun;
    } catch (error) {
      // it may have begun all the same, and nobody ends what did not begin
      this.#transaction = undefined;
      await this.#run('rollback').catch(() => undefined);
      throw error;
    }
  }

  async #end(text: string): Promise<Result> {
    const reading = this.#transaction?.reading;
    if (text === 'rollback' || !reading) {
      this.#transaction = undefined;
      return this.#run(text);
    }
    await reading; // where it failed, its caller rolls it back
    this.#transaction = undefined;
    // nothing is kept by it; where it fails the connection is lost, which the pool sees
    this.#run(text).catch(() => undefined);
    return NOTHING;
  }
}
