import { createHash } from 'node:crypto';
import { lastPoints } from '../../reading/last-points.ts';
import type { ReadSeries } from '../../reading/types.ts';

/** Tells apart the numbers of a series that are forecast: its last points, times and values. */
export function fingerprintOf(series: Pick<ReadSeries, 'times' | 'values'>): string {
  const { times, values } = lastPoints(series);
  const hash = createHash('sha256');
  for (const { buffer, byteOffset, byteLength } of [times, values]) {
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return hash.digest('base64url').slice(0, 22);
}
