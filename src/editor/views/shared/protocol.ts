/** A handler for each message of a union; a missing one is a compile error. */
export type Handlers<M extends { readonly type: string }> = {
  readonly [K in M['type']]: (message: Extract<M, { readonly type: K }>) => void;
};

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The state of a page. Its parts are replaced, never changed: an identical part is not sent again. */
export interface PageState<R = unknown> {
  readonly ref: R;
  readonly title: string;
}

export interface StateMessage<S extends PageState> {
  readonly type: 'state';
  readonly parts: Partial<S>;
}

export type PageMessage<I> =
  | { readonly type: 'ready' }
  | { readonly type: 'problem'; readonly message: string }
  | { readonly type: 'intent'; readonly intent: I };

export interface Kept {
  readonly ref: unknown;
  readonly view?: unknown;
}
