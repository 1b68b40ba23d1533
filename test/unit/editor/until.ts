/** Asks until the answer fits, and returns it. @throws Error with the last answer where none does in so many milliseconds: less than a test has */
export async function until<T>(
  ask: () => T | PromiseLike<T>,
  fits: (answer: T) => boolean,
  timeout = 30_000,
): Promise<T> {
  const end = Date.now() + timeout;
  for (;;) {
    const answer = await ask();
    if (fits(answer)) return answer;
    if (Date.now() > end) throw new Error(`It stays ${JSON.stringify(answer)?.slice(0, 400)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
