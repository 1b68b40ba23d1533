import type {
  BaseModel,
  LocalDataset,
  LocalFineTunedModel,
  LocalPrediction,
  StoredSeries,
} from '../../../contract/local.ts';
import type { Key } from '../../../contract/resources.ts';
import { isOngoing } from '../../../contract/operation.ts';
import type { Capabilities } from '../../../client/capabilities.ts';
import type { Note } from '../../connection/memory.ts';

/** Where a model is known from, if its service does not list it; for one that was made here, as of when (epoch ms). */
export interface Origin {
  readonly from: 'prediction' | 'made here';
  readonly asOf?: number | undefined;
  /** What its service said then, instead of forecasting with it. */
  readonly said?: string | undefined;
  /** For one that was met in predictions: the newest of them, by its time and by what the person calls it. */
  readonly lastUsed?: string | undefined;
  readonly usedOn?: string | undefined;
}

/** A resource in the sidebar, with what the person may know of it beyond the resource itself. */
export type Entry =
  | {
      readonly kind: 'prediction';
      readonly id: string;
      readonly item: LocalPrediction;
      readonly note?: Note | undefined;
      readonly modelLabel?: string | undefined;
      readonly isPinned?: boolean | undefined;
      /** Whether it is the one that is made again whenever its file is saved. */
      readonly isKept?: boolean | undefined;
    }
  | { readonly kind: 'dataset'; readonly id: string; readonly item: LocalDataset }
  | { readonly kind: 'series'; readonly id: string; readonly item: StoredSeries }
  | { readonly kind: 'baseModel'; readonly id: string; readonly item: BaseModel; readonly origin?: Origin | undefined }
  | {
      readonly kind: 'fineTunedModel';
      readonly id: string;
      readonly item: LocalFineTunedModel;
      readonly origin?: Origin | undefined;
      readonly note?: Note | undefined;
    }
  /** `isOwn`: it signs the requests of this editor, so that its service does not delete it. */
  | { readonly kind: 'key'; readonly id: string; readonly item: Key; readonly isOwn?: boolean };

/** An entry of the service with this id, which offers these operations. */
export type ResourceNode = Entry & { readonly serviceId: string; readonly offers: Capabilities };

/** Entries that are listed together. */
export interface Group {
  readonly kind: 'group';
  readonly id: string;
  readonly label: string;
  readonly entries: readonly ResourceNode[];
  /** Of the predictions of one request, which are opened as one. */
  readonly batchId?: string | undefined;
}

export type Node =
  | ResourceNode
  /** “Load more…”, for the list of the view or of `parent`. */
  | {
      readonly kind: 'more';
      readonly viewId: string;
      readonly id: string;
      readonly loaded: number;
      readonly total: number | undefined;
      readonly parent: ResourceNode | undefined;
    }
  | Group
  /** A sentence about what could not be read. */
  | { readonly kind: 'problem'; readonly id: string; readonly error: unknown };

/** The operations that delete a resource, by kind. */
export const DELETIONS = {
  prediction: 'deletePrediction',
  fineTunedModel: 'deleteFineTunedModel',
  dataset: 'deleteDataset',
  key: 'deleteKey',
} as const;

/** Whether its service offers to delete it, and would not refuse to. */
export const canDelete = (node: ResourceNode): boolean =>
  !(node.kind === 'key' && node.isOwn) &&
  node.kind in DELETIONS &&
  node.offers.has(DELETIONS[node.kind as keyof typeof DELETIONS]);

/** Whether a fine-tuned model can be named by a prediction, as far as can be told: its service may tell no more of it. */
export function isUsable({ item, offers }: { item: LocalFineTunedModel; offers: Capabilities }): boolean {
  const isTold = offers.tellsOfModels;
  return item.status === 'COMPLETED' || (!isTold && item.status !== 'FAILED');
}

export const isResource = (node: Node): node is ResourceNode =>
  node.kind !== 'more' && node.kind !== 'problem' && node.kind !== 'group';

/** Whether its service will tell more of it. */
export const isUnfinished = (node: ResourceNode): boolean =>
  (node.kind === 'prediction' || node.kind === 'fineTunedModel') && isOngoing(node.item);
