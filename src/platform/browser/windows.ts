type Serve = (request: Request) => Promise<Response>;

interface Packed {
  readonly headers: [string, string][];
  readonly body: ArrayBuffer | undefined;
}

type Message = { readonly id: string } & (
  | ({ kind: 'ask'; url: string; method: string } & Packed)
  | { kind: 'taken' }
  | ({ kind: 'answer'; status: number } & Packed)
  | { kind: 'failed'; message: string }
);

const packed = async (from: Request | Response): Promise<Packed> => ({
  headers: [...from.headers],
  body: from.body ? await from.arrayBuffer() : undefined,
});

interface Asked {
  readonly request: Request;
  readonly resolve: (response: Promise<Response> | Response) => void;
  readonly reject: (error: Error) => void;
  isTaken: boolean;
}

const NAME = 'time-series-forecasts';

/** A service of several windows: a store can be open once, so the first serves the others until it is closed. */
export function sharedBy(serve: Serve): { readonly fetch: Serve; readonly isHere: () => boolean } {
  const channel = new BroadcastChannel(NAME);
  const asked = new Map<string, Asked>();
  const first = Promise.withResolvers<undefined>();
  let isHere = false;
  const post = (message: Message) => {
    channel.postMessage(message);
  };
  const hold = () => {
    isHere = true;
    first.resolve(undefined);
    for (const { request, isTaken, resolve, reject } of asked.values()) {
      if (isTaken && request.method !== 'GET') reject(new TypeError('The window that was asked has been closed.'));
      else resolve(serve(request));
    }
    return new Promise<never>(() => undefined);
  };
  const take = async () => {
    await navigator.locks.request(NAME, { ifAvailable: true }, (lock) => (lock ? hold() : undefined));
    first.resolve(undefined);
    await navigator.locks.request(NAME, hold);
  };
  take().catch(first.reject);

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'ask') {
      const fail = (error: unknown) => {
        post({ kind: 'failed', id: data.id, message: String(error) });
      };
      if (isHere) answer(data, serve, post).catch(fail);
      return;
    }
    const one = asked.get(data.id);
    if (data.kind === 'taken' && one) one.isTaken = true;
    else if (data.kind === 'failed') one?.reject(new Error(data.message));
    else if (data.kind === 'answer') one?.resolve(new Response(data.body, data));
  };

  const ask = async (request: Request): Promise<Response> => {
    const id = crypto.randomUUID();
    const { url, method, signal } = request;
    const content = await packed(request.clone());
    if (isHere) return serve(request); // the window before was closed meanwhile
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    asked.set(id, { request, resolve, reject, isTaken: false });
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
    post({ kind: 'ask', id, url, method, ...content });
    return promise.finally(() => asked.delete(id));
  };
  const fetch = async (request: Request): Promise<Response> => {
    await first.promise;
    return isHere ? serve(request) : ask(request);
  };
  return { fetch, isHere: () => isHere };
}

async function answer(
  { id, url, method, headers, body }: Extract<Message, { kind: 'ask' }>,
  serve: Serve,
  post: (message: Message) => void,
): Promise<void> {
  post({ kind: 'taken', id });
  const response = await serve(new Request(url, { method, headers, ...(body && { body }) }));
  post({ kind: 'answer', id, status: response.status, ...(await packed(response)) });
}
