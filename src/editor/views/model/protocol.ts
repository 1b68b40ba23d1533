import * as z from 'zod/mini';
import type { Action } from '../../../chart/types.ts';

export const ModelRef = z.object({ serviceId: z.string(), modelId: z.string() });
export type ModelRef = z.infer<typeof ModelRef>;

export interface Verdict {
  readonly kind: 'better' | 'same' | 'worse';
  /** `18% better than its base model` */
  readonly headline: string;
  readonly sentences: readonly string[];
}

export interface Curve {
  readonly name: 'loss' | 'validation';
  readonly title: string;
  readonly points: readonly { readonly epoch: number; readonly value: number }[];
  /** Decimals that distinguish its values. */
  readonly digits: number;
}

export interface TrainingView {
  readonly curves: readonly Curve[];
  readonly chosen?: number;
  readonly sentences: readonly string[];
}

/** A value with an id is a link: its id comes back in an `action`. */
export interface Row {
  readonly name: string;
  readonly values: readonly { readonly text: string; readonly id?: string }[];
}

export interface ModelView {
  readonly title: string;
  /** `Training 40% · epoch 4 of up to 10 · fine-tuned from hybrid` */
  readonly status: string;
  /** 0 to 1 while it is trained. */
  readonly progress?: number;
  readonly verdict?: Verdict;
  readonly problem?: string;
  /** The first one is the primary action. */
  readonly actions: readonly Action[];
  readonly training?: TrainingView;
  readonly lists: readonly { readonly title: string; readonly rows: readonly Row[] }[];
  readonly notes: readonly string[];
}

export type Shown =
  | { readonly type: 'show'; readonly model: ModelView }
  | {
      readonly type: 'empty';
      readonly title: string;
      /** Absent while it is loading. */
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
