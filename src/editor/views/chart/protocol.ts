/**
 * The state and the intents of the page of a chart: of a prediction, of a series without one, or of a forecast file. The
 * latter two leave out what only a prediction has.
 */
import * as z from 'zod/mini';
import type { Action, ChartView, Notice, Points } from '../../../chart/types.ts';

export interface PredictionRef {
  readonly predictionId: string;
  readonly serviceId: string;
}

export const ChartRef = z.object({
  predictionId: z.string(),
  serviceId: z.string(),
  /** Ids of the predictions that were shown before, the last one last. */
  former: z.optional(z.array(z.string())),
});
export type ChartRef = z.infer<typeof ChartRef>;

export const Plot = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), uri: z.string(), series: z.string(), label: z.string() }),
  z.object({ kind: z.literal('stored'), serviceId: z.string(), seriesId: z.string(), label: z.string() }),
]);
export type Plot = z.infer<typeof Plot>;

const Change = z.object({
  horizon: z.optional(z.int().check(z.positive())),
  model: z.optional(z.string()),
  /** Levels in percent. */
  intervals: z.optional(z.array(z.number().check(z.gt(0), z.lt(100))).check(z.minLength(1), z.maxLength(10))),
  covariates: z.optional(z.array(z.string())),
});
export type Change = z.infer<typeof Change>;

/** A future value of a covariate in a scenario; `null` removes it. A switch is 0 or 1. */
const Supposed = z.object({
  column: z.string(),
  time: z.number(),
  value: z.nullable(z.union([z.number(), z.string()])),
});
export type Supposed = z.infer<typeof Supposed>;

/** Data that the extension makes of a chart; `file` is a forecast file, `untitled` a document without a file. */
const DATA_EXPORTS = ['csv', 'json', 'xlsx', 'file', 'untitled', 'copy'] as const;
export type DataExport = (typeof DATA_EXPORTS)[number];
const PICTURES = ['png', 'svg'] as const;
export type ImageExport = (typeof PICTURES)[number];

const line = z.int().check(z.positive());

const ANALYSES = ['backtest', 'decomposition', 'anomalies'] as const satisfies readonly Analysis[];

export const ChartIntent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('action'), id: z.string() }),
  z.object({ type: z.literal('export'), kind: z.enum(DATA_EXPORTS) }),
  /** PNG bytes, or SVG text as UTF-8. */
  z.object({ type: z.literal('picture'), kind: z.enum(PICTURES), data: z.instanceof(Uint8Array) }),
  z.object({ type: z.literal('copied') }),
  z.object({ type: z.literal('lines'), first: line, last: line }),
  z.object({ type: z.literal('change'), change: Change }),
  z.object({ type: z.literal('back') }),
  z.object({
    type: z.literal('analyze'),
    analysis: z.enum(ANALYSES),
    rarity: z.optional(z.number().check(z.gte(10), z.lte(1_000_000))),
  }),
  z.object({ type: z.literal('anomalies'), do: z.enum(['leave-out', 'mark']) }),
  z.object({ type: z.literal('test-columns') }),
  /** Compares a scenario: a forecast with other future covariates. */
  z.object({
    type: z.literal('suppose'),
    name: z.string().check(z.maxLength(100)),
    cells: z.array(Supposed).check(z.minLength(1)),
  }),
  /** `id` of a choice or a row. */
  z.object({
    type: z.literal('compare'),
    do: z.enum(['open', 'close', 'save', 'add-model', 'add-prediction', 'remove', 'main']),
    id: z._default(z.string(), ''),
  }),
]);
export type ChartIntent = z.infer<typeof ChartIntent>;
export type SentIntent = z.input<typeof ChartIntent>;

/** The status of a prediction without a chart. `sentence` replaces the page's own; `other` is an unknown status. */
export type Status = (
  | { readonly kind: 'loading' | 'queued'; readonly sentence?: string }
  | { readonly kind: 'running'; readonly sentence?: string; /** 0 to 1 */ readonly progress?: number }
  | { readonly kind: 'failed' | 'other'; readonly sentence: string }
) & { readonly actions?: readonly Action[] };

export interface Choice {
  readonly id: string;
  readonly label: string;
}

export interface ModelChoice extends Choice {
  readonly isTuned: boolean;
}

export interface ColumnChoice {
  readonly name: string;
  readonly isUsed: boolean;
  /** How far it is known, and whether it helped. */
  readonly about: string;
}

export interface ChartControls {
  readonly columns?: {
    readonly choices: readonly ColumnChoice[];
    readonly worth?: string;
    readonly canTest: boolean;
  };
  readonly horizon?: {
    readonly steps: number;
    readonly most: number;
    /** A step in the plural: `months`. */
    readonly unit: string;
    readonly picks: readonly { readonly steps: number; readonly label: string }[];
  };
  readonly model?: { readonly id: string; readonly choices: readonly ModelChoice[] };
  /** Levels in percent, ascending. */
  readonly intervals?: readonly number[];
  readonly back?: string;
  readonly canCompare: boolean;
  readonly analyses: readonly Analysis[];
}

export interface Scores {
  readonly mase?: number;
  readonly smape?: number;
  /** Coverage of the 80% interval, 0 to 1. */
  readonly coverage80?: number;
}

export interface FoldView {
  /** The last observation before the forecast. */
  readonly origin: number;
  readonly forecast: Points;
  readonly naive: Points;
  /** Limits of the interval of {@link BacktestView.level}; as long as the forecast. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

export interface BacktestView {
  readonly sentences: readonly string[];
  readonly folds: readonly FoldView[];
  /** The interval that is drawn, in percent; absent if there is none. */
  readonly level?: number;
  readonly scores: readonly (Scores & { readonly label: string })[];
  /** Mean absolute errors, one for each step ahead; NaN if nothing was observed. */
  readonly errors: { readonly model: Float64Array; readonly naive: Float64Array };
  /** In percent. */
  readonly coverage: readonly { readonly level: number; readonly covered: number }[];
}

interface ComponentView {
  readonly label: string;
  readonly history: Points;
  readonly forecast: Points;
  readonly isAroundZero: boolean;
}

export interface DecompositionView {
  readonly sentences: readonly string[];
  readonly parts: readonly ComponentView[];
}

export interface Anomaly {
  readonly time: number;
  /** The number of observations after it. */
  readonly after: number;
  readonly value: number;
  readonly expected: number;
  /** `1 in 4,000 · 5.1 times the usual deviation` */
  readonly about: string;
}

export interface AnomaliesView {
  readonly sentence: string;
  readonly points: readonly Anomaly[];
  /** One in so many is an anomaly by chance. */
  readonly rarity: number;
  readonly rarities: readonly number[];
  readonly canMark: boolean;
  readonly canLeaveOut: boolean;
}

export interface Analyses {
  readonly backtest: BacktestView;
  readonly decomposition: DecompositionView;
  readonly anomalies: AnomaliesView;
}
export type Analysis = keyof Analyses;
export type Found<V> = 'asked' | { readonly problem: string } | { readonly view: V };
export type FoundAnalyses = { readonly [A in Analysis]?: Found<Analyses[A]> };

export interface CompareRow {
  /** Of the prediction; until it is made, of its entry. */
  readonly id: string;
  readonly label: string;
  readonly isMain: boolean;
  readonly state: 'pending' | 'done' | 'failed';
  readonly sentence?: string;
  readonly line?: Points;
  readonly scores?: Scores;
  readonly isBest: boolean;
  /** The sum of its steps, and the difference from the main line. */
  readonly total?: string;
  readonly difference?: string;
}

export interface CompareView {
  readonly rows: readonly CompareRow[];
  readonly most: number;
  /** What the scores are of; absent if there are none. */
  readonly about?: string;
  readonly models: readonly Choice[];
  readonly predictions: readonly Choice[];
}

/** `R`: what the page keeps over a reload. */
export interface ChartState<R = unknown> {
  readonly ref: R;
  readonly title: string;
  /** What is drawn, with a key for each prediction. It stays until the next prediction is loaded. */
  readonly shown: { readonly key: string; readonly chart: ChartView } | null;
  readonly standing: { readonly title: string; readonly status: Status } | null;
  readonly notice: Notice | null;
  readonly actuals: { readonly line: Points; readonly sentence: string } | null;
  readonly controls: ChartControls | null;
  readonly compared: CompareView | null;
  readonly analyses: FoundAnalyses;
}

export const EMPTY: Omit<ChartState, 'ref' | 'title'> = {
  shown: null,
  standing: null,
  notice: null,
  actuals: null,
  controls: null,
  compared: null,
  analyses: {},
};
