import assert from 'node:assert/strict';
import { errorOfAnswer, isGone, isPassing } from '../../../src/client/errors.ts';

const of = (status: number, body: unknown = {}) => errorOfAnswer({ status, body, name: 'Example' });
const reasonOf = (body: unknown) => of(422, body).reason;

describe('the reason of a refusal, in the format of each framework', () => {
  for (const [framework, body, reason] of [
    ['Spring Boot', { timestamp: '2024-01-01T00:00:00Z', status: 400, error: 'Bad Request', message: 'series must not be null', path: '/v1/predictions' }, 'series must not be null'], // prettier-ignore
    ['Fastify', { statusCode: 400, code: 'FST_ERR_VALIDATION', error: 'Bad Request', message: "body must have required property 'series'" }, "body must have required property 'series'"], // prettier-ignore
    ['NestJS', { statusCode: 400, message: ['series should not be empty', 'name is too long'], error: 'Bad Request' }, 'series should not be empty; name is too long'], // prettier-ignore
    ['ASP.NET', { title: 'One or more validation errors occurred.', status: 400, errors: { '$.series[3].value': ['The value is not valid.'] } }, 'series.3.value: The value is not valid.'], // prettier-ignore
    ['Laravel', { message: 'The given data was invalid.', errors: { name: ['The name is too long.'] } }, 'name: The name is too long.'], // prettier-ignore
    ['Django', { ai_model_id: ['This field is required.'], series: ['Too short.', 'Not regular.'] }, 'ai_model_id: This field is required.; series: Too short.; series: Not regular.'], // prettier-ignore
    ['Django, of no field', { non_field_errors: ['Choose a series or its id.'] }, 'Choose a series or its id.'],
    ['Rails', { errors: ["Series can't be blank"] }, "Series can't be blank"],
    ['RFC 9457', { title: 'Your request is not valid.', errors: [{ detail: 'must be positive', pointer: '#/config/max_epochs' }] }, 'config.max_epochs: must be positive'], // prettier-ignore
    ['OAuth', { error: 'invalid_token', error_description: 'The token has expired' }, 'The token has expired'],
    ['Google', { error: { code: 400, message: 'Unknown model', status: 'INVALID_ARGUMENT' } }, 'Unknown model'],
    ['API Gateway', { message: 'Too Many Requests' }, 'Too Many Requests'],
  ] as const)
    it(`is the most specific sentence: ${framework}`, () => {
      assert.equal(reasonOf(body), reason);
    });

  it('names the field, in all of these formats', () => {
    for (const body of [
      { detail: [{ loc: ['body', 'ai_model_id'], msg: 'Field required' }] },
      { ai_model_id: ['This field is required.'] },
      { title: 'Invalid', detail: 'See errors.', errors: { ai_model_id: ['Required.'] } },
      { errors: [{ detail: 'Required', pointer: '#/ai_model_id' }] },
      { message: 'Validation failed', errors: [{ field: 'ai_model_id', message: 'must not be null' }] },
      { message: 'Validation failed', details: [{ field: 'ai_model_id', message: 'required' }] },
      { errors: [{ title: 'Invalid', detail: 'is required', source: { pointer: '/ai_model_id' } }] },
      { title: 'Invalid', 'invalid-params': [{ name: 'ai_model_id', reason: 'is required' }] },
      {
        error: {
          message: 'Invalid',
          details: [{ fieldViolations: [{ field: 'ai_model_id', description: 'required' }] }],
        },
      },
      { error: { message: 'is required', type: 'invalid_request_error', param: 'ai_model_id' } },
      { issues: [{ path: ['ai_model_id'], message: 'Required' }] },
    ]) {
      assert.ok(of(422, body).isAbout('ai_model_id'), JSON.stringify(body));
      assert.equal(of(422, body).isAbout('series'), false);
    }
    assert.equal(of(422, { detail: 'ai_model_id is missing' }).isAbout('ai_model_id'), false);
  });

  it('has the first three distinct faults of a long series, and the number of the others', () => {
    const detail = Array.from({ length: 10 }, (_, n) => ({ loc: ['body', 'series', n], msg: 'not a number' }));
    assert.match(reasonOf({ detail }) ?? '', /^series\.0: not a number; .*; series\.2: not a number; and 7 more$/);
    assert.equal(reasonOf({ detail: detail.map(({ msg }) => ({ msg })) }), 'not a number');
  });

  it('is cut where it is a stack trace', () => {
    const { length } = reasonOf({ detail: 'at line '.repeat(500) }) ?? '';
    assert.equal(length, 300);
  });

  it('is undefined where the body has none', () => {
    for (const body of [{}, [], null, 7, { code: 'E12' }, { errors: {} }, { errors: [] }, { detail: '  ' }])
      assert.equal(reasonOf(body), undefined, JSON.stringify(body));
  });
});

describe('the kind of a refusal', () => {
  it('distinguishes an unknown path, as of a wrong base URL, from a missing resource', () => {
    for (const body of [
      {},
      { detail: 'Not Found' },
      { statusCode: 404, message: 'Cannot GET /v2/predictions', error: 'Not Found' },
      { error: 'Not Found', message: 'No static resource v2/predictions.' },
      { error: 'Not Found', message: 'Route GET:/v2/predictions not found', statusCode: 404 },
    ]) {
      assert.equal(of(404, body).kind, 'not-offered', JSON.stringify(body));
      assert.match(of(404, body).message, /Check the base URL/);
    }
    assert.equal(of(404, { detail: 'There is no prediction p1.' }).kind, 'not-found');
    assert.equal(of(405, { detail: 'There is no such method here.' }).kind, 'not-offered');
    assert.ok([404, 405, 410].every((status) => isGone(of(status))));
  });

  it('shows whether a failure is temporary, and whether the request may have been carried out', () => {
    for (const [status, kind, isOver, isUnknown] of [
      [400, 'refused', false, false],
      [401, 'unauthorized', false, false],
      [403, 'forbidden', false, false],
      [408, 'busy', true, false],
      [413, 'refused', false, false],
      [418, 'refused', false, false],
      [429, 'busy', true, false],
      [500, 'failed', true, true],
      [502, 'timeout', true, true],
      [503, 'busy', true, false],
      [504, 'timeout', true, true],
      [599, 'failed', true, true],
    ] as const) {
      const error = of(status);
      assert.deepEqual([error.kind, isPassing(error), error.outcomeUnknown], [kind, isOver, isUnknown], String(status));
      assert.equal(error.status, status);
    }
    assert.match(of(418).message, /answer was 418/);
  });
});
