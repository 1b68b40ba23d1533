/** What the page of a fine-tuned model shows, and what the person can do there. */
import * as z from 'zod/mini';
import type { Action } from '../../../chart/types.ts';

/** Which model a page is of, as kept over a reload of the window. */
export const ModelRef = z.object({
  serviceId: z.string(),
  modelId: z.string(),
  /** Its service does not report its status, so it may be tried in any status. */
  isUsableAnyway: z.boolean(),
});
export type ModelRef = z.infer<typeof ModelRef>;

/** Whether it is better than its base model, and where. */
export interface Verdict {
  readonly kind: 'better' | 'same' | 'worse';
  /** `18 % better than its base model`. */
  readonly headline: string;
  readonly sentences: readonly string[];
}

/** A quantity by epoch, epochs ascending. */
export interface Curve {
  readonly name: 'loss' | 'validation';
  readonly title: string;
  readonly points: readonly { readonly epoch: number; readonly value: number }[];
  /** Decimals that distinguish its values. */
  readonly digits: number;
}

export interface TrainingView {
  readonly curves: readonly Curve[];
  /** The epoch that was chosen, once one is. */
  readonly chosen?: number;
  readonly sentences: readonly string[];
}

/** A name and what is to be said of it; a part with an id is a link, which comes back in an `action` message. */
export interface Row {
  readonly name: string;
  readonly values: readonly { readonly text: string; readonly id?: string }[];
}

/** All that the page needs of one model. Sentences come ready for the person. */
export interface ModelView {
  readonly title: string;
  /** `Training 40 % · epoch 4 of at most 10 · fine-tuned from hybrid`. */
  readonly status: string;
  /** 0 to 1 while it is trained. */
  readonly progress?: number;
  readonly verdict?: Verdict;
  /** Why it failed. */
  readonly problem?: string;
  /** The first one is what most people want next. */
  readonly actions: readonly Action[];
  readonly training?: TrainingView;
  readonly lists: readonly { readonly title: string; readonly rows: readonly Row[] }[];
  readonly notes: readonly string[];
}

/** What is shown: the model, or why there is nothing to show of it. */
export type Shown =
  | { readonly type: 'show'; readonly model: ModelView }
  | {
      readonly type: 'empty';
      readonly title: string;
      /** Why; absent while it is read. */
      readonly problem?: string | undefined;
      readonly actions: readonly Action[];
    };

export interface ModelState {
  readonly ref: ModelRef;
  readonly title: string;
  readonly shown: Shown;
}

export const ModelIntent = z.discriminatedUnion('type', [z.object({ type: z.literal('action'), id: z.string() })]);
export type ModelIntent = z.infer<typeof ModelIntent>;
