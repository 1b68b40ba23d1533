/** The part of SQLite in WebAssembly used here; its own types are those of a page. See https://sqlite.org/wasm/doc/trunk/api-oo1.md. */
declare module '@sqlite.org/sqlite-wasm' {
  type Value = string | number | bigint | null | Uint8Array;

  export interface Stmt {
    bind(values: readonly Value[]): this;
    step(): boolean;
    get(into: Record<string, Value>): Record<string, Value>;
    reset(alsoClearBinds: boolean): this;
  }

  export interface Db {
    readonly pointer?: number;
    exec(sql: string): this;
    prepare(sql: string): Stmt;
    changes(): number;
    close(): void;
  }

  export interface Pool {
    readonly OpfsSAHPoolDb: new (file: string) => Db;
    getFileCount(): number;
    getFileNames(): string[];
    reserveMinimumCapacity(count: number): Promise<number>;
    exportFile(file: string): Uint8Array;
    importDb(file: string, bytes: Uint8Array): number;
    unlink(file: string): boolean;
  }

  export interface Sqlite3 {
    readonly oo1: { readonly DB: new (file: string) => Db };
    readonly capi: { sqlite3_get_autocommit(db: number): number };
    installOpfsSAHPoolVfs(options: { readonly name: string; readonly initialCapacity: number }): Promise<Pool>;
  }

  export default function initialize(options: {
    readonly instantiateWasm: (
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ) => object;
  }): Promise<Sqlite3>;
}
