import assert from 'node:assert/strict';
import { shortText } from '../../../../src/contract/requests.ts';
import { RequestError } from '../../../../src/service/errors.ts';
import { type BodyName, MAX_DEPTH, readBody, readLines } from '../../../../src/service/tasks/bodies.ts';
import { prepareSeries } from '../prepare-series.ts';
import { bytes, fault } from '../jobs/refusals.ts';

describe('request bodies', () => {
  const point = '{"timestamp":"2024-01-01T00:00:00Z","value":1,"metadata":{"a":["]",{"series":[1]}]}}';

  it('are parsed alike, wherever blocks are cut', () => {
    const series = `[ ${point} , ${point} ]`;
    const bodies = {
      createKey: '{"name":"ä😀[\\"]"}',
      createPrediction: `{"name":"ä😀[\\"]", "series" : ${series} ,"is_async":true}`,
      createDataset: `{"tags":["\\\\"],"series":[{"series":${series},"name":"a"},{"name":"b","series":${series}}]}`,
      createFineTunedModel: `{"config":{},"input_config":{"series_ids":["series"],"series":${series}}}`,
    } as const;
    for (const [name, text] of Object.entries(bodies) as [keyof typeof bodies, string][]) {
      const whole = bytes(text);
      const read = readBody(name, [whole]);
      for (let cut = 0; cut <= whole.length; cut++) {
        assert.deepEqual(readBody(name, [whole.subarray(0, cut), whole.subarray(cut)]), read, String(cut));
      }
    }
    assert.deepEqual(JSON.parse(readBody('createPrediction', [bytes(bodies.createPrediction)]).series?.points ?? ''), JSON.parse(series)); // prettier-ignore
  });

  it('may nest up to the maximum depth, not counting brackets in strings', () => {
    const deep = (levels: number) => bytes(`{"name":"a","x":${'['.repeat(levels)}${']'.repeat(levels)}}`);
    assert.equal(readBody('createKey', [deep(MAX_DEPTH - 1)]).name, 'a');
    assert.match(fault(() => readBody('createKey', [deep(MAX_DEPTH)])).detail, /deeper than 64 levels/);
    const name = `${'['.repeat(50)}\\"${'{'.repeat(49)}`;
    assert.equal(readBody('createKey', [bytes(`{"name":"${name}"}`)]).name?.length, 100);
  });

  it('parse many points like few, and locate each error', () => {
    const points = Array.from({ length: 5000 }, (_, n) => ({
      timestamp: new Date(n * 60_000).toISOString(),
      value: n,
    }));
    const read = readBody('createPrediction', [bytes(JSON.stringify({ series: points }))]);
    assert.deepEqual(JSON.parse(read.series!.points), points);
    assert.deepEqual(read.series, { ...prepareSeries(points), points: read.series!.points });
    const at = (place: number, wrong: object) => {
      const body = JSON.stringify({ series: points.map((one, n) => (n === place ? { ...one, ...wrong } : one)) });
      return fault(() => readBody('createPrediction', [bytes(body)])).loc;
    };
    assert.deepEqual(at(4321, { value: true }), ['body', 'series', 4321, 'value']);
    assert.deepEqual(at(4321, { timestamp: 'never' }), ['body', 'series', 4321, 'timestamp']);
    assert.deepEqual(at(4321, { metadata: { a: '\0' } }), ['body', 'series', 4321, 'metadata', 'a']);
  });

  it('parse many series like few, with fields before and after them', () => {
    const one = (name: string) => `{"name":"${name}","series":[${point},${point}]}`;
    const names = Array.from({ length: 10_000 }, (_, n) => `s${n}`);
    const body = `{"tags":["a"],"series":[${names.map(one).join(' ,\n')}],"name":"many"}`;
    const { series, digest, ...rest } = readBody('createDataset', [bytes(body)]);
    assert.deepEqual([rest, series.map(({ name }) => name)], [{ tags: ['a'], name: 'many' }, names]);
    assert.deepEqual(series.at(-1), { ...readBody('createDataset', [bytes(`{"series":[${one('s9999')}]}`)]).series[0] }); // prettier-ignore
    const again = readBody('createDataset', [bytes(`{"series":[${names.map(one).join()}]}`)]);
    assert.equal(again.digest, digest);
    const at = (text: string) => fault(() => readBody('createDataset', [bytes(body.replace('"s9000"', text))])).loc;
    assert.deepEqual(at('7'), ['body', 'series', 9000, 'name']);
    assert.deepEqual(at('"\\u0000"'), ['body', 'series', 9000, 'name']);
    for (const twice of ['"series":[]', `"series":[0,${one('x')}]`]) {
      const again = body.replace('"name":"many"', twice);
      assert.match(fault(() => readBody('createDataset', [bytes(again)])).detail, /not JSON: series occurs twice/);
    }
  });

  it('may write the name of their series with escapes', () => {
    const name = 's\\u0065rie\\u0073';
    const one = `{"${name}":[${point}]}`;
    const plain = one.replace(name, 'series');
    const many = (count: number) => Array.from({ length: count }, () => one).join();
    for (const count of [1, 10_000]) {
      const { series } = readBody('createDataset', [bytes(`{"${name}":[${many(count)}]}`)]);
      assert.deepEqual([series.length, series[0].series.rows], [count, 1]);
    }
    assert.deepEqual(readBody('createPrediction', [bytes(one)]), readBody('createPrediction', [bytes(plain)]));
    assert.equal(readLines({ bytes: bytes(one), firstLine: 1 }).lines[0].series.rows, 1);
  });

  it('locate what is not JSON after a long list, and by its line in a short body', () => {
    const detailOf = (body: string) => fault(() => readBody('createPrediction', [bytes(body)])).detail;
    const long = Array.from({ length: 10_000 }, () => point.replace('}', ',"metadata":{"a":"ä"}}')).join();
    const body = `{"series":[${long}] x}`;
    assert.match(detailOf(body), new RegExp(`at position ${body.indexOf('x}')}$`));
    assert.match(detailOf('{"name":1'), /at position 9 \(line 1 column 10\)$/);
    assert.match(detailOf(`{"series":[${point}] x}`), /\(line 1 column [0-9]+\)$/);
  });

  it('refuse a second list of series, however few there are and however its name is written', () => {
    const one = `{"name":"s","series":[${point}]}`;
    for (const text of [
      `{"series":[${one}],"series":[${one}]}`,
      `{"series":[${one}],"s\\u0065ries":[${one}]}`,
      `{"series":[${one}],"s\\u0065ries":[]}`,
      `{"series":null,"series":[${one}]}`,
    ])
      assert.match(fault(() => readBody('createDataset', [bytes(text)])).detail, /not JSON: series occurs twice/);
    const line = readLines({ bytes: bytes(`{"id":"a","series":[${point}],"series":[${point}]}`), firstLine: 1 });
    assert.match(line.faults[0].error.detail, /series occurs twice/);
  });

  it('refuse many series that are not JSON with the position', () => {
    const names = Array.from({ length: 10_000 }, (_, n) => `{"name":"s${n}","series":[${point}]}`);
    const body = `{"series":[${names.join()}]}`;
    const detailOf = (from: string, to: string) =>
      fault(() => readBody('createDataset', [bytes(body.replace(from, to))])).detail;
    const cut = detailOf('"s9000",', '"s9000" ');
    const place = /at position ([0-9]+), after series\.([0-9]+)$/.exec(cut);
    assert.equal(Number(place?.[1]), body.indexOf('"s9000",') + 8, cut);
    assert.ok(Number(place?.[2]) < 9000 && Number(place?.[2]) > 6000, cut);
    assert.match(detailOf('"s9000"', 's9000'), /"name":s9000.* after series\.[0-9]{4}$/s);
  });

  it('refuse leading, trailing and double commas', () => {
    const long = Array.from({ length: 5000 }, () => point).join();
    const blank = ' '.repeat(300_000);
    for (const series of [
      '[,]',
      `[${point},]`,
      `[,${point}]`,
      `[${long},]`,
      `[${long},,${long}]`,
      `[${blank},${point}]`,
    ]) {
      // prettier-ignore
      const msg = (name: 'createPrediction' | 'createDataset', body: string) => fault(() => readBody(name, [bytes(body)])).detail; // prettier-ignore
      assert.match(msg('createPrediction', `{"series":${series}}`), /not JSON/, series.slice(0, 80));
      assert.match(msg('createDataset', `{"series":[{"series":${series}}]}`), /not JSON/);
    }
    for (const all of ['[,]', `[{"series":[${point}]},]`, `[,{"series":[${point}]}]`]) {
      assert.match(fault(() => readBody('createDataset', [bytes(`{"series":${all}}`)])).detail, /not JSON/);
    }
  });

  it('refuse what does not match the schema with the path of the field', () => {
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

describe('limits of request bodies', () => {
  const status = (name: BodyName, text: string): number => {
    try {
      readBody(name, [bytes(text)]);
      return 200;
    } catch (error) {
      if (error instanceof RequestError) return error.status;
      throw error;
    }
  };
  const point = '{"timestamp":"2024-01-01T00:00:00Z","value":1}';
  const long = 'x'.repeat(1_200_000);
  const many = '{},'.repeat(400_000);

  it('refuse more than a megabyte besides the points', () => {
    assert.equal(status('createKey', `{"name":"${long}"}`), 413);
    assert.equal(status('createPrediction', `{"series":[${point}],"name":"${long}"}`), 413);
    assert.equal(status('createPrediction', `{"series":[${point}],"x":[${many}0]}`), 413);
    assert.equal(status('createPrediction', `{"series":[{"timestamp":"${long}","value":1}]}`), 413);
    assert.equal(status('createPrediction', `{"series":[${point},{"timestamp":"2024","metadata":[${many}0]}]}`), 413);
    assert.equal(status('createDataset', `{"series":[{"series":[${point}],"name":"${long}"}]}`), 413);
    const rest = Array.from({ length: 100_000 }, (_, n) => `"field${n}":1`).join();
    assert.equal(status('createPrediction', `{"series":[${point}],${rest}}`), 413);
    assert.equal(status('createDataset', `{"series":[{"series":[${point}]}],${rest}}`), 413);
    assert.equal(status('createFineTunedModel', `{"input_config":{"series":[${point}]},${rest}}`), 413);
    assert.equal(status('createFineTunedModel', `{"input_config":{"series":[${point}],${rest}}}`), 413);
    const lines = readLines({ bytes: bytes(`{"series":[${point}],"x":[${many}0]}`), firstLine: 1 });
    assert.match(lines.faults[0].error.detail, /more than 1 MB/);
    // the points themselves are not bounded by it
    assert.equal(status('createPrediction', `{"series":[${Array.from({ length: 30_000 }, () => point).join()}]}`), 200);
    const training = `{"input_config":{"series":[${Array.from({ length: 30_000 }, () => point).join()}]}}`;
    assert.equal(status('createFineTunedModel', training), 200);
  });

  it('refuse long lists of empty objects', () => {
    assert.equal(status('createPrediction', `{"series":[${many}{}]}`), 413);
    assert.equal(status('createDataset', `{"series":[${many}{}]}`), 413);
    assert.equal(status('createDataset', '{"series":[{},{}]}'), 422);
  });

  it('refuse too many different field names', () => {
    const names = Array.from({ length: 100_000 }, (_, n) => `{"name${n}":1}`).join();
    assert.equal(status('createPrediction', `{"series":[${names}]}`), 413);
    // many names that all points have are worth their bytes
    const values = Array.from({ length: 9_000 }, (_, n) => `"c${n}":1`).join();
    const wide = `{"timestamp":"2024-01-01T00:00:00Z","value":1,"metadata":{"covariates":{${values}}}}`;
    assert.equal(status('createPrediction', `{"series":[${Array.from({ length: 30 }, () => wide).join()}]}`), 200);
    // the same few names are what all points have
    const same = Array.from({ length: 100_000 }, (_, n) => `{"name${n % 100}":1}`).join();
    assert.equal(status('createPrediction', `{"series":[${same}]}`), 422);
  });

  it('refuse more series than the maximum', () => {
    for (const name of ['series', 's\\u0065ries'])
      assert.equal(status('createDataset', `{"${name}":[${'0,'.repeat(250_000)}0]}`), 413);
    // what is wrong with the first of them is not even looked for
    const all = Array.from({ length: 250_001 }, () => '{"series":[{"value":1}]}').join();
    assert.equal(status('createDataset', `{"series":[${all}]}`), 413);
    assert.equal(status('createDataset', `{"series":[${all.slice(all.indexOf(',') + 1)}]}`), 422);
  });

  it('shorten long strings in errors, and check their length first', () => {
    const msg = fault(() => readBody('createPrediction', [bytes(`{"series":[{"timestamp":"${'9'.repeat(9_999)}","value":1}]}`)])).detail; // prettier-ignore
    assert.ok(msg.length < 200, String(msg.length));
    let counted = 0;
    const text = 'x'.repeat(401);
    const iterator = String.prototype[Symbol.iterator];
    String.prototype[Symbol.iterator] = function (this: string) {
      counted++;
      return iterator.call(this);
    };
    try {
      const parsed = shortText(200).safeParse(text);
      assert.deepEqual([parsed.success, counted], [false, 0]);
    } finally {
      String.prototype[Symbol.iterator] = iterator;
    }
  });
});
