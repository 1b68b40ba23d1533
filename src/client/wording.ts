/**
 * All that is read in the words of a service. Most say in fields what they find wrong and where (`loc`, `pointer`,
 * `errors`, codes); of one that says it in a sentence alone, that sentence is looked at, by this table alone.
 */
export const WORDS = {
  /** The two parameters of a list, whose names the interface leaves open, the likeliest first. */
  paging: {
    cursor: ['cursor', 'page', 'after', 'page_token', 'next_page', 'starting_after', 'offset'],
    size: ['size', 'limit', 'page_size', 'per_page', 'count'],
  },
  /** What a page says of itself, under the name of the interface and under those of others. */
  envelope: {
    next: ['next_page', 'next_cursor', 'next_page_token', 'next_page_url', 'nextCursor', 'nextPageToken', 'next'],
    previous: ['previous_page', 'previous_cursor', 'prev_cursor', 'prev_page_url', 'previous', 'prev'],
    total: ['total', 'total_count', 'count'],
    /** How many pages there are, where they are numbered. */
    pages: ['pages', 'total_pages', 'last_page'],
  },
  /** What a framework says of a path that it does not know: the words of the status itself, and no more. */
  unknownPath:
    /^((404:? )?(not found|method not allowed|gone)\.?$|cannot (get|post|delete) \/|no static resource |route (get|post|delete):)/i,
} as const;

/** Those of these names that stand in a sentence as whole words, in its order. */
export function wordsIn(sentence: string, names: readonly string[]): string[] {
  const placeOf = (name: string) => sentence.search(new RegExp(`(?<!\\w)${name.replace(/\W/g, '\\$&')}(?!\\w)`));
  const found = names.map((name) => ({ name, at: placeOf(name) })).filter(({ at }) => at >= 0);
  return found.sort((a, b) => a.at - b.at).map(({ name }) => name);
}

/** Those of these names that a refusal speaks of: by the places of its faults, and only where it has none, in its words. */
export function namesIn(
  refusal: { readonly faults: readonly { readonly place: readonly string[] }[]; readonly reason?: string | undefined },
  names: readonly string[],
): string[] {
  const places = refusal.faults.flatMap(({ place }) => place);
  return places.length > 0 ? names.filter((name) => places.includes(name)) : wordsIn(refusal.reason ?? '', names);
}
