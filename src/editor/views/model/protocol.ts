/** What the panel of a fine-tuned model and its web page say to each other; the panel’s life is that of a chart’s. */
import type { Action } from '../../../chart/types.ts';
import { isRecord } from '../shared/protocol.ts';

/** Which model a page is of, as kept over a reload of the window. */
export interface ModelRef {
  readonly serviceId: string;
  readonly modelId: string;
  /** Its service tells no more of it, so that it may be tried whatever its status was. */
  readonly isUsableAnyway: boolean;
}

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
  /** Decimals that tell its values apart. */
  readonly digits: number;
}

/** How a model learned. */
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

/** From the panel to its page. */
export type HostMessage =
  | { readonly type: 'show'; readonly ref: ModelRef; readonly model: ModelView }
  /** There is nothing to show of the model, or not yet. */
  | {
      readonly type: 'empty';
      readonly ref: ModelRef;
      readonly title: string;
      /** Why; absent while it is read. */
      readonly problem?: string | undefined;
      readonly actions: readonly Action[];
    };

/** From the page to its panel. */
export type WebviewMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'action'; readonly id: string }
  /** Something in the page went wrong; for the log. */
  | { readonly type: 'problem'; readonly message: string };

/** Reads a message of the page; `undefined` for anything that is not one. */
export function readWebviewMessage(value: unknown): WebviewMessage | undefined {
  if (!isRecord(value)) return undefined;
  const { type, id, message } = value;
  if (type === 'ready') return { type };
  if (type === 'action' && typeof id === 'string') return { type, id };
  return type === 'problem' && typeof message === 'string' ? { type, message } : undefined;
}

/** Reads what a page kept; `undefined` where it names no model. */
export function readModelRef(value: unknown): ModelRef | undefined {
  if (!isRecord(value)) return undefined;
  const { serviceId, modelId, isUsableAnyway } = value;
  if (typeof serviceId !== 'string' || typeof modelId !== 'string') return undefined;
  return { serviceId, modelId, isUsableAnyway: isUsableAnyway === true };
}
