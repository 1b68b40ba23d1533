/**
 * What the chart panel and its web page say to each other. Every message is declared here once; both sides handle them
 * through `Handlers` of the shared messages, so that a message without a handler does not compile.
 *
 * The panel's life: the page says `ready`; the panel answers `show` (a chart) or `status` (no chart yet), and again
 * whenever something changes. A page that is hidden and shown again, or restored after a reload of the window, starts
 * over with `ready`; what the person had chosen comes back from the page's own saved {@link PanelState}.
 */

import { type Action, isRecord } from '../shared/protocol.ts';

/** Which prediction a panel shows, and on which service. Saved with the page, so that a reload finds it again. */
export interface PredictionRef {
  readonly predictionId: string;
  readonly serviceId: string;
}

/** Observations or forecast steps, times ascending. Both arrays have the same length; NaN is a missing value. */
export interface Points {
  /** Milliseconds since 1970-01-01T00:00Z. */
  readonly times: Float64Array;
  readonly values: Float64Array;
}

/** A central prediction interval: `level` per cent of outcomes are expected between `lower` and `upper`. */
export interface Band {
  /** In per cent, such as 80. */
  readonly level: number;
  /** One number for each forecast step; NaN where the service gave none. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** The forecast: its values are the median, or the point forecast where the service gives no quantiles. */
export interface Forecast extends Points {
  /** In any order; may be empty. */
  readonly bands: readonly Band[];
}

/** Something that was done with rows of the file on the way to the series: merged, left out, treated as missing, cut. */
export interface ReadingRemark {
  /** Without an end, such as `58 rows were merged into another of the same time, as the mean`. */
  readonly text: string;
  /** Ranges of lines, from 1, both ends included; the page links to them where there are any. */
  readonly lines: readonly (readonly [first: number, last: number])[];
  /** What else can be done about it. */
  readonly action?: Action;
}

/** The action that forecasts a file anew with its rows of totals. */
export const TAKE_TOTALS = 'take-totals';

/** A number about how good the forecast is, in words. */
export interface Figure {
  /** Such as `80 % band held 33 %`. */
  readonly text: string;
  /** What it means and how it was found, in a sentence or two. */
  readonly about: string;
  /** A figure to be wary of is marked, and not by its colour alone. */
  readonly isPoor: boolean;
}

/** Something to be told above the chart, with what the person can do about it. */
export interface Notice {
  readonly sentence: string;
  readonly actions: readonly Action[];
}

/** All that the page needs to draw one prediction. Sentences come ready for the person. */
export interface ChartView {
  /** What the person calls it, such as `air-passengers.csv`. */
  readonly title: string;
  /** The data in one line: `Passengers · monthly · Jan 1949 – Dec 1960 · 144 points, no gaps`. */
  readonly summary: string;
  /** The forecast in a few words: `24 months ahead by ensemble`. */
  readonly detail?: string;
  /** How it did on its own history; empty where that is not known. */
  readonly figures: readonly Figure[];
  /** What to do where it did badly. */
  readonly advice?: Notice;
  /** Sentences shown above the chart. */
  readonly warnings: readonly string[];
  /** What was done with rows of the file; absent for series that came from elsewhere. */
  readonly remarks?: readonly ReadingRemark[];
  /** ISO 8601 duration of one step, such as `P1M` or `PT15M`; absent where the series has no regular step. */
  readonly frequency?: string;
  /** Whether times only count the rows of a series without any time: a second apart from 1970, the first row at 0. */
  readonly rows?: boolean;
  /** Time zone in which times are shown: `UTC`, an offset such as `+09:00`, or an IANA name. */
  readonly timeZone: string;
  /** What the numbers are, such as `Passengers`. */
  readonly valueLabel: string;
  readonly history: Points;
  /** Absent where the service sent none; the page then says so. */
  readonly forecast?: Forecast;
  /** Beyond this time (epoch milliseconds) nothing in the history supports the forecast, which fades from there. */
  readonly supportedUntil?: number;
}

/**
 * Where a prediction stands while there is no chart of its forecast. `sentence` replaces the page's own words.
 * `other` is for a status word that the interface does not name.
 */
export type Status = (
  | { readonly kind: 'loading' | 'queued'; readonly sentence?: string }
  | { readonly kind: 'running'; readonly sentence?: string; /** 0 to 1, if known. */ readonly progress?: number }
  | { readonly kind: 'failed' | 'other'; readonly sentence: string }
) & { readonly actions?: readonly Action[] };

/** What the person sees of a chart and has chosen. */
export interface ViewState {
  readonly tab: 'chart' | 'table';
  /** Visible part of the time axis; absent for the default part. */
  readonly range?: { readonly min: number; readonly max: number };
  /** Levels of the bands that are switched off. */
  readonly hiddenBands: readonly number[];
}

/** What the page saves with `setState`, and what a serializer is handed after a reload. */
export interface PanelState extends PredictionRef {
  readonly view: ViewState;
}

/** Kinds of export that are data and made by the panel: two files, a document that is no file yet, the clipboard. */
export type DataExport = 'csv' | 'json' | 'untitled' | 'copy';
/** Kinds of export that are drawn by the page. */
export type ImageExport = 'png' | 'svg';

/** From the panel to its page. */
export type HostMessage =
  /** Draw this; ends a status. */
  | { readonly type: 'show'; readonly ref: PredictionRef; readonly chart: ChartView }
  /** Say where the prediction stands. A chart that is already there of the same prediction stays below it. */
  | { readonly type: 'status'; readonly ref: PredictionRef; readonly title: string; readonly status: Status }
  /** Says something above the chart, or nothing any more; the chart stays as it is. */
  | { readonly type: 'notice'; readonly notice?: Notice | undefined };

/** From the page to its panel. */
export type WebviewMessage =
  | { readonly type: 'ready' }
  /** The person changed something of the view; already saved by the page. */
  | { readonly type: 'state'; readonly state: PanelState }
  /** Save, open or copy the forecast as data. */
  | { readonly type: 'export'; readonly kind: DataExport }
  /** Save this picture: PNG bytes, or SVG text as UTF-8. */
  | { readonly type: 'export'; readonly kind: ImageExport; readonly data: Uint8Array }
  | { readonly type: 'action'; readonly id: string }
  /** The page has put its picture on the clipboard. */
  | { readonly type: 'copied' }
  /** Show these lines of the file in an editor. */
  | { readonly type: 'lines'; readonly first: number; readonly last: number }
  /** Something in the page went wrong; for the log. */
  | { readonly type: 'problem'; readonly message: string };

/** Reads a message of the page; `undefined` for anything that is not one. */
export function readWebviewMessage(value: unknown): WebviewMessage | undefined {
  if (!isRecord(value)) return undefined;
  switch (value['type']) {
    case 'ready':
    case 'copied':
      return { type: value['type'] };
    case 'state': {
      const state = readPanelState(value['state']);
      return state && { type: 'state', state };
    }
    case 'export': {
      const { kind, data } = value;
      if (kind === 'csv' || kind === 'json' || kind === 'untitled' || kind === 'copy') return { type: 'export', kind };
      if ((kind === 'png' || kind === 'svg') && data instanceof Uint8Array) return { type: 'export', kind, data };
      return undefined;
    }
    case 'action':
      return typeof value['id'] === 'string' ? { type: 'action', id: value['id'] } : undefined;
    case 'lines': {
      const { first, last } = value;
      return isLine(first) && isLine(last) && first <= last ? { type: 'lines', first, last } : undefined;
    }
    case 'problem':
      return typeof value['message'] === 'string' ? { type: 'problem', message: value['message'] } : undefined;
    default:
      return undefined;
  }
}

/** Reads a saved state; `undefined` where it names no prediction. What is unreadable in the view becomes the default. */
export function readPanelState(value: unknown): PanelState | undefined {
  if (!isRecord(value)) return undefined;
  const { predictionId, serviceId } = value;
  if (typeof predictionId !== 'string' || typeof serviceId !== 'string') return undefined;
  return { predictionId, serviceId, view: readView(value['view']) };
}

function readView(value: unknown): ViewState {
  if (!isRecord(value)) return DEFAULT_VIEW;
  const { tab, range, hiddenBands } = value;
  const view: ViewState = {
    tab: tab === 'table' ? 'table' : 'chart',
    hiddenBands: Array.isArray(hiddenBands) ? hiddenBands.filter((level) => typeof level === 'number') : [],
  };
  if (!isRecord(range)) return view;
  const { min, max } = range;
  return isFinite(min) && isFinite(max) && min < max ? { ...view, range: { min, max } } : view;
}

/** The view of a prediction that is opened for the first time. */
export const DEFAULT_VIEW: ViewState = { tab: 'chart', hiddenBands: [] };

const isLine = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 1;
const isFinite = (value: unknown): value is number => Number.isFinite(value);
