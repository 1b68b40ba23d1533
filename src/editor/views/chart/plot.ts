import * as z from 'zod/mini';
import { type PredictionRef, readPanelState } from './protocol.ts';

const Plot = z.union([
  z.object({ kind: z.literal('file'), uri: z.string(), series: z.string(), label: z.string() }),
  z.object({ kind: z.literal('stored'), serviceId: z.string(), seriesId: z.string(), label: z.string() }),
]);
/** A series that is plotted by itself: one of a file, or one that a service has stored. */
export type Plot = z.infer<typeof Plot>;

/** What the page of a plot keeps over a reload in place of a prediction. */
export const refOf = (plot: Plot): PredictionRef => ({ serviceId: plot.kind, predictionId: JSON.stringify(plot) });

/** @returns `undefined` for what another version kept, or nobody */
export function plotOf(saved: unknown): Plot | undefined {
  try {
    return Plot.parse(JSON.parse(readPanelState(saved)?.predictionId ?? ''));
  } catch {
    return undefined;
  }
}
