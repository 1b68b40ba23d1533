export const fetchWith = (): typeof fetch => globalThis.fetch.bind(globalThis);

/** A `fetch` that says why the browser keeps an answer from the editor. @param refused gets the missing header */
export const fetchTelling =
  (refused: (header: string) => Error): typeof fetch =>
  async (input, init) => {
    try {
      return await fetch(input, init);
    } catch (error) {
      if (init?.signal?.aborted || !(error instanceof TypeError)) throw error;
      const { href } = new URL(input instanceof Request ? input.url : input);
      const header = await missingAt(href, init?.method ?? 'GET');
      if (header !== undefined) throw refused(header);
      throw Object.assign(new TypeError('fetch failed', { cause: error }), { code: 'ECONNREFUSED' });
    }
  };

/** The first header that the answers at an address lack; `undefined` where nothing answers there. */
async function missingAt(url: string, method: string): Promise<string | undefined> {
  const passes = (init: RequestInit) =>
    fetch(url, { credentials: 'omit', ...init }).then(
      () => true,
      () => false,
    );
  if (!(await passes({ mode: 'no-cors' }))) return undefined;
  if (!(await passes({}))) return 'Access-Control-Allow-Origin: *';
  if (!(await passes({ headers: { authorization: 'Bearer' } }))) return 'Access-Control-Allow-Headers: authorization';
  if (!(await passes({ headers: { 'content-type': 'application/json', 'idempotency-key': 'none' } })))
    return 'Access-Control-Allow-Headers: authorization, content-type, idempotency-key';
  return `Access-Control-Allow-Methods: ${method}`;
}
