/** A browser trusts whom it trusts. */
export const fetchWith = (): typeof fetch => globalThis.fetch.bind(globalThis);
