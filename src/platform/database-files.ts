/** SQLite and its files, which each platform has of its own. */
export interface DatabaseFiles<Database> {
  join(folder: string, name: string): string;
  /** @param file `:memory:` keeps nothing */
  open(file: string): Database;
  /** Makes a folder for this user alone, and a file in it likewise. @returns its path. @throws the system's error */
  prepare(folder: string, name: string): string;
  isThere(file: string): boolean;
  /** Gives a database that is closed another name. @throws the system's error */
  rename(file: string, to: string): void;
  /** Copies a database, whole or not at all. */
  copy(database: Database, to: string): void;
}
