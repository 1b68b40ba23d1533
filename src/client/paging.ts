import { ServiceError } from './errors.ts';
import type { Learning } from './learned.ts';

/** The two parameters of a list, whose names the interface leaves open. */
export type PagingKind = 'cursor' | 'size';

/** What they are tried as, one after the other, until one has its effect. */
const USUAL: Readonly<Record<PagingKind, readonly string[]>> = {
  cursor: ['cursor', 'page', 'after', 'page_token', 'next_page', 'starting_after', 'offset'],
  size: ['size', 'limit', 'page_size', 'per_page', 'count'],
};

/** What a service calls the parameters of its lists: told by its description or a refusal, and found out by their effect. */
export class PagingNames {
  readonly #learning: Learning;
  readonly #rejected = new Set<string>();
  /** Words that a refusal named. */
  #told: readonly string[] = [];

  constructor(learning: Learning) {
    this.#learning = learning;
  }

  /** The name to send; `undefined` where none is left. @param described names of the parameters that the list has */
  name(kind: PagingKind, described: readonly string[]): string | undefined {
    const known = this.#learning.now.paging[kind];
    if (known !== undefined) return known;
    const usual = USUAL[kind];
    const first = [...this.#told, ...described].filter((name) => usual.includes(name));
    return [...first, ...usual].find((name) => !this.#rejected.has(name));
  }

  isKnown(kind: PagingKind): boolean {
    return this.#learning.now.paging[kind] !== undefined;
  }

  confirm(kind: PagingKind, name: string): void {
    this.#learning.set({ paging: { ...this.#learning.now.paging, [kind]: name } });
  }

  /** It has no effect, or is refused. @returns whether the refusal names another */
  reject(kind: PagingKind, name: string, refusal?: ServiceError): boolean {
    this.#rejected.add(name);
    this.#told = refusal?.reason?.match(/\w+/g) ?? this.#told;
    return this.#told.some((word) => USUAL[kind].includes(word) && !this.#rejected.has(word));
  }
}

/** Which of the parameters that were sent a refusal speaks of. */
export function blamed(
  error: unknown,
  sent: Readonly<Partial<Record<PagingKind, string>>>,
): { readonly kind: PagingKind; readonly refusal: ServiceError } | undefined {
  if (!(error instanceof ServiceError) || error.kind !== 'refused') return undefined;
  const words: readonly string[] = error.reason?.match(/\w+/g) ?? [];
  const place = (kind: PagingKind): number => {
    const name = sent[kind];
    if (name === undefined) return Infinity;
    if (error.isAbout(name)) return -1;
    const at = words.indexOf(name);
    return at < 0 ? words.length : at;
  };
  const kind = place('cursor') < place('size') ? 'cursor' : 'size';
  return sent[kind] === undefined ? undefined : { kind, refusal: error };
}
