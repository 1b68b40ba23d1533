/** How transactions of the store are asked of PostgreSQL. */
import { type DatabaseConnection, PostgresDriver, type TransactionSettings } from 'kysely';

/**
 * What only reads waits for none of what frames it: its transaction is begun in the same turn as its first statement is
 * asked, and its end is waited for by whoever gets the connection next. Each would be a round trip of its own, which on a
 * busy machine takes longer than the statement. Its connections are to answer one statement behind the other (`pipeline`).
 */
export class ReadingAheadDriver extends PostgresDriver {
  readonly #begun = new WeakMap<DatabaseConnection, Promise<void>>();

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const begun = super.beginTransaction(connection, settings);
    if (settings.accessMode !== 'read only') return begun;
    begun.catch(() => undefined); // told at its end
    this.#begun.set(connection, begun);
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const begun = this.#begun.get(connection);
    if (!begun) return super.commitTransaction(connection);
    this.#begun.delete(connection);
    await begun;
    // nothing is kept by it; where it fails the connection is lost, which the pool sees
    super.commitTransaction(connection).catch(() => undefined);
  }

  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]): Promise<void> {
    this.#begun.delete(connection);
    return super.rollbackTransaction(connection);
  }
}
