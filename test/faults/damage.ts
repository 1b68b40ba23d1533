import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openService } from '../../src/service/host/service.ts';
import { repairStore } from '../../src/service/database/sqlite.ts';
import { StoreError } from '../../src/service/errors.ts';
import type { Scenario } from './scenario.ts';
import { monthly, remove, Served, temporary } from './served.ts';

const computeScript = fileURLToPath(new URL('../../src/service/tasks/pool-thread.ts', import.meta.url));
const LISTS = ['/predictions', '/datasets', '/keys', '/fine_tuned_models', '/base_models'];

/** Opens a store and reads all its lists. @returns how many predictions it lists; `undefined` where it says that it is damaged */
async function lists(folder: string, token: string): Promise<number | undefined> {
  const service = await openService({ folder, token, computeScript, report: () => undefined }).catch(
    (error: unknown) => {
      assert.ok(error instanceof StoreError && error.isDamaged, String(error));
      return undefined;
    },
  );
  if (!service) return undefined;
  try {
    let predictions: number | undefined = 0;
    for (const list of LISTS) {
      const request = new Request(`http://local${list}?size=200`, { headers: { authorization: `Bearer ${token}` } });
      const response = await service.fetch(request);
      const body = (await response.json()) as { items?: unknown[]; detail?: string };
      if (response.status === 200) {
        if (list === '/predictions' && predictions !== undefined) predictions += body.items?.length ?? 0;
        continue;
      }
      assert.ok(response.status === 401 || response.status === 500, `${list}: ${response.status}`);
      assert.match(body.detail ?? '', /damaged|token|cannot be read/, list);
      predictions = undefined;
    }
    return predictions;
  } finally {
    await service.close().catch(() => undefined);
  }
}

export const damage: Scenario = {
  name: 'databases with pages overwritten or cut off',
  async run({ long, random }) {
    const rounds = long ? 120 : 12;
    const made = temporary();
    const MADE = 30;
    let [asTheyWere, saved, all] = [0, 0, 0];
    try {
      const served = await Served.start(made);
      for (let index = 0; index < MADE; index++) {
        await served.call('POST', '/predictions', { series: monthly, ai_model_id: 'theta', name: `p${index}` });
      }
      await served.call('POST', '/datasets', { series: Array.from({ length: 100 }, () => ({ series: monthly })) });
      await served.end();
      const { token } = served;
      for (let round = 0; round < rounds; round++) {
        const folder = temporary();
        try {
          cpSync(made, folder, { recursive: true });
          const file = path.join(folder, 'forecasts.db');
          const bytes = readFileSync(file);
          const pages = bytes.length / 4096;
          for (let hit = 0; hit <= round % 4; hit++) {
            const at = random.below(Math.floor(pages)) * 4096 + (round % 3 ? 0 : 2000);
            for (let byte = at; byte < Math.min(bytes.length, at + (round % 2 ? 64 : 4096)); byte++) {
              bytes[byte] = random.below(256);
            }
          }
          writeFileSync(file, bytes);
          if (round % 10 === 9) truncateSync(file, Math.floor(bytes.length / 2 / 4096) * 4096 + 100);
          for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
          if ((await lists(folder, token)) !== undefined) asTheyWere++;
          await repairStore(folder);
          const left = await lists(folder, token);
          assert.ok(left !== undefined, 'a repaired store lists everything');
          saved += left;
          all += MADE;
        } finally {
          remove(folder);
        }
      }
    } finally {
      remove(made);
    }
    const share = Math.round((100 * saved) / all);
    return {
      tried: `${rounds}`,
      outcome: `${asTheyWere} listed as they were, the others named as damaged; repaired, all list and ${share} % of the predictions were saved`,
    };
  },
};
