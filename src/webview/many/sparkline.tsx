import { useMemo } from 'preact/hooks';
import { type Scene, type Trace, drawScene } from '../../chart/scene.ts';
import { bandPieces, joined } from '../../chart/trace.ts';
import type { SeriesRow } from '../../editor/views/many-series/protocol.ts';
import { Drawing } from '../shared/drawing.tsx';

const MARGIN = 2;

/** The end of a series and the fan of its forecast, step by step. */
export function sparklineOf({ past = [], ahead = [], lower, upper }: SeriesRow): Scene {
  const numbers = (values: readonly (number | null)[], start: number) => ({
    times: Float64Array.from(values, (_, index) => start + index),
    values: Float64Array.from(values, (value) => value ?? NaN),
  });
  const start = past.length;
  const [history, forecast] = [numbers(past, 0), numbers(ahead, start)];
  const last = past.at(-1) ?? undefined;
  // from the last observation on, so that no hole is between the two
  const join = last === undefined ? undefined : { time: start - 1, value: last };
  const band = lower && upper && { lower: numbers(lower, start).values, upper: numbers(upper, start).values };
  const traces: Trace[] = [
    ...(band ? [{ kind: 'area', pieces: bandPieces(undefined, { ...forecast, bands: [] }, band), alpha: 0.28 } as const] : []), // prettier-ignore
    { kind: 'line', line: history, hue: 'history', width: 1.2 },
    ...(ahead.length > 0 ? [{ kind: 'line', line: joined(forecast, join), hue: 'forecast', width: 1.6 } as const] : []),
  ];
  return { traces, range: { min: 0, max: Math.max(1, past.length + ahead.length - 1) } };
}

/** A small drawing of a series, which stays while its row does. */
export const Sparkline = ({ row }: { readonly row: SeriesRow }) =>
  useMemo(() => {
    const scene = sparklineOf(row);
    return (
      <Drawing
        paint={(pen, { width, height }, colors) => {
          const place = { left: MARGIN, top: MARGIN, width: width - 2 * MARGIN, height: height - 2 * MARGIN };
          drawScene(pen, scene, place, colors);
        }}
      />
    );
  }, [row]);
