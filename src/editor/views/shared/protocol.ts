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

/** Whether a value has all parts of a sample, each of its kind; of a list the first one stands for all. */
function fits(sample: unknown, value: unknown): boolean {
  if (Array.isArray(sample)) return Array.isArray(value) && value.every((one) => fits(sample[0], one));
  if (!isRecord(sample)) return typeof value === typeof sample;
  return isRecord(value) && Object.entries(sample).every(([name, part]) => fits(part, value[name]));
}

/** The view that a page has kept. A part that does not fit its sample, such as one of another version, is dropped. */
export const viewOf = <V extends object>(usual: V, sample: Record<keyof V, unknown>, kept: unknown): V => ({
  ...usual,
  ...Object.fromEntries(
    Object.entries(sample).flatMap(([name, part]) => {
      const value = isRecord(kept) ? kept[name] : undefined;
      return fits(part, value) ? [[name, value]] : [];
    }),
  ),
});
