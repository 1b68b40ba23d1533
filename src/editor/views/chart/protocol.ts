import * as z from 'zod/mini';
import type { Action, ChartView, Notice, Points } from '../../../chart/chart-view.ts';
import { type Analyses, ANALYSES, type Analysis } from './analyses.ts';
import type { compareView } from './comparison.ts';
import type { controlsOf } from './controls.ts';

export type { Analyses, Analysis };

export const PredictionRef = z.object({ predictionId: z.string(), serviceId: z.string() });
export type PredictionRef = Readonly<z.infer<typeof PredictionRef>>;

export const ChartRef = z.extend(PredictionRef, { former: z.optional(z.array(z.string())) });
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
const DataExport = z.enum(['csv', 'json', 'xlsx', 'file', 'untitled', 'copy']);
export type DataExport = z.infer<typeof DataExport>;
const ImageExport = z.enum(['png', 'svg']);
export type ImageExport = z.infer<typeof ImageExport>;

const line = z.int().check(z.positive());

export const SeriesIntent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('action'), id: z.string() }),
  z.object({ type: z.literal('export'), kind: DataExport }),
  /** PNG bytes, or SVG text as UTF-8. */
  z.object({ type: z.literal('picture'), kind: ImageExport, data: z.instanceof(Uint8Array) }),
  z.object({ type: z.literal('copied') }),
  z.object({ type: z.literal('lines'), first: line, last: line }),
]);
export type SeriesIntent = z.infer<typeof SeriesIntent>;

export const ChartIntent = z.discriminatedUnion('type', [
  SeriesIntent,
  z.object({ type: z.literal('change'), change: Change }),
  z.object({ type: z.literal('back') }),
  z.object({
    type: z.literal('analyze'),
    analysis: z.enum(ANALYSES),
    rarity: z.optional(z.number().check(z.gte(10), z.lte(1_000_000))),
  }),
  z.object({ type: z.literal('test-columns') }),
  z.object({
    type: z.literal('suppose'),
    name: z.string().check(z.maxLength(100)),
    cells: z.array(Supposed).check(z.minLength(1)),
  }),
  z.object({
    type: z.literal('compare'),
    do: z.enum(['open', 'close', 'save', 'add-model', 'add-prediction', 'remove', 'main']),
    id: z._default(z.string(), ''),
  }),
]);
export type ChartIntent = z.infer<typeof ChartIntent>;
export type SentIntent = z.input<typeof ChartIntent>;

export interface Status {
  readonly kind: 'waiting' | 'failed' | 'other'; // `other`: one that this extension does not know
  readonly sentence: string;
  readonly progress?: number | undefined; // 0 to 1
  readonly actions?: readonly Action[];
}

type Controls = ReturnType<typeof controlsOf>;
export type ChartControls = Partial<Controls> & Pick<Controls, 'analyses' | 'canCompare'>;
export type BacktestView = Analyses['backtest'];
export type AnomaliesView = Analyses['anomalies'];
export type Found<V> = 'asked' | { readonly problem: string } | { readonly view: V };
export type FoundAnalyses = { readonly [A in Analysis]?: Found<Analyses[A]> };

export type CompareView = ReturnType<typeof compareView>;

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
