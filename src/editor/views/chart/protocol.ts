/**
 * What the chart panel and its web page say to each other. Every message is declared here once; both sides handle them
 * through `Handlers` of the shared messages, so that a message without a handler does not compile.
 *
 * The panel's life: the page says `ready`; the panel answers `show` (a chart) or `status` (no chart yet), and again
 * whenever something changes. A page that is hidden and shown again, or restored after a reload of the window, starts
 * over with `ready`; what the person had chosen comes back from the page's own saved {@link PanelState}.
 */

import type { Action, ChartView, Notice } from '../../../chart/types.ts';
import {
  MOST_NAME,
  isSupposed,
  type Look,
  LOOKS,
  readWorkMessage,
  type Supposed,
  type WorkHostMessage,
  type WorkMessage,
} from '../analysis/protocol.ts';
import { isRecord } from '../shared/protocol.ts';

/** Which prediction a panel shows, and on which service. Saved with the page, so that a reload finds it again. */
export interface PredictionRef {
  readonly predictionId: string;
  readonly serviceId: string;
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
  readonly tab: 'chart' | 'table' | Look;
  /** Visible part of the time axis; absent for the default part. */
  readonly range?: { readonly min: number; readonly max: number };
  /** Levels of the bands that are switched off. */
  readonly hiddenBands: readonly number[];
}

/** What the page saves with `setState`, and what a serializer is handed after a reload. */
export interface PanelState extends PredictionRef {
  readonly view: ViewState;
  /** Ids of the predictions that were shown before, the last one last. */
  readonly former: readonly string[];
  /** What was typed in the table and is supposed of the future; absent where that is nothing. */
  readonly supposed?: readonly Supposed[];
  /** What the scenario of that is to be called, as far as it is typed. */
  readonly supposedName?: string;
}

/**
 * Kinds of export that are data and made by the panel: files (`file` is the forecast with its request), a document that is no
 * file yet, the clipboard.
 */
export const DATA_EXPORTS = ['csv', 'json', 'xlsx', 'file', 'untitled', 'copy'] as const;
export type DataExport = (typeof DATA_EXPORTS)[number];
/** Kinds of export that are drawn by the page. */
export type ImageExport = 'png' | 'svg';

/** From the panel to its page. */
export type HostMessage =
  | WorkHostMessage
  /** Draw this; ends a status. */
  | { readonly type: 'show'; readonly ref: PredictionRef; readonly chart: ChartView }
  /** Say where the prediction stands. A chart that is already there of the same prediction stays below it. */
  | { readonly type: 'status'; readonly ref: PredictionRef; readonly title: string; readonly status: Status }
  /** Says something above the chart, or nothing any more; the chart stays as it is. */
  | { readonly type: 'notice'; readonly notice?: Notice | undefined };

/** From the page to its panel. */
export type WebviewMessage =
  | WorkMessage
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
      const known = DATA_EXPORTS.find((one) => one === kind);
      if (known) return { type: 'export', kind: known };
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
      return readWorkMessage(value);
  }
}

/** Reads a saved state; `undefined` where it names no prediction. What is unreadable in the view becomes the default. */
export function readPanelState(value: unknown): PanelState | undefined {
  if (!isRecord(value)) return undefined;
  const { predictionId, serviceId, supposed, supposedName } = value;
  if (typeof predictionId !== 'string' || typeof serviceId !== 'string') return undefined;
  const state = { predictionId, serviceId, view: readView(value['view']), former: readTexts(value['former']) };
  const cells = Array.isArray(supposed) ? supposed.filter(isSupposed) : [];
  if (cells.length === 0) return state;
  const isNamed = typeof supposedName === 'string' && supposedName !== '' && supposedName.length <= MOST_NAME;
  return { ...state, supposed: cells, ...(isNamed ? { supposedName } : {}) };
}

const readTexts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

function readView(value: unknown): ViewState {
  if (!isRecord(value)) return DEFAULT_VIEW;
  const { tab, range, hiddenBands } = value;
  const view: ViewState = {
    tab: tab === 'table' ? tab : (LOOKS.find((look) => look === tab) ?? 'chart'),
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
