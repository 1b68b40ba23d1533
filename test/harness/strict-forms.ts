/** Forms of a page beside that of the interface, each as a framework has it: Django REST, fastapi-pagination by numbers, GitHub. */
export type PageForm = 'results' | 'numbered' | 'bare';

interface Formed {
  readonly body: unknown;
  readonly link?: string;
}

/**
 * A page of a list in one of these forms: by offsets, with the address of the next one; by numbers; or as a bare array with a
 * header `Link`.
 * @param url the address that is asked
 */
export function pageIn(form: PageForm, all: readonly unknown[], url: URL, usual: number): Formed {
  const given = (name: string) => Number(url.searchParams.get(name) ?? NaN);
  const size = given(SIZES[form]) || usual;
  const at = form === 'results' ? given('offset') || 0 : ((given('page') || 1) - 1) * size;
  const items = all.slice(at, at + size);
  const addressAt = (place: number): string | null => {
    if (place < 0 || place >= all.length) return null;
    const there = new URL(url);
    if (form === 'results') there.searchParams.set('offset', String(place));
    else there.searchParams.set('page', String(place / size + 1));
    there.searchParams.set(SIZES[form], String(size));
    return there.href;
  };
  const [next, previous] = [addressAt(at + size), addressAt(at - size)];
  if (form === 'results') return { body: { count: all.length, next, previous, results: items } };
  const pages = Math.ceil(all.length / size);
  if (form === 'numbered') return { body: { items, total: all.length, page: at / size + 1, size, pages } };
  return { body: items, ...(next ? { link: `<${next}>; rel="next", <${url.href}>; rel="self"` } : {}) };
}

/** What the size of a page is called. */
const SIZES = { results: 'limit', numbered: 'size', bare: 'per_page' } as const;

/** What the two parameters of a list are called in each. */
export const PARAMETERS = {
  results: { cursor: 'offset', size: SIZES.results },
  numbered: { cursor: 'page', size: SIZES.numbered },
  bare: { cursor: 'page', size: SIZES.bare },
} as const;
