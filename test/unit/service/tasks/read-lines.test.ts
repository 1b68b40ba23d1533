import { failure } from '../../../../src/contract/failures.ts';
import assert from 'node:assert/strict';
import { readLines } from '../../../../src/service/tasks/bodies.ts';

const bytes = (text: string) => new Uint8Array(Buffer.from(text));

describe('parsing lines of a stream', () => {
  const read = (text: string, firstLine = 1) => readLines({ bytes: bytes(text), firstLine });
  const good = (id: string) => JSON.stringify({ id, series: [{ timestamp: '2024-01-01', value: 1 }] });

  it('refuses single lines with number, id and path, and parses the others', () => {
    const text = [
      good('a'),
      '',
      ' \t\r',
      '{"id":"b","series":[{"timestamp":"never","value":1}]}',
      '{"id":"c"',
      '[]',
      '{"id":"d\\u0000","series":[]}',
      `{"id":"e","series":[],"name":${'['.repeat(70)}${']'.repeat(70)}}`,
      good('f'),
    ].join('\r\n');
    const { lines, faults } = read(text, 11);
    assert.deepEqual(lines.map(({ line, id }) => [line, id]), [[11, 'a'], [19, 'f']]); // prettier-ignore
    assert.deepEqual(faults.map(({ line, id }) => [line, id]), [[14, 'b'], [15, undefined], [16, undefined], [17, 'd\0'], [18, undefined]]); // prettier-ignore
    assert.match(faults[0].error.detail, /^series\.0\.timestamp: “never” is not an ISO 8601/);
    assert.match(faults[1].error.detail, /^The line is not JSON/);
    assert.match(faults[3].error.detail, /^id: .*U\+0000/);
    assert.match(faults[4].error.detail, /^The line nests arrays and objects deeper than 64/);
  });

  it('refuses only those lines that are not UTF-8', () => {
    const broken = Buffer.concat([Buffer.from(`${good('a')}\n`), Buffer.from([0x22, 0xff, 0x22, 0x0a]), Buffer.from(good('b'))]); // prettier-ignore
    const { lines, faults } = readLines({ bytes: new Uint8Array(broken), firstLine: 1 });
    assert.deepEqual(lines.map(({ id }) => id), ['a', 'b']); // prettier-ignore
    assert.deepEqual(faults, [{ line: 2, error: failure('body_not_utf8', 'line') }]);
  });

  it('skips blank lines', () => {
    for (const text of ['', '\n', '\n\n  \n']) assert.deepEqual(read(text), { lines: [], faults: [] });
  });
});
