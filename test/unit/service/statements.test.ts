/** How much is asked of the database for one forecast. */
import assert from 'node:assert/strict';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { until } from '../editor/until.ts';
import { LocalService, monthly } from './local-service.ts';

/** Besides those that begin and end its two transactions and the reading of the answer. */
const MOST = 10;

describe('forecast of one series on SQLite', () => {
  const { call } = new LocalService();
  const traced: string[] = [];
  const { exec, prepare } = DatabaseSync.prototype;
  const texts = new WeakMap<StatementSync, string>();
  const { all, run } = StatementSync.prototype;

  before(() => {
    DatabaseSync.prototype.exec = function (text) {
      traced.push(text);
      exec.call(this, text);
    };
    DatabaseSync.prototype.prepare = function (text, ...more) {
      const statement = prepare.call(this, text, ...more);
      texts.set(statement, text);
      return statement;
    };
    for (const [name, original] of [
      ['all', all],
      ['run', run],
    ] as const) {
      Object.assign(StatementSync.prototype, {
        [name](this: StatementSync, ...values: never[]) {
          traced.push(texts.get(this) ?? '');
          return Reflect.apply(original, this, values) as unknown;
        },
      });
    }
  });
  after(() => {
    DatabaseSync.prototype.exec = exec;
    DatabaseSync.prototype.prepare = prepare;
    Object.assign(StatementSync.prototype, { all, run });
  });

  it('takes at most ten statements', async () => {
    const request = { series: monthly, ai_model_id: 'theta', prediction_length: 3 };
    await call('POST', '/predictions', request); // the thread starts, and the maintenance looks
    const make = async () => {
      traced.length = 0;
      const { status, body } = await call<{ id: string }>('POST', '/predictions', request);
      assert.equal(status, 201);
      const asked = traced.map((text) => text.trim().split(/\s+/).slice(0, 6).join(' '));
      return { body, statements: asked.filter((text) => !/^(begin|commit|rollback)/.test(text)) };
    };
    // the maintenance may look during one of them
    const [{ statements, body }] = [await make(), await make(), await make()].sort((a, b) => a.statements.length - b.statements.length); // prettier-ignore
    assert.ok(statements.length <= MOST, `${statements.length}:\n${statements.join('\n')}`);
    assert.deepEqual(
      body,
      (await call('GET', `/predictions/${body.id}`)).body,
      'what is told from memory is what is stored',
    );
  });

  it('uses what remains and restores nothing that was deleted while it waited', async () => {
    const request = { series: monthly, ai_model_id: 'theta', prediction_length: 3, is_async: true };
    const made = await Promise.all(
      Array.from({ length: 12 }, () => call<{ id: string }>('POST', '/predictions', request)),
    );
    const ids = made.map(({ body }) => body.id);
    await Promise.all(ids.slice(6).map((id) => call('DELETE', `/predictions/${id}`)));
    const list = () => call<{ items: { id: string; status: string }[] }>('GET', '/predictions?include_series=false');
    const { body } = await until(list, ({ body }) => body.items.every(({ status }) => status === 'COMPLETED'));
    const left = new Set(body.items.map(({ id }) => id));
    assert.deepEqual(ids.map((id) => left.has(id)), ids.map((_, i) => i < 6)); // prettier-ignore
  });
});
