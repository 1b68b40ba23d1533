import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { useResized } from './drawing.tsx';

/**
 * Follows which rows of one height are in sight of an element that scrolls.
 * @param row its height in pixels @param spare rows that are there above and below
 * @returns the first one, the one after the last, and what finds them again after scrolling
 */
export function useVisibleRows(
  scroller: RefObject<HTMLElement | null>,
  { count, row, spare }: { readonly count: number; readonly row: number; readonly spare: number },
): { readonly first: number; readonly end: number; readonly see: () => void } {
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
