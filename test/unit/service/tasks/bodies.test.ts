import assert from 'node:assert/strict';
import { MOST_LEVELS, parse, readBody } from '../../../../src/service/tasks/bodies.ts';
import { bytes, fault } from '../jobs/refusals.ts';

describe('the bytes of a body', () => {
  it('are read alike, wherever they are cut into blocks', () => {
    const text = '{"name":"ä😀[\\"]","tags":["\\\\"],"series":[]}';
    const whole = bytes(text);
    for (let cut = 0; cut <= whole.length; cut++) {
      const blocks = [whole.subarray(0, cut), whole.subarray(cut)];
      assert.deepEqual(parse(blocks), JSON.parse(text), String(cut));
    }
  });

  it('may be as deep as is said, and brackets in texts do not count', () => {
    const deep = (levels: number) => bytes('['.repeat(levels) + ']'.repeat(levels));
    assert.ok(Array.isArray(parse([deep(MOST_LEVELS)])));
    assert.match(fault(() => parse([deep(MOST_LEVELS + 1)])).msg, /more than 64 arrays/);
    assert.deepEqual(parse([bytes(`["${'['.repeat(999)}\\"${'{'.repeat(999)}"]`)]), [
      `${'['.repeat(999)}"${'{'.repeat(999)}`,
    ]);
  });

  it('that are no body of their operation are refused with the place of what is wrong', () => {
    const at = (name: 'createKey' | 'createDataset' | 'createPrediction', body: string) =>
      fault(() => readBody(name, [bytes(body)])).loc;
    for (const none of ['', '{', 'null', '[]', '"a"', '7', '{} {}', "{'a':1}", '{"series":NaN}']) {
      assert.deepEqual(at('createDataset', none), ['body'], none);
    }
    assert.deepEqual(at('createKey', '{"scope":"root"}'), ['body', 'scope']);
    assert.deepEqual(at('createKey', '{"series_per_day":0}'), ['body', 'series_per_day']);
    assert.deepEqual(
      at('createDataset', '{"series":[{"series":[{"timestamp":"2024-01-01","value":1}]},{"series":{}}]}'),
      ['body', 'series', 1, 'series'],
    );
    const point = (timestamp: string) => `{"series":[{"timestamp":"2024-01-01","value":1},{"timestamp":"${timestamp}","value":2}]}`; // prettier-ignore
    for (const wrong of ['2024-13-01', 'soon', '+275761-01-01T00:00:00Z']) {
      assert.deepEqual(at('createPrediction', point(wrong)), ['body', 'series', 1, 'timestamp'], wrong);
    }
  });
});
