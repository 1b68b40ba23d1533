import assert from 'node:assert/strict';
import { monthly } from '../local-service.ts';
import { StillApp } from './still-app.ts';

describe('created resource', () => {
  const app = new StillApp();

  it('is answered with 201 once committed, even if it cannot be read', async () => {
    const requests: readonly (readonly [string, object])[] = [
      ['/predictions', { series: monthly, ai_model_id: 'theta', is_async: true }],
      ['/fine_tuned_models', { base_model: 'theta', input_config: { series: monthly } }],
      ['/datasets', { series: [{ series: monthly }] }],
      ['/keys', { name: 'one' }],
    ];
    const { database } = app;
    const [exec, prepare] = [database.exec.bind(database), database.prepare.bind(database)];
    let [isMade, isBroken] = [false, false];
    database.exec = (sql) => {
      exec(sql);
      if (sql === 'commit') isBroken = isMade;
    };
    database.prepare = (sql) => {
      if (/insert into "?(predictions|fine_tuned_models|keys)|update "datasets" set "complete"/.test(sql))
        isMade = true;
      if (isBroken && /^\s*select [^]* from "?(predictions|fine_tuned_models|datasets|keys)/i.test(sql)) {
        throw Object.assign(new Error('locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 });
      }
      return prepare(sql);
    };
    for (const [path, body] of requests) {
      [isMade, isBroken] = [false, false];
      const answer = await app.call<{ id: string; detail?: string }>('POST', path, body);
      assert.deepEqual([answer.status, typeof answer.body.id], [201, 'string'], `${path}: ${answer.body.detail}`);
    }
  });
});
