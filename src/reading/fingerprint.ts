import { createHash, type Hash } from '#platform/hash';
import { nextTurn } from '#platform/turn';
import type { SendableSeries } from './points.ts';

const AT_ONCE = 500_000;

export function update(hash: Hash, { name, timeKind, timeZone, closed, times, values, known }: SendableSeries): void {
  hash.update(JSON.stringify([name, timeKind, timeZone, times.length, closed]));
  const { columns = [], futureTimes = [] } = known ?? {};
  for (const { name: column, kind, texts } of columns)
    hash.update(JSON.stringify([column, kind, texts, ...futureTimes]));
  for (const { buffer, byteOffset, byteLength } of [times, values, ...columns.map((column) => column.values)]) {
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
}

export async function fingerprintOf(series: readonly SendableSeries[], signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  let points = 0;
  for (const one of series) {
    update(hash, one);
    points += one.times.length;
    if (points < AT_ONCE) continue;
    points = 0;
    await nextTurn();
    signal?.throwIfAborted();
  }
  return hash.digest('base64url');
}
