/** Asks until the answer fits, and returns it. @throws Error with the last answer where none does within half a minute */
export async function until<T>(ask: () => T | PromiseLike<T>, fits: (answer: T) => boolean): Promise<T> {
  const end = Date.now() + 30_000;
  for (;;) {
    const answer = await ask();
    if (fits(answer)) return answer;
    if (Date.now() > end) throw new Error(`It stays ${JSON.stringify(answer)?.slice(0, 400)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
