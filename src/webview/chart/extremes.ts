import { useLayoutEffect, useState } from 'preact/hooks';
import { Pyramid } from '../../chart/pyramid.ts';
import type { Points } from '../../chart/types.ts';

/** Fewer points are drawn one by one, whatever part of them is seen. */
const MANY = 5000;

/** The extremes of a long series, from which any part of it is drawn, once the page has had the time to compute them. */
export function useExtremes(points: Points): Pyramid | undefined {
  const [known, know] = useState<{ readonly points: Points; readonly extremes: Pyramid }>();
  useLayoutEffect(() => {
    if (points.times.length <= MANY) return undefined;
    const extremes = new Pyramid(points);
    const grow = () => {
      extremes.grow();
      if (extremes.isWhole) know({ points, extremes });
      else waiting = window.setTimeout(grow);
    };
    let waiting = window.setTimeout(grow);
    return () => {
      window.clearTimeout(waiting);
    };
  }, [points]);
  return known?.points === points ? known.extremes : undefined;
}
