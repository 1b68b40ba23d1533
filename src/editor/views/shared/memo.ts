/** A function that recomputes only if one of its arguments changed since the last call. */
export function memo<A extends readonly unknown[], T>(make: (...of: A) => T): (...of: A) => T {
  let last: { readonly of: A; readonly made: T } | undefined;
  return (...of) => {
    if (!last || of.some((one, index) => one !== last?.of[index])) last = { of, made: make(...of) };
    return last.made;
  };
}

/** Returns the former value as long as the next ones are equal as JSON. */
export function steady<T>(): (now: T) => T {
  let last: { readonly text: string; readonly value: T } | undefined;
  return (value) => {
    const text = JSON.stringify(value);
    if (last?.text !== text) last = { text, value };
    return last.value;
  };
}
