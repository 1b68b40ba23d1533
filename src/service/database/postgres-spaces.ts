/** The second lock between spaces on PostgreSQL: what each statement may see is told to the database, which holds to it. */
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import type { Space } from './space.ts';

/** What opens a space to the statements of one transaction, or all spaces: for what the program does by itself. */
const opening = (space: Space): string =>
  space === undefined
    ? `select set_config('forecasts.spaces', 'all', true)`
    : `select set_config('forecasts.space', ${pg.escapeLiteral(space)}, true)`;

/**
 * What only reads is a page, in the order of an index. Until PostgreSQL has looked at many new rows, which takes it minutes,
 * it believes that a space has next to none of them, and would fetch and sort them all for each page. What was written just
 * now is in memory, where a page that is not the next one costs no more.
 */
const IN_ORDER = `select set_config('enable_bitmapscan', 'off', true), set_config('random_page_cost', '1', true)`;

const IS_FOR_ALL = `(select current_setting('forecasts.spaces', true)) = 'all'`;

/**
 * The policies of tables whose rows say by `space` whose they are. A transaction that says nothing sees nothing; the owner
 * of the tables is held to it too. The settings are read once a statement, and not for each row.
 */
export const bySpace = (...tables: readonly string[]): string =>
  tables
    .map((table) =>
      locked(table, `space = (select nullif(current_setting('forecasts.space', true), '')) or ${IS_FOR_ALL}`),
    )
    .join('\n');

/** The policy of a table whose rows are of those whose parents can be seen. */
export const byParent = (table: string, column: string, parent: string): string =>
  locked(table, `exists (select 1 from ${parent} where ${parent}.id = ${table}.${column}) or ${IS_FOR_ALL}`);

const locked = (table: string, condition: string): string => `
  alter table ${table} enable row level security;
  alter table ${table} force row level security;
  create policy of_space on ${table} using (${condition});`;

/**
 * A pool all of whose statements are bound to a space. Nothing is left in a connection, so that a pooler in transaction
 * mode may stand before the database.
 * @param pool of pipelined connections: what binds a single statement goes with it, at no further round trip
 */
export const boundPool = (pool: pg.Pool, space: Space): PostgresPool => ({
  options: pool.options,
  Client: undefined as never,
  connect: async () => bound(await pool.connect(), opening(space)),
  end: () => pool.end(),
});

type Result<R> = PostgresQueryResult<R>;

function bound(client: pg.PoolClient, open: string): PostgresPoolClient {
  let isInTransaction = false;
  const run = <R>(text: string, values?: readonly unknown[]) =>
    client.query(text, values as unknown[]) as unknown as Promise<Result<R>>;
  const alone = async <R>(text: string, values: readonly unknown[]): Promise<Result<R>> => {
    const [begun, asked, ended] = await Promise.allSettled([
      run(`begin; ${open}`),
      run<R>(text, values),
      run('commit'),
    ]);
    for (const one of [begun, asked, ended]) if (one.status === 'rejected') throw one.reason;
    return (asked as PromiseFulfilledResult<Result<R>>).value;
  };
  const begin = <R>(text: string): Promise<Result<R>> =>
    run<R>(`${text}; ${open}${text.endsWith('read only') ? `; ${IN_ORDER}` : ''}`).catch(async (error: unknown) => {
      // it may have begun all the same, and nobody ends what did not begin
      await run('rollback').catch(() => undefined);
      throw error;
    });
  const query = <R>(text: string, values: readonly unknown[]): Promise<Result<R>> => {
    if (/^(begin|start transaction)\b/.test(text)) {
      isInTransaction = true;
      return begin(text);
    }
    if (!isInTransaction) return alone(text, values);
    if (text === 'commit' || text === 'rollback') isInTransaction = false;
    return run(text, values);
  };
  return {
    query: query as PostgresPoolClient['query'],
    release: (destroy) => {
      client.release(destroy);
    },
  };
}
