/** An import of a module of ours, or of the editor's, in a program as it was bundled. */
const IMPORTS = /\b(from|import)(\s*\(\s*|\s*)"(\.\/[\w./-]+\.mjs|vscode)"/g;

export const GLOBAL = 'timeSeriesForecasts';

export type Modules = Readonly<Record<string, readonly string[]>>;

/** Modules of an extension have no address: the editor reads them, and each is a blob with the addresses of its imports. */
export class Programs {
  readonly #read: (file: string) => Promise<Uint8Array>;
  readonly #addresses: Map<string, Promise<string>>;
  readonly #modules: Modules;
  readonly #early = new Map<string, Promise<Uint8Array>>();

  /** @param read reads a file of the folder of the programs @param editor names of what the editor exports */
  constructor(read: (file: string) => Promise<Uint8Array>, editor: readonly string[], modules: Modules = {}) {
    this.#read = read;
    this.#modules = modules;
    const names = editor.filter((name) => name !== 'default');
    const exported = names.map((name) => `export const ${name}=${GLOBAL}.editor.${name};`).join('');
    this.#addresses = new Map([['vscode', Promise.resolve(blobOf(exported))]]);
  }

  /** The address of a module, such as `./service.mjs`, from which it can be imported. */
  address(name: string): Promise<string> {
    const known = this.#addresses.get(name);
    if (known) return known;
    for (const needed of this.#modules[name] ?? []) if (!this.#addresses.has(needed)) this.expect(needed);
    const address = this.#load(name);
    this.#addresses.set(name, address);
    // what could not be read once, as on a train, is read again at the next use
    address.catch(() => this.#addresses.delete(name));
    return address;
  }

  expect(name: string): void {
    if (this.#early.has(name)) return;
    const content = this.#content(name);
    this.#early.set(name, content);
    content.catch(() => this.#early.delete(name));
  }

  read(name: string): Promise<Uint8Array> {
    const early = this.#early.get(name);
    this.#early.delete(name);
    return early ?? this.#content(name);
  }

  readonly load = async (name: string): Promise<unknown> => import(await this.address(name));

  async #load(name: string): Promise<string> {
    const text = new TextDecoder().decode(await this.read(name));
    const isLate = (before: string) => before.includes('(');
    const needed = new Set([...text.matchAll(IMPORTS)].flatMap(([, , before, of]) => (isLate(before) ? [] : [of])));
    const addresses = new Map(await Promise.all([...needed].map(async (of) => [of, await this.address(of)] as const)));
    const linked = text.replace(IMPORTS, (_all, word: string, before: string, of: string) =>
      isLate(before) ? `${GLOBAL}.load("${of}"` : `${word}${before}"${addresses.get(of)}"`,
    );
    return blobOf(linked);
  }

  #content(name: string): Promise<Uint8Array> {
    return this.#read(name.replace('./platform/', './web/platform/'));
  }
}

export const blobOf = (content: string): string =>
  URL.createObjectURL(new Blob([content], { type: 'text/javascript' }));
