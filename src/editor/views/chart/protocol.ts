/**
 * What the page of a chart shows, and what the person can do there. It is the chart of a prediction, of a series by itself
 * or of a forecast file: the latter two leave out what only a prediction has.
 */
import * as z from 'zod/mini';
import type { Action, ChartView, Notice, Points } from '../../../chart/types.ts';

/** A prediction, and on which service it is. */
export interface PredictionRef {
  readonly predictionId: string;
  readonly serviceId: string;
}

/** What the page of a prediction keeps over a reload. */
export const ChartRef = z.object({
  predictionId: z.string(),
  serviceId: z.string(),
  /** Ids of the predictions that were shown before, the last one last. */
  former: z.array(z.string()),
});
export type ChartRef = z.infer<typeof ChartRef>;

/** A series that is plotted by itself: one of a file, or one that a service has stored. */
export const Plot = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), uri: z.string(), series: z.string(), label: z.string() }),
  z.object({ kind: z.literal('stored'), serviceId: z.string(), seriesId: z.string(), label: z.string() }),
]);
export type Plot = z.infer<typeof Plot>;

/** What the person changes of a forecast. */
const Change = z.object({
  horizon: z.optional(z.int().check(z.positive())),
  model: z.optional(z.string()),
  /** Levels of its intervals in per cent. */
  intervals: z.optional(z.array(z.number().check(z.gt(0), z.lt(100))).check(z.minLength(1), z.maxLength(10))),
  /** Names of the columns that it may make use of. */
  covariates: z.optional(z.array(z.string())),
});
export type Change = z.infer<typeof Change>;

/** A future value of a column as it is supposed to be; `null`: nothing is known of it. A switch is 0 or 1. */
const Supposed = z.object({
  column: z.string(),
  time: z.number(),
  value: z.nullable(z.union([z.number(), z.string()])),
});
export type Supposed = z.infer<typeof Supposed>;

/** Data that the extension makes of a chart: files (`file` is the forecast with its request), a document that is no file yet, the clipboard. */
export const DATA_EXPORTS = ['csv', 'json', 'xlsx', 'file', 'untitled', 'copy'] as const;
export type DataExport = (typeof DATA_EXPORTS)[number];
/** Pictures that the page draws. */
const PICTURES = ['png', 'svg'] as const;
export type ImageExport = (typeof PICTURES)[number];

const line = z.int().check(z.positive());

/** The analyses of a forecast, each a tab; what one shows is in {@link Analyses}. */
const ANALYSES = ['backtest', 'decomposition', 'anomalies'] as const satisfies readonly Analysis[];

export const ChartIntent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('action'), id: z.string() }),
  z.object({ type: z.literal('export'), kind: z.enum(DATA_EXPORTS) }),
  /** PNG bytes, or SVG text as UTF-8. */
  z.object({ type: z.literal('picture'), kind: z.enum(PICTURES), data: z.instanceof(Uint8Array) }),
  /** The page has put its picture on the clipboard. */
  z.object({ type: z.literal('copied') }),
  /** Shows these lines of the file in an editor. */
  z.object({ type: z.literal('lines'), first: line, last: line }),
  z.object({ type: z.literal('change'), change: Change }),
  z.object({ type: z.literal('back') }),
  /** A tab is seen, or its setting changed. */
  z.object({
    type: z.literal('analyze'),
    analysis: z.enum(ANALYSES),
    rarity: z.optional(z.number().check(z.gte(10), z.lte(1_000_000))),
  }),
  /** Forecasts without the anomalies, or shows them as problems of the file. */
  z.object({ type: z.literal('anomalies'), do: z.enum(['leave-out', 'mark']) }),
  /** Finds out what each column is worth. */
  z.object({ type: z.literal('test-columns') }),
  /** Forecasts as if the future of some columns were another one, and lays that over the chart. */
  z.object({
    type: z.literal('suppose'),
    name: z.string().check(z.maxLength(100)),
    cells: z.array(Supposed).check(z.minLength(1)),
  }),
  /** `id` as in the choices and the rows, where it is about one of them. */
  z.object({
    type: z.literal('compare'),
    do: z.enum(['open', 'close', 'save', 'add-model', 'add-prediction', 'remove', 'main']),
    id: z._default(z.string(), ''),
  }),
]);
export type ChartIntent = z.infer<typeof ChartIntent>;
/** As the page sends it. */
export type SentIntent = z.input<typeof ChartIntent>;

/**
 * Where a prediction stands while there is no chart of its forecast. `sentence` replaces the page's own words. `other` is
 * for a status word that the interface does not name.
 */
export type Status = (
  | { readonly kind: 'loading' | 'queued'; readonly sentence?: string }
  | { readonly kind: 'running'; readonly sentence?: string; /** 0 to 1, if known. */ readonly progress?: number }
  | { readonly kind: 'failed' | 'other'; readonly sentence: string }
) & { readonly actions?: readonly Action[] };

export interface Choice {
  readonly id: string;
  readonly label: string;
}

/** A model to choose for a forecast. */
export interface ModelChoice extends Choice {
  readonly isTuned: boolean;
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
  /** Future covariates; absent where there is nothing, or the service makes no use of it. */
  readonly columns?: {
    readonly choices: readonly ColumnChoice[];
    /** What those used were worth together. */
    readonly worth?: string;
    /** Whether it can still be found out what each is worth. */
    readonly canTest: boolean;
  };
  readonly horizon?: {
    readonly steps: number;
    readonly most: number;
    /** What a step is, in the plural: `months`. */
    readonly unit: string;
    readonly picks: readonly { readonly steps: number; readonly label: string }[];
  };
  readonly model?: { readonly id: string; readonly choices: readonly ModelChoice[] };
  /** Levels of its intervals in per cent, rising. */
  readonly intervals?: readonly number[];
  /** What the step back leads to. */
  readonly back?: string;
  readonly canCompare: boolean;
  /** The analyses that the service has, each a tab of its own. */
  readonly analyses: readonly Analysis[];
}

/** How good forecasts were at some times in the past. */
export interface Scores {
  readonly mase?: number;
  readonly smape?: number;
  /** Share inside the 80 % interval, 0 to 1. */
  readonly coverage80?: number;
}

/** One backtest forecast with the actual values. */
export interface FoldView {
  /** The last observation that it saw. */
  readonly origin: number;
  readonly forecast: Points;
  readonly naive: Points;
  /** Of its interval of {@link BacktestView.level} per cent; as long as the forecast. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

export interface BacktestView {
  /** The result in a sentence or two. */
  readonly sentences: readonly string[];
  readonly folds: readonly FoldView[];
  /** The interval that is drawn, in per cent; absent where there is none. */
  readonly level?: number;
  readonly scores: readonly (Scores & { readonly label: string })[];
  /** Mean absolute errors, one for each step ahead; NaN where nothing was observed. */
  readonly errors: { readonly model: Float64Array; readonly naive: Float64Array };
  /** Coverage of each interval, in percent. */
  readonly coverage: readonly { readonly level: number; readonly covered: number }[];
  readonly naiveLabel: string;
}

/** One component of a series and its forecast. */
export interface ComponentView {
  readonly label: string;
  readonly history: Points;
  readonly forecast: Points;
  /** Whether it moves around zero. */
  readonly isAroundZero: boolean;
}

export interface DecompositionView {
  readonly sentences: readonly string[];
  readonly parts: readonly ComponentView[];
}

/** An observation that was not expected. */
export interface Anomaly {
  readonly time: number;
  /** Observations after it. */
  readonly after: number;
  readonly value: number;
  readonly expected: number;
  /** In words: `1 in 4,000 · 5.1 times the usual distance`. */
  readonly about: string;
}

export interface AnomaliesView {
  readonly sentence: string;
  readonly points: readonly Anomaly[];
  /** One in so many is an anomaly by chance, and what else can be chosen. */
  readonly rarity: number;
  readonly rarities: readonly number[];
  /** Whether the marks can be put into the file too. */
  readonly canMark: boolean;
  readonly canLeaveOut: boolean;
}

/** Analyses of a forecast by its service. */
export interface Analyses {
  readonly backtest: BacktestView;
  readonly decomposition: DecompositionView;
  readonly anomalies: AnomaliesView;
}
export type Analysis = keyof Analyses;
/** The result of requesting one. */
export type Found<V> = 'asked' | { readonly problem: string } | { readonly view: V };
export type FoundAnalyses = { readonly [A in Analysis]?: Found<Analyses[A]> };

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
  /** How many there may be. */
  readonly most: number;
  /** What the scores are of; absent where there are none. */
  readonly about?: string;
  readonly models: readonly Choice[];
  readonly predictions: readonly Choice[];
}

/** `R`: what the page is of, which is kept over a reload. */
export interface ChartState<R = unknown> {
  readonly ref: R;
  /** Of the tab. */
  readonly title: string;
  /** What is drawn: of this key, which is another one for another prediction. It stays while another one is awaited. */
  readonly shown: { readonly key: string; readonly chart: ChartView } | null;
  /** Where a prediction stands that has no chart yet, and what it is called. */
  readonly standing: { readonly title: string; readonly status: Status } | null;
  readonly notice: Notice | null;
  /** Actual values after the forecast, and its accuracy. */
  readonly actuals: { readonly line: Points; readonly sentence: string } | null;
  /** What can be changed; nothing while there is no forecast. */
  readonly controls: ChartControls | null;
  readonly compared: CompareView | null;
  readonly analyses: FoundAnalyses;
}

/** A page with nothing on it. */
export const EMPTY: Omit<ChartState, 'ref' | 'title'> = {
  shown: null,
  standing: null,
  notice: null,
  actuals: null,
  controls: null,
  compared: null,
  analyses: {},
};
