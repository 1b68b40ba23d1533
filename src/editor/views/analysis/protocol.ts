/**
 * What a chart's page and its panel say to each other about working with the forecast: changing it, comparing it, and
 * looking into it. Part of the messages of the chart.
 */

import type { Points } from '../../../chart/types.ts';
import { isRecord } from '../shared/protocol.ts';

/** One of several things to choose from. */
export interface Choice {
  readonly id: string;
  readonly label: string;
}

/** How a forecast can be changed in place. What the service does not take is absent. */
export interface ChartControls {
  readonly horizon?: {
    readonly steps: number;
    readonly most: number;
    /** What a step is, in the plural: `months`. */
    readonly unit: string;
    readonly picks: readonly { readonly steps: number; readonly label: string }[];
  };
  readonly model?: { readonly id: string; readonly choices: readonly (Choice & { readonly isTuned: boolean })[] };
  /** Bands in per cent, rising. */
  readonly bands?: readonly number[];
  /** What the step back leads to. */
  readonly back?: string;
  readonly canCompare: boolean;
  /** Ids of the predictions that were shown before, the last one last; saved with the page. */
  readonly former: readonly string[];
}

/** What the person changed of a forecast. */
export interface Change {
  readonly horizon?: number;
  readonly model?: string;
  readonly bands?: readonly number[];
}

/** How good forecasts were at some times in the past. */
export interface Scores {
  readonly mase?: number;
  readonly smape?: number;
  /** Share inside the 80 % band, 0 to 1. */
  readonly coverage80?: number;
}

/** One of the forecasts that lie over each other. */
export interface CompareRow {
  /** Of the prediction, or of the model until it has made one. */
  readonly id: string;
  readonly label: string;
  readonly isMain: boolean;
  readonly state: 'pending' | 'done' | 'failed';
  /** Why it failed. */
  readonly sentence?: string;
  readonly line?: Points;
  readonly scores?: Scores;
  readonly isBest: boolean;
}

/** The forecasts that lie over each other, the main one first. */
export interface CompareView {
  readonly rows: readonly CompareRow[];
  /** What the scores are of; absent where there are none. */
  readonly about?: string;
  readonly models: readonly Choice[];
  readonly predictions: readonly Choice[];
}

/** Most forecasts over each other. */
export const MOST_COMPARED = 4;

export type CompareMessage = { readonly type: 'compare' } & (
  | { readonly do: 'open' | 'close' }
  /** `id` as in the choices and the rows. */
  | { readonly do: 'add-model' | 'add-prediction' | 'remove' | 'main'; readonly id: string }
);

export type WorkMessage =
  { readonly type: 'change'; readonly change: Change } | { readonly type: 'back' } | CompareMessage;

export type WorkHostMessage =
  /** What can be changed, or nothing while there is no forecast. */
  | { readonly type: 'controls'; readonly controls?: ChartControls | undefined }
  /** The forecasts to lay over each other, or none any more. */
  | { readonly type: 'compared'; readonly compared?: CompareView | undefined };

/** Reads a message of the page; `undefined` for anything that is none of these. */
export function readWorkMessage(value: Record<string, unknown>): WorkMessage | undefined {
  switch (value['type']) {
    case 'change': {
      const change = isRecord(value['change']) ? readChange(value['change']) : undefined;
      return change && { type: 'change', change };
    }
    case 'back':
      return { type: 'back' };
    case 'compare': {
      const { do: what, id } = value;
      if (what === 'open' || what === 'close') return { type: 'compare', do: what };
      const isKnown = what === 'add-model' || what === 'add-prediction' || what === 'remove' || what === 'main';
      return isKnown && typeof id === 'string' ? { type: 'compare', do: what, id } : undefined;
    }
    default:
      return undefined;
  }
}

function readChange({ horizon, model, bands }: Record<string, unknown>): Change | undefined {
  if (horizon !== undefined && !(Number.isSafeInteger(horizon) && (horizon as number) >= 1)) return undefined;
  if (model !== undefined && typeof model !== 'string') return undefined;
  if (bands !== undefined && !isBands(bands)) return undefined;
  return {
    ...(horizon === undefined ? {} : { horizon: horizon as number }),
    ...(model === undefined ? {} : { model }),
    ...(bands === undefined ? {} : { bands }),
  };
}

export const MOST_BANDS = 10;

/** Whether these are bands in per cent that can be asked for. */
const isBands = (value: unknown): value is number[] =>
  Array.isArray(value) &&
  value.length >= 1 &&
  value.length <= MOST_BANDS &&
  value.every((band) => typeof band === 'number' && band > 0 && band < 100);
