/** What all panels and their web pages have in common when they talk to each other. */

/** One function for each message of a union; a forgotten one is a compile error. */
export type Handlers<M extends { readonly type: string }> = {
  readonly [K in M['type']]: (message: Extract<M, { readonly type: K }>) => void;
};

/** Hands a message to its handler. A message of an unknown type, as another version may send, is left alone. */
export function dispatch<M extends { readonly type: string }>(message: M, handlers: Handlers<M>): void {
  if (!Object.hasOwn(handlers, message.type)) return;
  const handle = handlers[message.type as M['type']] as (message: M) => void;
  handle(message);
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
