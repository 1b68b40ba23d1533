/**
 * What a page and its host say to each other. The host sends state, the page sends intents; both are declared once by the
 * page's own protocol, and every intent has a handler or does not compile.
 */

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

/** What a page shows. Its parts are replaced, never changed: one that is the same as before is not sent again. */
export interface PageState {
  /** What the page is of; kept over a reload of the window. */
  readonly ref: unknown;
  /** Of its tab. */
  readonly title: string;
}

/** To a page: the parts of its state that are others now, all of them after it said that it is there. */
export interface StateMessage<S extends PageState> {
  readonly type: 'state';
  readonly parts: Partial<S>;
}

/** From a page: it is there, something in it went wrong, or what the person wants. */
export type PageMessage<I> =
  | { readonly type: 'ready' }
  | { readonly type: 'problem'; readonly message: string }
  | { readonly type: 'intent'; readonly intent: I };

/** What a page keeps over a reload of the window. */
export interface Kept {
  readonly ref: unknown;
  /** What it chose by itself to keep. */
  readonly view?: unknown;
}
