import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Whether this system tells of a process's children. */
export const canFindHosts = existsSync('/proc/self/stat');

/** The process ids of the extension hosts of a VS Code server, one for each window. */
export function extensionHosts(server: number): number[] {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, rest] = readFileSync(`/proc/${name}/stat`, 'latin1').split(') ');
        const command = readFileSync(`/proc/${name}/cmdline`, 'latin1');
        return [{ pid: Number(name), parent: Number(rest.split(' ')[1]), command }];
      } catch {
        return []; // it has gone meanwhile
      }
    });
  const under = new Set([server]);
  for (let before = 0; before < under.size;) {
    before = under.size;
    for (const { pid, parent } of processes) if (under.has(parent)) under.add(pid);
  }
  return processes
    .filter(({ pid, command }) => under.has(pid) && command.includes('--type=extensionHost'))
    .map(({ pid }) => pid);
}

/** What the local service of a VS Code has stored, looked at from outside. */
export class Store {
  readonly #folder: string;

  constructor(userDataDir: string) {
    const storage = path.join(userDataDir, 'User', 'globalStorage');
    const [name = 'time-series-forecasts.time-series-forecasts'] = existsSync(storage)
      ? readdirSync(storage).filter((entry) => existsSync(path.join(storage, entry, 'forecasts.db')))
      : [];
    this.#folder = path.join(storage, name);
  }

  #read(sql: string): Record<string, unknown>[] {
    const file = path.join(this.#folder, 'forecasts.db');
    if (!existsSync(file)) return [];
    const database = new DatabaseSync(file, { readOnly: true });
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

  isWhole(): boolean {
    return Object.values(this.#read('pragma integrity_check')[0] ?? {})[0] === 'ok';
  }
}
