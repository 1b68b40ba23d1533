import assert from 'node:assert/strict';
import { newLog, requestId } from '../../../src/server/log.ts';

describe('log of a service', () => {
  const logged = (write: (log: ReturnType<typeof newLog>) => void, secrets: string[] = []): string => {
    const lines: string[] = [];
    write(newLog('info', (line) => lines.push(line), secrets));
    for (const line of lines) JSON.parse(line);
    return lines.join('');
  };

  it('redacts the operator’s token, also in JSON escapes', () => {
    for (const secret of ['plain-token-0123456789', 'with"quotes"-0123456789', 'back\\slash\\-0123456789']) {
      const text = logged(
        (log) => {
          log.info({ given: secret }, `called with ${secret}.`);
          log.error({ err: new Error(`not ${secret}`) }, 'defect');
        },
        [secret],
      );
      const rest = text.replaceAll('\\', '');
      assert.ok(!rest.includes(secret.replaceAll('\\', '')), text);
      assert.match(text, /called with …\./);
    }
  });

  it('is not emptied by an empty secret', () => {
    assert.match(
      logged(
        (log) => {
          log.info('all is well');
        },
        [''],
      ),
      /"msg":"all is well"/,
    );
  });

  it('has the address of a database without its password in any encoding', () => {
    for (const [address, clean] of [
      ['postgres://me:hunter2@db:5432/x', 'postgres://me:…@db:5432/x'],
      ['postgres://me:hun@ter2@db/x', 'postgres://me:…@db/x'],
      ['postgres://:hunter2@db/x', 'postgres://:…@db/x'],
      ['postgres://me:h:u@db/x?sslmode=require', 'postgres://me:…@db/x?sslmode=require'],
    ]) {
      const text = logged((log) => {
        log.error({ err: new Error(`cannot reach ${address}`) }, 'defect');
      });
      assert.ok(text.includes(`cannot reach ${clean}`), text);
      assert.ok(!/hunter2|ter2@|h:u@/.test(text), text);
    }
    const plain = 'https://example.com:8443/a and me@example.com';
    assert.ok(
      logged((log) => {
        log.info(plain);
      }).includes(plain),
    );
  });

  it('redacts credentials in nested fields and in headers within text', () => {
    const text = logged((log) => {
      log.info({ password: 'p-1', at: { cookie: 'c-1', of: { secret: 's-1' } } }, 'seen');
      log.info('Authorization: Basic dXNlcjpwdw== and Bearer\u0020\u0020abc.def.ghi');
      log.info({ list: [`tsf_${'x'.repeat(43)}`] });
    });
    assert.ok(!/p-1|c-1|s-1|dXNlcjpwdw|abc\.def|xxx/.test(text), text);
  });

  it('uses a client’s request id only if it is one, and not a token', () => {
    for (const id of ['a', 'trace:1/2+3=', 'x'.repeat(128)]) assert.equal(requestId(id), id);
    for (const id of [null, '', 'x'.repeat(129), 'two\nlines', 'a b', '"', `tsf_${'x'.repeat(43)}`]) {
      assert.match(requestId(id), /^[0-9a-f]{8}-[0-9a-f-]{27}$/, String(id));
    }
  });
});
