import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

interface Kept {
  readonly content: Uint8Array;
  readonly changed: number;
}

/** The files behind the scheme `folder:` of the tests' extension, by paths that begin with a slash. */
export class FolderServer {
  readonly #files = new Map<string, Kept>();
  /** Paths in the order in which they changed. */
  readonly #changes: string[] = [];
  readonly #waiting = new Set<() => void>();

  get(path: string): Uint8Array | undefined {
    return this.#files.get(path)?.content;
  }

  set(path: string, content: Uint8Array): void {
    this.#files.set(path, { content, changed: Date.now() });
    this.#tell(path);
  }

  #tell(path: string): void {
    this.#changes.push(path);
    for (const answer of this.#waiting) answer();
    this.#waiting.clear();
  }

  /** Answers `stat`, `file` or `changes`, each followed by a path. */
  async answer(target: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = target.indexOf('/');
    const [kind, path] = [target.slice(0, at), target.slice(at)];
    if (kind === 'changes') return this.#answerChanges(Number(path.slice(1)), response);
    if (kind === 'stat') {
      const reported = this.#stat(path);
      response.writeHead(reported ? 200 : 404).end(JSON.stringify(reported));
      return;
    }
    if (request.method === 'PUT') {
      this.set(path, await buffer(request));
    } else if (request.method === 'DELETE') {
      const inside = [...this.#files.keys()].filter((one) => one === path || one.startsWith(`${path}/`));
      for (const one of inside) this.#files.delete(one);
      this.#tell(path);
    }
    const content = this.get(path);
    const isThere = content !== undefined || request.method === 'DELETE';
    response.writeHead(isThere ? 200 : 404).end(request.method === 'GET' ? content : undefined);
  }

  #stat(path: string) {
    const file = this.#files.get(path);
    if (file) return { type: 'file', size: file.content.length, changed: file.changed, entries: [] };
    const start = path.endsWith('/') ? path : `${path}/`;
    const inside = [...this.#files.keys()].filter((one) => one.startsWith(start));
    if (inside.length === 0 && path !== '/') return undefined;
    const entries = inside.map((one): [string, string] => {
      const [name = '', ...rest] = one.slice(start.length).split('/');
      return [name, rest.length > 0 ? 'folder' : 'file'];
    });
    return { type: 'folder', size: 0, changed: 0, entries: [...new Map(entries)] };
  }

  /** What changed after a place in the list of changes, once there is something; −1 is its end. */
  #answerChanges(since: number, response: ServerResponse): void {
    const from = since < 0 ? this.#changes.length : since;
    const answer = () => {
      response.end(JSON.stringify({ next: String(this.#changes.length), paths: this.#changes.slice(from) }));
    };
    if (from < this.#changes.length || since < 0) {
      answer();
      return;
    }
    this.#waiting.add(answer);
    response.on('close', () => this.#waiting.delete(answer));
  }
}
