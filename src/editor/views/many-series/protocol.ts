/** What the page of many forecasts and its panel say to each other; the panel’s life is that of a chart’s. */
import type { Action } from '../../../chart/types.ts';
import { isRecord } from '../shared/protocol.ts';

/** Which forecasts a page is of, as kept over a reload of the window: those of a dataset, or some by their ids. */
export interface SetRef {
  readonly serviceId: string;
  /** What the person calls them. */
  readonly label: string;
  readonly datasetId?: string | undefined;
  readonly predictionIds?: readonly string[] | undefined;
}

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
  /** The last observations, and the first steps ahead with the limits of a band. */
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
  /** Share of that part inside the 80 % band, 0 to 1. */
  readonly held?: number | undefined;
}

/** Mean scaled errors of the series of a level, as they add up and each forecast by itself. */
export interface LevelRow {
  readonly series: number;
  readonly together?: number | undefined;
  readonly alone?: number | undefined;
}

/** What can be done with forecasts that are selected. */
export const DEEDS = ['again', 'save-csv', 'save-json', 'save-xlsx', 'dataset', 'tune'] as const;
export type Deed = (typeof DEEDS)[number];

/** From the panel to its page. */
export type HostMessage =
  /** What stands above the list. */
  | {
      readonly type: 'head';
      readonly ref: SetRef;
      readonly title: string;
      /** What is offered where the service in use can do it. */
      readonly deeds: readonly Deed[];
      readonly isLoading: boolean;
      /** Where the forecasts add up: the errors of each level, a whole first. */
      readonly levels?: readonly LevelRow[] | undefined;
      /** Why there is nothing, or not all. */
      readonly problem?: string | undefined;
      readonly actions: readonly Action[];
    }
  /** Some of the forecasts. From the first to the last of them they take the place of all that were there. */
  | {
      readonly type: 'rows';
      readonly rows: readonly SeriesRow[];
      readonly isFirst: boolean;
      readonly isLast: boolean;
    };

/** From the page to its panel. */
export type WebviewMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'action'; readonly id: string }
  | { readonly type: 'open'; readonly id: string }
  | { readonly type: 'deed'; readonly deed: Deed; readonly ids: readonly string[] }
  /** Something in the page went wrong; for the log. */
  | { readonly type: 'problem'; readonly message: string };

/** Reads a message of the page; `undefined` for anything that is not one. */
export function readWebviewMessage(value: unknown): WebviewMessage | undefined {
  if (!isRecord(value)) return undefined;
  const { type, id, ids, message } = value;
  const deed = DEEDS.find((one) => one === value['deed']);
  if (type === 'ready') return { type };
  if ((type === 'open' || type === 'action') && typeof id === 'string') return { type, id };
  if (type === 'deed' && deed && isTexts(ids)) return { type, deed, ids };
  return type === 'problem' && typeof message === 'string' ? { type, message } : undefined;
}

/** Reads what a page kept; `undefined` where it names no forecasts. */
export function readSetRef(value: unknown): SetRef | undefined {
  if (!isRecord(value)) return undefined;
  const { serviceId, label, datasetId, predictionIds } = value;
  if (typeof serviceId !== 'string' || typeof label !== 'string') return undefined;
  if (typeof datasetId === 'string') return { serviceId, label, datasetId };
  return isTexts(predictionIds) ? { serviceId, label, predictionIds } : undefined;
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
