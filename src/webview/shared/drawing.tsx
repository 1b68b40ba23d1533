import { signal, type ReadonlySignal } from '@preact/signals';
import { createContext, type RefObject } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import { type Box, type Pen, type Colors, PRINT } from '../../chart/pen.ts';
import { canvasPen } from './canvas-pen.ts';

/** The colors of the editor's theme as they are now. */
export const Theme = createContext<ReadonlySignal<Colors>>(signal(PRINT));

/** Calls back when an element has another size, which it is first given with its page. */
export function useResized(element: RefObject<Element | null>, see: () => void): void {
  const latest = useRef(see);
  latest.current = see;
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      latest.current();
    });
    observer.observe(element.current!);
    return () => {
      observer.disconnect();
    };
  }, []);
}

/**
 * A canvas as large as the element around it, painted anew whenever it is rendered, resized, or seen in other colors.
 * @param label what it shows, for those who do not see it; without it, it is hidden from them
 */
export function Drawing({
  label,
  paint,
}: {
  readonly label?: string;
  readonly paint: (pen: Pen, place: Box, colors: Colors) => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { value: colors } = useContext(Theme);
  const draw = () => {
    const place = sized(canvas.current!);
    const context = place && canvas.current!.getContext('2d');
    if (context) paint(canvasPen(context, devicePixelRatio, colors), place, colors);
  };
  useLayoutEffect(draw);
  useResized(canvas, draw);
  return label === undefined ? (
    <canvas ref={canvas} aria-hidden="true" />
  ) : (
    <canvas ref={canvas} role="img" aria-label={label} />
  );
}

/** Clears a canvas and makes it as large as the element around it. @returns its place; none where that is not seen */
function sized(canvas: HTMLCanvasElement): Box | undefined {
  const { clientWidth: width = 0, clientHeight: height = 0 } = canvas.parentElement ?? {};
  if (width === 0 || height === 0) return undefined;
  const [across, down] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
  if (canvas.width !== across || canvas.height !== down) [canvas.width, canvas.height] = [across, down];
  else {
    const context = canvas.getContext('2d');
    context?.setTransform(1, 0, 0, 1, 0, 0);
    context?.clearRect(0, 0, across, down);
  }
  return { left: 0, top: 0, width, height };
}
