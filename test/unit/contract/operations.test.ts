import assert from 'node:assert/strict';
import { type Operation, operations } from '../../../src/contract/operations.ts';
import { describeService } from '../../../src/service/http/openapi.ts';

const all: readonly Operation[] = Object.values(operations);
const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

describe('operations of the contract', () => {
  it('are the five of the interface and further ones, each once', () => {
    assert.deepEqual(
      all
        .filter(({ core }) => core)
        .map(nameOf)
        .toSorted(),
      ['GET /datasets', 'GET /keys', 'GET /predictions', 'POST /fine_tuned_models', 'POST /predictions'],
    );
    assert.equal(new Set(all.map(nameOf)).size, all.length);
  });

  it('have the fields of the interface among those of the local service', () => {
    const fieldsOf = (schema: unknown): string[] =>
      Object.keys((schema as { shape?: object } | undefined)?.shape ?? {});
    for (const { core = [], body } of all) for (const field of core) assert.ok(fieldsOf(body).includes(field), field);
  });

  it('answer with a page, a resource, a stream of lines, or nothing', () => {
    for (const { item, answer, answerLines, status, query, path } of all) {
      assert.equal([item, answer, answerLines, status === 204].filter(Boolean).length, 1, path);
      assert.equal(query !== undefined && 'cursor' in query.shape, item !== undefined, path);
    }
  });

  it('are all described under their names', () => {
    const { paths } = JSON.parse(describeService()) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    for (const [name, { method, path }] of Object.entries(operations)) {
      assert.equal(paths[path][method.toLowerCase()].operationId, name);
    }
  });
});
