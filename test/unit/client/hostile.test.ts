import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sifted, TooMuch } from '../../../src/client/answer.ts';

const run = promisify(execFile);
const here = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);

/** What a client makes of an answer, in a program of so little memory that one which reads all of it dies. */
const read = async (answer: string, megabytes = 256): Promise<string> => {
  const code = `
    const { clientOf } = await import(${here('client-of.ts')});
    const text = ${answer};
    const pieces = new TextEncoder().encode(text);
    const body = () => new ReadableStream({ start(controller) {
      for (let at = 0; at < pieces.length; at += 65536) controller.enqueue(pieces.slice(at, at + 65536));
      controller.close();
    } });
    const { client } = clientOf(() => new Response(body(), { headers: { 'content-type': 'application/json' } }));
    const told = await client.listPredictions({ size: 1 }, false).then(({ items, unreadable }) => 'read ' + items.length + ' and not ' + unreadable.length, ({ kind }) => kind);
    console.log(told);`;
  const options = [
    `--max-old-space-size=${megabytes}`,
    '--import',
    new URL('../hand-in-vscode.mjs', import.meta.url).href,
  ];
  const { stdout } = await run(process.execPath, [...options, '--input-type=module', '-e', code]);
  return stdout.trim();
};

describe('a hostile answer', function () {
  this.timeout(60_000);

  it('of six megabytes takes little time: many items, deep nesting, unknown values', async () => {
    assert.equal(await read(`'{"items":[' + '{},'.repeat(2e6) + '{}]}'`), 'too-large');
    assert.equal(await read(`'{"items":[{"id":"a","status":"COMPLETED","odd":[' + '{},'.repeat(1e6) + '{}]}]}'`), 'read 1 and not 0'); // prettier-ignore
    assert.equal(await read(`'{"items":' + '['.repeat(3e6) + ']'.repeat(3e6) + '}'`), 'too-large');
    assert.equal(await read(`'{"items":[{"id":"a","status":"COMPLETED","odd":[' + '[],'.repeat(4e6) + '[]]}]}'`), 'too-large'); // prettier-ignore
  });

  it('of a hundred megabytes of unwanted series is skipped', async () => {
    const point = '{"timestamp":"2024-01-01T00:00:00Z","value":1.5,"metadata":{}},';
    const answer = `'{"items":[{"id":"a","status":"COMPLETED","input_series":[' + '${point}'.repeat(1.6e6) + '${point.slice(0, -1)}]}]}'`;
    assert.equal(await read(answer, 512), 'read 1 and not 0');
  });

  it('is filtered alike however it is split into chunks', async () => {
    const text =
      '{"a": [1, {"drop": [1, {"x": "]}\\"drop\\":"}], "keep": "\\"drop\\": 1"}], "drop" : "a, b", "z":{"drop":null}}';
    const wanted = { a: [1, { drop: null, keep: '"drop": 1' }], drop: null, z: { drop: null } };
    async function* pieces(size: number) {
      for (let at = 0; at < text.length; at += size)
        yield Promise.resolve(new TextEncoder().encode(text.slice(at, at + size)));
    }
    for (let size = 1; size <= text.length; size++)
      assert.deepEqual(JSON.parse((await sifted(pieces(size), ['drop'], 1_000)).text), wanted, `pieces of ${size}`);
    await assert.rejects(sifted(pieces(11), [], 10), TooMuch);
  });
});
