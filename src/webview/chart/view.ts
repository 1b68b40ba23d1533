import type { ViewState } from '../../editor/views/chart/protocol.ts';
import type { Bounds } from '../../chart/bounds.ts';
import type { Range } from '../../chart/frame.ts';

/** Moves and, if it must, cuts a range so that it lies inside the whole and is not too short. */
export function within({ min, max }: Range, { whole, shortest }: Bounds): Range {
  const span = Math.min(Math.max(max - min, shortest), whole.max - whole.min);
  const centre = (min + max) / 2;
  const start = Math.min(Math.max(centre - span / 2, whole.min), whole.max - span);
  return { min: start, max: start + span };
}

/** Zooms so that `around` stays where it is; a factor below 1 shows less. */
export function zoom({ min, max }: Range, factor: number, around: number, bounds: Bounds): Range {
  const span = Math.min(Math.max((max - min) * factor, bounds.shortest), bounds.whole.max - bounds.whole.min);
  const share = max > min ? (around - min) / (max - min) : 0.5;
  return within({ min: around - share * span, max: around + (1 - share) * span }, bounds);
}

/** Moves a range along the axis. */
export const pan = ({ min, max }: Range, by: number, bounds: Bounds): Range =>
  within({ min: min + by, max: max + by }, bounds);

/** The range with one moment in it: the same one if it already is, else moved by as little as needed. */
export function including(range: Range, time: number, bounds: Bounds): Range {
  const edge = (range.max - range.min) * 0.05;
  if (time < range.min) return pan(range, time - range.min - edge, bounds);
  if (time > range.max) return pan(range, time - range.max + edge, bounds);
  return range;
}

/** What the person does to the view. */
export type ViewChange =
  | { readonly do: 'tab'; readonly tab: ViewState['tab'] }
  | { readonly do: 'band'; readonly level: number }
  | { readonly do: 'range'; readonly range: Range }
  | { readonly do: 'reset' };

/** The view after a change. */
export function changed(view: ViewState, change: ViewChange): ViewState {
  switch (change.do) {
    case 'tab':
      return { ...view, tab: change.tab };
    case 'band': {
      const others = view.hiddenBands.filter((level) => level !== change.level);
      const hidden = others.length < view.hiddenBands.length;
      return { ...view, hiddenBands: hidden ? others : [...others, change.level] };
    }
    case 'range':
      return { ...view, range: { min: change.range.min, max: change.range.max } };
    case 'reset': {
      const { range: _, ...rest } = view;
      return rest;
    }
  }
}

/** The visible part: what the person chose, or where the chart begins. */
export const visible = (view: ViewState, bounds: Bounds): Range =>
  view.range ? within(view.range, bounds) : bounds.initial;

/** Whether two ranges look the same. */
export const same = (a: Range, b: Range): boolean => {
  const tolerance = (a.max - a.min) * 1e-6;
  return Math.abs(a.min - b.min) <= tolerance && Math.abs(a.max - b.max) <= tolerance;
};
