import type { Signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import type { Bounds, Frame, Range } from '../../chart/frame.ts';
import type { Decoration } from '../../chart/trace.ts';
import type { ChartState, SentIntent } from '../../editor/views/chart/protocol.ts';

export type Typed = Pick<Extract<SentIntent, { readonly type: 'suppose' }>, 'cells' | 'name'>;

/** What the person sees of a chart and has chosen. `of`: the key of the chart that a part is about; another one has its own. */
export interface View {
  readonly tab: string;
  readonly range?: (Range & { readonly of: string }) | undefined;
  readonly hiddenIntervals: readonly number[];
  readonly typed?: (Typed & { readonly of: string }) | undefined;
}

export interface TabContext {
  readonly state: ChartState;
  readonly send: (intent: SentIntent) => void;
  readonly shown: NonNullable<ChartState['shown']> & { readonly frame: Frame };
  readonly view: Signal<View>;
  readonly change: (parts: Partial<View>) => void;
  readonly decoration: Decoration;
  /** A moment that the keyboard's cursor is to go to. */
  readonly target: Signal<{ readonly time: number } | undefined>;
}

export interface Tab {
  readonly title: string;
  readonly component: FunctionComponent<TabContext>;
}

export const DEFAULT_VIEW: View = { tab: 'chart', hiddenIntervals: [] };

export const SAMPLE_VIEW: Record<keyof View, unknown> = {
  tab: '',
  range: { min: 0, max: 0, of: '' },
  hiddenIntervals: [0],
  typed: { cells: [{ column: '', time: 0 }], name: '', of: '' },
};

/** Moves and, if it must, cuts a range so that it lies inside the whole and is not too short. */
export function within({ min, max }: Range, { whole, shortest }: Bounds): Range {
  const span = Math.min(Math.max(max - min, shortest), whole.max - whole.min);
  const centre = (min + max) / 2;
  const start = Math.min(Math.max(centre - span / 2, whole.min), whole.max - span);
  return { min: start, max: start + span };
}

export function zoom({ min, max }: Range, factor: number, around: number, bounds: Bounds): Range {
  const span = Math.min(Math.max((max - min) * factor, bounds.shortest), bounds.whole.max - bounds.whole.min);
  const share = max > min ? (around - min) / (max - min) : 0.5;
  return within({ min: around - share * span, max: around + (1 - share) * span }, bounds);
}

export const pan = ({ min, max }: Range, by: number, bounds: Bounds): Range =>
  within({ min: min + by, max: max + by }, bounds);

/** The range with one moment in it: the same one if it already is, else moved by as little as needed. */
export function including(range: Range, time: number, bounds: Bounds): Range {
  const edge = (range.max - range.min) * 0.05;
  if (time < range.min) return pan(range, time - range.min - edge, bounds);
  return time > range.max ? pan(range, time - range.max + edge, bounds) : range;
}

/** The part of a chart that is seen: the one that the person chose, else that which is shown at first. */
export const seenOf = ({ key, frame: { bounds } }: TabContext['shown'], { range }: View): Range =>
  range?.of === key ? within(range, bounds) : bounds.initial;

export const same = (a: Range, b: Range): boolean => {
  const tolerance = (a.max - a.min) * 1e-6;
  return Math.abs(a.min - b.min) <= tolerance && Math.abs(a.max - b.max) <= tolerance;
};
