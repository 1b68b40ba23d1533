/** SQLite and its files, which each platform has of its own. */
export interface DatabaseFiles<Database> {
  join(folder: string, name: string): string;
  /** @param file `:memory:` keeps nothing */
  open(file: string): Database;
  /** Makes a folder for this user alone, and a file in it likewise. @returns its path. @throws the system's error */
  prepare(folder: string, name: string): string;
  isThere(file: string): boolean;
  rename(file: string, to: string): void;
  copy(database: Database, to: string): void;
}
