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

/** A column that a forecast may make use of. */
export interface ColumnChoice {
  readonly name: string;
  readonly isUsed: boolean;
  /** How far it is known, and what it was worth, as far as that is known. */
  readonly about: string;
}

/** How a forecast can be changed in place. What the service does not take is absent. */
export interface ChartControls {
  /** What is known beforehand; absent where there is nothing, or the service makes no use of it. */
  readonly columns?: {
    readonly choices: readonly ColumnChoice[];
    /** What those used were worth together. */
    readonly worth?: string;
    /** Whether it can still be found out what each is worth. */
    readonly canTest: boolean;
  };
  /** Whether the future of what is known can be changed. */
  readonly canSuppose?: boolean;
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
  /** What the service can tell more of it, each a tab of its own. */
  readonly looks: readonly Look[];
  /** Ids of the predictions that were shown before, the last one last; saved with the page. */
  readonly former: readonly string[];
}

/** What the person changed of a forecast. */
export interface Change {
  readonly horizon?: number;
  readonly model?: string;
  readonly bands?: readonly number[];
  /** Names of the columns that it may make use of. */
  readonly covariates?: readonly string[];
}

/** A future value of a column as it is supposed to be; `null`: nothing is known of it. */
export interface Supposed {
  readonly column: string;
  readonly time: number;
  /** A switch is 0 or 1. */
  readonly value: number | string | null;
}

/** What can be told of a forecast besides itself: how it did in the past, what it adds up from, what was odd before it. */
export type Look = 'backtest' | 'parts' | 'odd';
export const LOOKS: readonly Look[] = ['backtest', 'parts', 'odd'];

/** A forecast that was made again from a time in the past, beside what then came. */
export interface FoldView {
  /** The last observation that it saw. */
  readonly origin: number;
  readonly forecast: Points;
  readonly naive: Points;
  /** Of its band of {@link BacktestView.level} per cent; as long as the forecast. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

export interface BacktestView {
  /** What came of it, in a sentence or two. */
  readonly sentences: readonly string[];
  readonly folds: readonly FoldView[];
  /** The band that is drawn, in per cent; absent where there is none. */
  readonly level?: number;
  readonly scores: readonly (Scores & { readonly label: string })[];
  /** Mean absolute errors, one for each step ahead; NaN where nothing was observed. */
  readonly errors: { readonly model: Float64Array; readonly naive: Float64Array };
  /** Shares of what came inside each band, both in per cent. */
  readonly coverage: readonly { readonly level: number; readonly held: number }[];
  readonly naiveLabel: string;
}

/** One part of a series and its forecast. */
export interface PartView {
  readonly label: string;
  readonly history: Points;
  readonly forecast: Points;
  /** Whether it moves around zero. */
  readonly isAroundZero: boolean;
}

export interface PartsView {
  readonly sentences: readonly string[];
  readonly parts: readonly PartView[];
}

/** An observation that was not expected. */
export interface OddView {
  readonly time: number;
  /** Observations after it. */
  readonly after: number;
  readonly value: number;
  readonly expected: number;
  /** In words: `1 in 4,000 · 5.1 times the usual distance`. */
  readonly about: string;
}

export interface OddPointsView {
  readonly sentence: string;
  readonly points: readonly OddView[];
  /** One in so many is odd by chance. */
  readonly rarity: number;
  /** Whether the marks can be put into the file too. */
  readonly canMark: boolean;
  readonly canLeaveOut: boolean;
}

/** Observations that came after a forecast, and how it did. */
export interface ActualsView {
  readonly line: Points;
  readonly sentence: string;
}

/** How rare by chance an odd point is, to choose from: one in so many. */
export const RARITIES = [100, 1000, 10_000] as const;

export type Seen =
  | { readonly look: 'backtest'; readonly view: BacktestView }
  | { readonly look: 'parts'; readonly view: PartsView }
  | { readonly look: 'odd'; readonly view: OddPointsView }
  | { readonly look: Look; readonly problem: string };

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
  /** The sum of its steps, and how that differs from the main line's. */
  readonly total?: string;
  /** How it differs from the main line, in a sentence; of a scenario. */
  readonly difference?: string;
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
  | { readonly do: 'open' | 'close' | 'save' }
  /** `id` as in the choices and the rows. */
  | { readonly do: 'add-model' | 'add-prediction' | 'remove' | 'main'; readonly id: string }
);

export type WorkMessage =
  | { readonly type: 'change'; readonly change: Change }
  | { readonly type: 'back' }
  /** A tab is seen, or its setting changed. */
  | { readonly type: 'look'; readonly look: Look; readonly rarity?: number }
  /** Forecast without the odd points, or show them as problems of the file. */
  | { readonly type: 'odd'; readonly do: 'leave-out' | 'mark' }
  /** It is to be found out what each column is worth. */
  | { readonly type: 'test-columns' }
  /** Forecast as if the future of some columns were another one, and lay that over the chart. */
  | { readonly type: 'suppose'; readonly name: string; readonly cells: readonly Supposed[] }
  | CompareMessage;

export type WorkHostMessage =
  /** What can be changed, or nothing while there is no forecast. */
  | { readonly type: 'controls'; readonly controls?: ChartControls | undefined }
  /** The forecasts to lay over each other, or none any more. */
  | { readonly type: 'compared'; readonly compared?: CompareView | undefined }
  /** What has come since the forecast was made, or nothing yet. */
  | { readonly type: 'actuals'; readonly actuals?: ActualsView | undefined }
  /** What a tab has asked for, of the prediction of this id. */
  | { readonly type: 'seen'; readonly predictionId: string; readonly seen: Seen };

/** Reads a message of the page; `undefined` for anything that is none of these. */
export function readWorkMessage(value: Record<string, unknown>): WorkMessage | undefined {
  switch (value['type']) {
    case 'change': {
      const change = isRecord(value['change']) ? readChange(value['change']) : undefined;
      return change && { type: 'change', change };
    }
    case 'back':
      return { type: 'back' };
    case 'look': {
      const { look, rarity } = value;
      const known = LOOKS.find((one) => one === look);
      if (!known) return undefined;
      const isRarity = typeof rarity === 'number' && rarity >= 10 && rarity <= 1_000_000;
      return { type: 'look', look: known, ...(isRarity ? { rarity } : {}) };
    }
    case 'odd': {
      const { do: what } = value;
      return what === 'leave-out' || what === 'mark' ? { type: 'odd', do: what } : undefined;
    }
    case 'test-columns':
      return { type: 'test-columns' };
    case 'suppose': {
      const { name, cells } = value;
      const isName = typeof name === 'string' && name.length <= MOST_NAME;
      if (!isName || !Array.isArray(cells) || cells.length === 0) return undefined;
      return cells.every(isSupposed) ? { type: 'suppose', name, cells } : undefined;
    }
    case 'compare': {
      const { do: what, id } = value;
      if (what === 'open' || what === 'close' || what === 'save') return { type: 'compare', do: what };
      const isKnown = what === 'add-model' || what === 'add-prediction' || what === 'remove' || what === 'main';
      return isKnown && typeof id === 'string' ? { type: 'compare', do: what, id } : undefined;
    }
    default:
      return undefined;
  }
}

/** Letters of the name of a scenario. */
export const MOST_NAME = 100;

/** Whether it is such a future value. */
export function isSupposed(cell: unknown): cell is Supposed {
  if (!isRecord(cell)) return false;
  const { column, time, value } = cell;
  const isValue = value === null || typeof value === 'string' || Number.isFinite(value);
  return typeof column === 'string' && Number.isFinite(time) && isValue;
}

function readChange({ horizon, model, bands, covariates }: Record<string, unknown>): Change | undefined {
  if (horizon !== undefined && !(Number.isSafeInteger(horizon) && (horizon as number) >= 1)) return undefined;
  if (model !== undefined && typeof model !== 'string') return undefined;
  if (bands !== undefined && !isBands(bands)) return undefined;
  const areNames = Array.isArray(covariates) && covariates.every((name) => typeof name === 'string');
  if (covariates !== undefined && !areNames) return undefined;
  return {
    ...(horizon === undefined ? {} : { horizon: horizon as number }),
    ...(model === undefined ? {} : { model }),
    ...(bands === undefined ? {} : { bands }),
    ...(areNames ? { covariates } : {}),
  };
}

export const MOST_BANDS = 10;

/** Whether these are bands in per cent that can be asked for. */
const isBands = (value: unknown): value is number[] =>
  Array.isArray(value) &&
  value.length >= 1 &&
  value.length <= MOST_BANDS &&
  value.every((band) => typeof band === 'number' && band > 0 && band < 100);
