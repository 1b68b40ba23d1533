import * as z from 'zod/mini';
import type { Sparkline, TotalsSummary } from '../../contract/resources.ts';
import type { PageState } from '../views/shared/protocol.ts';

export const SetRef = z
  .object({
    serviceId: z.string(),
    label: z.string(),
    datasetId: z.optional(z.string()),
    batchId: z.optional(z.string()),
    predictionIds: z.optional(z.array(z.string())),
  })
  .check(z.refine(({ datasetId, predictionIds }) => datasetId !== undefined || predictionIds !== undefined));
export type SetRef = z.infer<typeof SetRef>;

export interface SeriesRow extends Partial<Pick<Sparkline, 'past' | 'ahead' | 'lower' | 'upper'>> {
  readonly id: string;
  readonly name: string;
  readonly model?: string | undefined;
  readonly state?: string | undefined;
  readonly hasFailed?: boolean | undefined;
  readonly last?: number | undefined;
  readonly next?: number | undefined;
  /** sMAPE of the holdout, 0 to 200. */
  readonly error?: number | undefined;
  /** 1 − its error / that of seasonal naive. */
  readonly skill?: number | undefined;
  /** Of the 80 % interval, 0 to 1. */
  readonly coverage?: number | undefined;
}

export const ACTIONS = ['again', 'save-csv', 'save-json', 'save-xlsx', 'dataset', 'tune'] as const;
export type ManyAction = (typeof ACTIONS)[number];

export interface ManyState extends PageState {
  readonly ref: SetRef;
  readonly actions: readonly ManyAction[];
  readonly isLoading: boolean;
  readonly rows: readonly SeriesRow[];
  readonly levels: TotalsSummary['levels'] | null;
  readonly problem: string | null;
}

export const ManyIntent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('retry') }),
  z.object({ type: z.literal('open'), id: z.string() }),
  z.object({ type: z.literal('do'), action: z.enum(ACTIONS), ids: z.array(z.string()) }),
]);
export type ManyIntent = z.infer<typeof ManyIntent>;
