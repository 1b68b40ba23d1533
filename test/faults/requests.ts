import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scenario } from './scenario.ts';
import { monthly, remove, Served, temporary } from './served.ts';

/** Says these texts on a connection of its own. @returns what comes back until it is closed, or nothing more comes for so long; for the first word a busy machine may take a minute. @param leave milliseconds after which it goes */
function say(
  served: Served,
  texts: readonly (string | Buffer)[],
  { most = 3_000, leave }: { most?: number; leave?: number } = {},
) {
  return new Promise<{ answer: string; isClosed: boolean; after: number }>((resolve) => {
    const from = Date.now();
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
    let answer = '';
    let last = from;
    const end = (isClosed: boolean) => {
      clearInterval(timer);
      socket.destroy();
      resolve({ answer, isClosed, after: Date.now() - from });
    };
    const timer = setInterval(() => {
      if (Date.now() - last > most && (answer !== '' || Date.now() - from > 60_000)) end(false);
    }, 100);
    socket.on('data', (chunk) => {
      last = Date.now();
      answer += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      end(true);
    });
    for (const text of texts) socket.write(text);
    if (leave !== undefined)
      setTimeout(() => {
        end(true);
      }, leave);
  });
}

const statuses = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));

const head = (served: Served, first: string, ...more: string[]): string =>
  [first, `Host: ${new URL(served.url).host}`, `Authorization: Bearer ${served.token}`, ...more, '', ''].join('\r\n');

const post = (served: Served, body: string, ...more: string[]): string =>
  head(served, 'POST /predictions HTTP/1.1', 'Content-Type: application/json', ...more) + body;

export const requests: Scenario = {
  name: 'requests that are malformed, smuggled, deep, encoded, for another host, from another origin',
  async run({ long, random }) {
    const folder = temporary();
    const served = await Served.start(folder);
    let sent = 0;
    try {
      const expect = async (
        text: string | Buffer | (string | Buffer)[],
        allowed: readonly number[],
        reported: string,
      ) => {
        const { answer, isClosed } = await say(served, [text].flat());
        sent++;
        const got = statuses(answer);
        assert.ok(got.length > 0 || isClosed, `${reported}: no answer`);
        for (const status of got) assert.ok(allowed.includes(status), `${reported}: ${status} ${answer.slice(0, 300)}`);
      };
      const get = (...more: string[]) => head(served, 'GET /predictions HTTP/1.1', 'Connection: close', ...more);
      const bare = (lines: string[]) => [...lines, 'Connection: close', '', ''].join('\r\n');
      const auth = `Authorization: Bearer ${served.token}`;
      const body = JSON.stringify({ series: monthly, is_async: true });
      const deep = '['.repeat(50_000);
      for (let round = 0; round < (long ? 20 : 1); round++) {
        for (const host of [
          'evil.example',
          '127.0.0.1.evil.example:80',
          'localhost.',
          '[::ffff:10.0.0.1]',
          '0.0.0.0',
          '2130706433.evil',
          ' ',
        ]) {
          await expect(bare(['GET /predictions HTTP/1.1', `Host: ${host}`, auth]), [400, 403], `Host ${host}`);
        }
        await expect(bare(['GET /predictions HTTP/1.0', auth]), [400, 403], 'no host');
        await expect(
          bare(['GET /predictions HTTP/1.1', 'Host: 127.0.0.1', 'Host: evil.example', auth]),
          [400, 403],
          'two hosts',
        );
        await expect(
          bare(['GET http://evil.example/predictions HTTP/1.1', 'Host: 127.0.0.1', auth]),
          [400, 403],
          'absolute',
        );
        await expect(bare(['CONNECT evil.example:80 HTTP/1.1', 'Host: 127.0.0.1', auth]), [400, 403, 404], 'CONNECT');
        for (const origin of [
          'https://evil.example',
          'null',
          'http://localhost:1',
          'file://',
          'chrome-extension://x',
        ]) {
          await expect(get(`Origin: ${origin}`), [403], `Origin ${origin}`);
        }
        for (const encoding of ['gzip', 'br', 'deflate', 'gzip, identity', 'x']) {
          await expect(
            post(served, '{}', `Content-Encoding: ${encoding}`, 'Content-Length: 2', 'Connection: close'),
            [415],
            encoding,
          );
        }
        await expect(post(served, deep, `Content-Length: ${deep.length}`, 'Connection: close'), [422], 'deep');
        await expect(
          post(served, body, `Content-Length: ${body.length}`, 'Transfer-Encoding: chunked', 'Connection: close'),
          [400],
          'two lengths',
        );
        await expect(
          post(served, body, 'Content-Length: 5', `Content-Length: ${body.length}`),
          [400],
          'lengths that differ',
        );
        await expect(
          post(served, body, 'Transfer-Encoding: xchunked', 'Connection: close'),
          [400, 501],
          'odd transfer',
        );
        await expect(
          post(served, 'FFFFFFFFFFFFFFFFF\r\nx', 'Transfer-Encoding: chunked', 'Connection: close'),
          [400],
          'a huge chunk',
        );
        await expect(post(served, 'zz\r\nx', 'Transfer-Encoding: chunked', 'Connection: close'), [400], 'no chunk');
        await expect(post(served, body, `Content-Length: ${2 ** 40}`, 'Connection: close'), [413], 'a terabyte');
        await expect(get(`X: ${'x'.repeat(100_000)}`), [431], 'a huge header');
        await expect(get('X: a\u0000b'), [400], 'a zero byte');
        await expect(
          `GET /${'a/'.repeat(5000)} HTTP/1.1\r\nHost: 127.0.0.1\r\n${auth}\r\nConnection: close\r\n\r\n`,
          [404],
          'a long path',
        );
        await expect(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]), [400], 'TLS');
        await expect('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400, 505], 'HTTP/2');
        for (const where of [
          '/%',
          '/%00',
          '/..%2f..%2fetc/passwd',
          '/predictions/%F0%28',
          '/predictions?cursor=%ff',
          '/predictions?size=-1',
          '//predictions',
          '/predictions/',
        ]) {
          await expect(head(served, `GET ${where} HTTP/1.1`, 'Connection: close'), [400, 404, 422, 200], where);
        }
        for (const method of ['PUT', 'PATCH', 'TRACE', 'OPTIONS', 'PROPFIND']) {
          await expect(head(served, `${method} /predictions HTTP/1.1`, 'Connection: close'), [405], method);
        }
        const pipelined = await say(served, [head(served, 'GET /keys HTTP/1.1').repeat(49) + get()]);
        sent += 50;
        assert.deepEqual(statuses(pipelined.answer), Array(50).fill(200), 'pipelined');
        const smuggled = await say(served, [post(served, '{}' + get(), 'Content-Length: 2')]);
        assert.deepEqual(statuses(smuggled.answer), [422, 200], 'each request ends where it says');
        for (const token of ['', 'x', `${served.token}x`, served.token.slice(0, -1), "' or 1=1 --"]) {
          const lines = ['GET /keys HTTP/1.1', 'Host: 127.0.0.1', `Authorization: Bearer ${token}`];
          await expect(bare(lines), [401], 'another token');
        }
      }
      const cuts = Array.from({ length: long ? 300 : 40 }, (_, index) =>
        say(served, [post(served, body.slice(0, index * 30), `Content-Length: ${body.length}`)], {
          leave: random.between(0, 20),
        }),
      );
      await Promise.all(cuts);
      sent += cuts.length;
      assert.equal((await served.call('GET', '/storage')).status, 200);
      assert.ok(!served.toldDefect && served.said === '', `it told of a defect: ${served.said}`);
      await served.end();
    } finally {
      await served.end('SIGKILL');
      remove(folder);
    }
    return { tried: `${sent}`, outcome: 'refused or answered as described, no 5xx, no stack trace' };
  },
};

export const slowRequests: Scenario = {
  name: 'heads and bodies that come slowly or not at all',
  async run({ long }) {
    const folder = temporary();
    const served = await Served.start(folder);
    const count = long ? 200 : 30;
    try {
      const body = JSON.stringify({ series: monthly });
      const silentHead = `GET /predictions HTTP/1.1\r\nHost: 127.0.0.1\r\nX:`;
      const silentBody = post(served, body.slice(0, 10), `Content-Length: ${body.length}`);
      const all = Array.from({ length: count }, (_, index) =>
        say(served, [index % 2 ? silentHead : silentBody], { most: 90_000 }),
      );
      await sleep(1_000);
      for (let look = 0; look < 5; look++) assert.equal((await served.call('GET', '/keys')).status, 200);
      const ended = await Promise.all(all);
      assert.ok(
        ended.every(({ isClosed }) => isClosed),
        'each is closed',
      );
      for (const { answer } of ended) for (const status of statuses(answer)) assert.equal(status, 408);
      const longest = Math.max(...ended.map(({ after }) => after));
      await served.end();
      return {
        tried: `${count}`,
        outcome: `all closed, the last after ${Math.round(longest / 1000)} s; others are served meanwhile`,
      };
    } finally {
      await served.end('SIGKILL');
      remove(folder);
    }
  },
};
