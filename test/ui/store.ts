import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** SQLite's codes for a file that is damaged or no database at all: SQLITE_CORRUPT and SQLITE_NOTADB. */
const BROKEN: ReadonlySet<unknown> = new Set([11, 26]);

/** What the local service of a VS Code has stored, looked at from outside. */
export class Store {
  /** The database, or what will be it. */
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  /** That of an editor, by its folder of data. */
  static of(userDataDir: string): Store {
    const storage = path.join(userDataDir, 'User', 'globalStorage');
    const [name = 'time-series-forecasts.time-series-forecasts'] = existsSync(storage)
      ? readdirSync(storage).filter((entry) => existsSync(path.join(storage, entry, 'forecasts.db')))
      : [];
    return new Store(path.join(storage, name, 'forecasts.db'));
  }

  #read(sql: string): Record<string, unknown>[] {
    if (!existsSync(this.file)) return [];
    const database = new DatabaseSync(this.file, { readOnly: true });
    try {
      database.exec('pragma busy_timeout = 5000');
      return database.prepare(sql).all();
    } finally {
      database.close();
    }
  }

  /** Predictions, models and whole datasets, with their statuses. */
  all(): Map<string, string> {
    const rows = this.#read(
      `select id, status from predictions union all select id, status from fine_tuned_models
       union all select id, 'COMPLETED' from datasets where complete = 1`,
    );
    return new Map(rows.map(({ id, status }) => [String(id), String(status)]));
  }

  /** Those that have not ended. */
  pending(): string[] {
    return [...this.all()].filter(([, status]) => !['COMPLETED', 'FAILED'].includes(status)).map(([id]) => id);
  }

  /** The points of all forecasts that are done, as they are stored, by the names of their series. */
  forecasts(): Map<string, string> {
    const rows = this.#read(
      `select input.name, output.points from predictions
       join series as input on input.id = input_series_id join series as output on output.id = prediction_series_id`,
    );
    return new Map(rows.map(({ name, points }) => [String(name), String(points)]));
  }

  isWhole(): boolean {
    try {
      return Object.values(this.#read('pragma integrity_check')[0] ?? {})[0] === 'ok';
    } catch (error) {
      if (error instanceof Error && 'errcode' in error && BROKEN.has(error.errcode)) return false;
      throw error;
    }
  }
}
