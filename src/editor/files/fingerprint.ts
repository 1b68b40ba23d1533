import { createHash } from '#platform/hash';
import { lastPoints } from '../../reading/last-points.ts';
import type { ReadSeries } from '../../reading/types.ts';

/** Identifies the data of a forecast: its last points, times and values, and whether any time is closed. */
export function fingerprintOf(series: Pick<ReadSeries, 'times' | 'values' | 'closed'>): string {
  const { times, values } = lastPoints(series);
  const hash = createHash('sha256');
  if (series.closed === false) hash.update('open');
  for (const { buffer, byteOffset, byteLength } of [times, values]) {
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return hash.digest('base64url').slice(0, 22);
}
