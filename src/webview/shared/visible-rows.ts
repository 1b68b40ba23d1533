import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { useResized } from './drawing.tsx';

/** The rows of a long list that are there: those in sight, and some above and below them. */
export interface VisibleRows {
  readonly first: number;
  readonly end: number;
  /** Recomputes the rows, for example after scrolling. */
  readonly see: () => void;
}

/**
 * Follows which rows of one height are in sight of an element that scrolls.
 * @param row its height in pixels @param spare rows that are there above and below
 */
export function useVisibleRows(
  scroller: RefObject<HTMLElement | null>,
  { count, row, spare }: { readonly count: number; readonly row: number; readonly spare: number },
): VisibleRows {
  const [{ top, height }, set] = useState({ top: 0, height: 0 });
  const see = () => {
    const { scrollTop, clientHeight } = scroller.current!;
    if (scrollTop !== top || clientHeight !== height) set({ top: scrollTop, height: clientHeight });
  };
  useLayoutEffect(see);
  useResized(scroller, see);
  const seen = Math.ceil(height / row);
  return {
    first: Math.max(0, Math.min(Math.floor(top / row) - spare, count - seen)),
    end: Math.min(count, Math.ceil((top + height) / row) + spare),
    see,
  };
}
