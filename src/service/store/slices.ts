/** Parts of a list in its order: of so many at most, and of so much in all; what is larger by itself goes alone. */
export function* slicesOf<T>(
  all: readonly T[],
  most: number,
  size: number,
  sizeOf: (one: T) => number,
): Generator<readonly T[]> {
  for (let from = 0, to = 0; from < all.length; from = to) {
    let left = size;
    do left -= sizeOf(all[to++]);
    while (to < all.length && to - from < most && sizeOf(all[to]) <= left);
    yield all.slice(from, to);
  }
}
