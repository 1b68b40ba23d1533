import assert from 'node:assert/strict';
import { Capabilities } from '../../../src/client/capabilities.ts';
import { describeService } from '../../../src/service/http/openapi.ts';

const point = {
  type: 'object',
  properties: { value: { anyOf: [{ type: 'number' }, { type: 'null' }] } },
  required: ['value'],
};

/** What is said of creating a prediction with this body. */
const announced = (body: object) =>
  new Capabilities({
    paths: { '/predictions': { post: { requestBody: { content: { 'application/json': { schema: body } } } } } },
  });

describe('what a service announces', () => {
  it('includes, for the local service, missing values, and a series or its ID', () => {
    const offers = new Capabilities(JSON.parse(describeService()));
    assert.equal(offers.rules('createPrediction', 'series', 'value')?.nullable, true);
    assert.deepEqual(offers.required('createPrediction'), []);
  });

  it('combines all that the parts of a schema say about a field', () => {
    const series = { type: 'array', items: point };
    const split = announced({
      type: 'object',
      properties: { series, ai_model_id: { type: 'string' } },
      required: ['ai_model_id'],
      oneOf: [
        { properties: { series: { type: 'array' } }, required: ['series'] },
        { properties: { series_id: {} }, required: ['series_id'] },
      ],
    });
    assert.equal(split.rules('createPrediction', 'series', 'value')?.nullable, true);
    assert.deepEqual(split.required('createPrediction'), ['ai_model_id']);
    const whole = announced({ allOf: [{ type: 'object', properties: { series }, required: ['series'] }] });
    assert.deepEqual(whole.required('createPrediction'), ['series']);
    const orNull = announced({
      anyOf: [{ type: 'object', properties: { series }, required: ['series'] }, { type: 'null' }],
    });
    assert.deepEqual(orNull.required('createPrediction'), ['series']);
  });

  it('includes the path of the operations, if they are not below the base URL', () => {
    const paths = { '/api/v2/predictions/': { get: {}, post: {} }, '/other/predictions': { get: {} } };
    assert.equal(new Capabilities({ paths }).elsewhere, '/api/v2');
    assert.equal(new Capabilities({ paths }, '/wrong', true).elsewhere, '/api/v2');
    assert.equal(new Capabilities({ paths, servers: [{ url: '/root' }] }).elsewhere, '/root/api/v2');
    assert.equal(new Capabilities({ paths }, '/api/v2', true).elsewhere, undefined);
    assert.equal(new Capabilities({ paths }, '/wrong').elsewhere, undefined, 'not said of the whole origin');
    for (const odd of ['//evil.example', '/{team}', '/@evil.example', '/..']) {
      const item = { [`${odd}/predictions`]: { get: {}, post: {} } };
      assert.match(new Capabilities({ paths: item }).elsewhere ?? '/', /^\/(\.\.)?$/, odd);
    }
  });

  it('includes the bounds of whole numbers, also exclusive ones', () => {
    const whole = { type: 'integer', exclusiveMinimum: 0, maximum: 50 };
    const { minimum, maximum } =
      announced({ type: 'object', properties: { steps: whole } }).rules('createPrediction', 'steps') ?? {};
    assert.deepEqual([minimum, maximum], [1, 50]);
  });

  it('ends where a description refers to itself', () => {
    const offers = new Capabilities({
      paths: {
        '/predictions': { post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/a' } } } } } },
      },
      a: { $ref: '#/a', allOf: [{ $ref: '#/a' }] },
    });
    assert.equal(offers.rules('createPrediction', 'series'), undefined);
  });
});
