/** Texts that not every database can store, wherever they come in, on both homes of the store. */
import { said } from './said.ts';
import assert from 'node:assert/strict';
import { type AnswerOf, type Operation, type OperationName, operations } from '../../../src/contract/operations.ts';
import type { LocalDataset } from '../../../src/contract/resources.ts';
import { callOf, onEachHome, token } from './homes.ts';
import { monthly } from './local-service.ts';

interface Refused {
  readonly errors: readonly { readonly loc: readonly (string | number)[]; readonly detail: string }[];
}

/** NUL, and either half of a surrogate pair alone. */
const UNFIT = ['a\0b', '\ud83d', 'x\ude00'];

onEachHome((running) => {
  const call = callOf(running);
  const refused = async (method: string, path: string, loc: readonly (string | number)[], body?: object) => {
    const { status, body: answer } = await call<Refused>(method, path, body);
    const which = `${method} ${path} ${JSON.stringify(body)}: ${JSON.stringify(answer)}`.slice(0, 500);
    assert.equal(status, 422, which);
    assert.deepEqual(answer.errors[0].loc, loc, which);
    assert.match(answer.errors[0].detail, /which cannot be stored/);
  };

  for (const text of UNFIT) {
    it(`refuses ${JSON.stringify(text)} in a body with its path`, async () => {
      const { body: dataset } = await call<LocalDataset>('POST', '/datasets', {
        series: [{ name: 's', series: monthly }],
      });
      const [first, ...rest] = monthly;
      const covariates = { [text]: 1 };
      const cases: readonly [string, object, readonly (string | number)[]][] = [
        ['/predictions', { series: monthly, name: text }, ['name']],
        ['/predictions', { series: monthly, requested_by: text }, ['requested_by']],
        ['/predictions', { series_id: text }, ['series_id']],
        ['/predictions', { series: monthly, ai_model_id: text }, ['ai_model_id']],
        ['/predictions', { series: [{ ...first, metadata: { note: [text] } }, ...rest] }, ['series', 0, 'metadata', 'note', 0]],
        ['/predictions', { series: [{ ...first, metadata: { covariates } }, ...rest] }, ['series', 0, 'metadata', 'covariates', text]],
        ['/predictions', { series: monthly, another_field: text }, ['another_field']],
        ['/datasets', { name: text, series: [] }, ['name']],
        ['/datasets', { tags: ['t', text], series: [] }, ['tags', 1]],
        ['/datasets', { series: [{ name: text, series: monthly }] }, ['series', 0, 'name']],
        ['/fine_tuned_models', { name: text, input_config: { series: monthly } }, ['name']],
        ['/fine_tuned_models', { input_config: { dataset_tags: [text] } }, ['input_config', 'dataset_tags', 0]],
        ['/fine_tuned_models', { input_config: { series: monthly }, config: { [text]: 1 } }, ['config', text]],
        [`/datasets/${dataset.id}/predictions`, { sums: [{ total: text, parts: ['s'] }] }, ['sums', 0, 'total']],
        ['/keys', { name: text }, ['name']],
        ['/anomalies', { series_id: text }, ['series_id']],
        ['/covariate_tests', { series: monthly, ai_model_id: text }, ['ai_model_id']],
      ]; // prettier-ignore
      for (const [path, body, loc] of cases) await refused('POST', path, ['body', ...loc], body);
      // each operation with a body is among them
      const paths = (Object.values(operations) as Operation[]).filter(({ body }) => body).map(({ path }) => path);
      const tried = new Set(cases.map(([path]) => path.replace(dataset.id, '{id}')));
      assert.deepEqual(paths.filter((path) => !tried.has(path)), []); // prettier-ignore
      await call('DELETE', `/datasets/${dataset.id}`);
    });

    it(`refuses a stream line with ${JSON.stringify(text)} and stores the others`, async () => {
      const { body: dataset } = await call<LocalDataset>('POST', '/datasets', { name: 'd' });
      const [first] = monthly;
      const lines = [
        { id: text, series: monthly },
        { name: text, series: monthly },
        { id: 'c', series: [{ ...first, metadata: { note: text } }] },
        { id: 'd', series: monthly },
      ];
      const response = await running().service.fetch(
        new Request(`http://local/datasets/${dataset.id}/series`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
          body: lines.map((line) => JSON.stringify(line)).join('\n'),
        }),
      );
      const { stored, faults } = (await response.json()) as AnswerOf<'addSeries'>;
      assert.deepEqual([response.status, stored], [201, 1]);
      assert.deepEqual(
        faults.map(({ line, error }) => [line, said(error).split(':')[0]]),
        [[1, 'id'], [2, 'name'], [3, 'series.0.metadata.note']], // prettier-ignore
      );
      await call('DELETE', `/datasets/${dataset.id}`);
    });
  }

  it('refuses a NUL in a URL, and an invalid idempotency key', async () => {
    for (const name of Object.keys(operations) as OperationName[]) {
      const { method, path, body, bodyLines }: Operation = operations[name];
      if (!path.includes('{id}') || bodyLines) continue;
      await refused(method, path.replace('{id}', 'a%00'), ['path', 'id'], body && {});
    }
    await refused('GET', '/predictions?dataset_id=%00', ['query', 'dataset_id']);
    for (const query of ['status=%00', 'cursor=%00', 'size=%00', 'include_series=%00']) {
      assert.equal((await call('GET', `/predictions?${query}`)).status, 422, query);
    }
    for (const id of ['%ED%A0%80', '%FF', '%']) assert.equal((await call('GET', `/series/${id}`)).status, 404, id);
    for (const key of ['ü', 'a b', 'a\tb']) {
      const headers = { 'idempotency-key': key };
      assert.equal((await call('POST', '/datasets', { series: [] }, undefined, headers)).status, 400, key);
    }
  });

  it('accepts text that only resembles it', async () => {
    const name = 'a\\u0000b \\ud800 😀 \ufffd';
    const { status, body } = await call<LocalDataset>('POST', '/datasets', { name, tags: [name] });
    assert.deepEqual([status, body.name, body.tags], [201, name, [name]]);
    await call('DELETE', `/datasets/${body.id}`);
  });
});
