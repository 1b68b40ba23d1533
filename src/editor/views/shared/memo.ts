/** A function that gives what it made last as long as it is called with the same. */
export function memo<A extends readonly unknown[], T>(make: (...of: A) => T): (...of: A) => T {
  let last: { readonly of: A; readonly made: T } | undefined;
  return (...of) => {
    if (!last || of.some((one, index) => one !== last?.of[index])) last = { of, made: make(...of) };
    return last.made;
  };
}
