/** What the page of many forecasts shows, and what the person can do there. */
import * as z from 'zod/mini';
import type { PageState } from '../views/shared/protocol.ts';

/** Which forecasts a page is of, as kept over a reload of the window: those of a dataset, or some by their ids. */
export const SetRef = z
  .object({
    serviceId: z.string(),
    /** What the person calls them. */
    label: z.string(),
    datasetId: z.optional(z.string()),
    /** Of a dataset those that one request made; the newest of each series where absent. */
    batchId: z.optional(z.string()),
    predictionIds: z.optional(z.array(z.string())),
  })
  .check(z.refine(({ datasetId, predictionIds }) => datasetId !== undefined || predictionIds !== undefined));
export type SetRef = z.infer<typeof SetRef>;

/** One value of a drawing; `null` where it is missing. */
type Drawn = readonly (number | null)[];

/** One forecast. What is absent is not known of it. */
export interface SeriesRow {
  readonly id: string;
  readonly name: string;
  readonly model?: string | undefined;
  /** Why there is no forecast, or not yet: `failed: it has 2 points`, `queued`. */
  readonly state?: string | undefined;
  readonly hasFailed?: boolean | undefined;
  /** The last observations, and the first steps ahead with the limits of an interval. */
  readonly past?: Drawn | undefined;
  readonly ahead?: Drawn | undefined;
  readonly lower?: Drawn | undefined;
  readonly upper?: Drawn | undefined;
  /** The last observation, and the forecast of the first step. */
  readonly last?: number | undefined;
  readonly next?: number | undefined;
  /** Symmetric mean absolute percentage error on its own last part, 0 to 200. */
  readonly error?: number | undefined;
  /** 1 − its error / that of seasonal naive. */
  readonly skill?: number | undefined;
  /** Share of that part inside the 80 % interval, 0 to 1. */
  readonly coverage?: number | undefined;
}

/** Mean scaled errors of the series of a level, as they add up and each forecast by itself. */
export interface LevelRow {
  readonly series: number;
  readonly together?: number | undefined;
  readonly alone?: number | undefined;
}

export const ACTIONS = ['again', 'save-csv', 'save-json', 'save-xlsx', 'dataset', 'tune'] as const;
export type ManyAction = (typeof ACTIONS)[number];

export interface ManyState extends PageState {
  readonly ref: SetRef;
  /** What is offered where the service in use can do it. */
  readonly actions: readonly ManyAction[];
  readonly isLoading: boolean;
  readonly rows: readonly SeriesRow[];
  /** Where the forecasts add up: the errors of each level, a whole first. */
  readonly levels: readonly LevelRow[] | null;
  /** Why there is nothing, or not all. */
  readonly problem: string | null;
}

export const ManyIntent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('retry') }),
  z.object({ type: z.literal('open'), id: z.string() }),
  z.object({ type: z.literal('do'), action: z.enum(ACTIONS), ids: z.array(z.string()) }),
]);
export type ManyIntent = z.infer<typeof ManyIntent>;
