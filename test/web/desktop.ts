import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toPoints } from '../../src/reading/points.ts';
import { startThreads } from '../bench/threads.ts';
import { Store } from '../ui/store.ts';

/** The forecasts of all series of a CSV file as the service makes them on Node, as they are stored, by names. */
export async function forecastsOnNode(text: string, name: string): Promise<Map<string, string>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tsf-node-'));
  const { reader, client, stop } = startThreads(folder);
  try {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    const { series } = await reader.read({ path: file }, { fileName: name });
    for (const one of series) {
      const { status } = await client.createPrediction({ name: one.id, series: toPoints(one) });
      assert.equal(status, 'COMPLETED', one.id);
    }
    return new Store(path.join(folder, 'forecasts.db')).forecasts();
  } finally {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
