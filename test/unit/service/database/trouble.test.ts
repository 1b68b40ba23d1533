import assert from 'node:assert/strict';
import { mayPass, storeTrouble } from '../../../../src/service/errors.ts';

/** As node:sqlite throws it. */
const sqlite = (errcode: number, message = 'database trouble') =>
  Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });
/** As node-postgres and the network throw it. */
const coded = (code: string) => Object.assign(new Error('from afar'), { code });
const status = (error: unknown) => storeTrouble(error)?.status;

describe('store errors', () => {
  it('distinguish a full disk from an unreadable file', () => {
    const variety = (number: number) => 10 | (number << 8);
    // WRITE, FSYNC, TRUNCATE, SHMSIZE; then READ, SHORT_READ, LOCK, and none
    for (const number of [3, 4, 6, 19]) assert.equal(status(sqlite(variety(number))), 507, String(number));
    for (const number of [1, 2, 15, 0]) {
      const trouble = storeTrouble(sqlite(variety(number), 'disk I/O error'), '/a/b.db');
      assert.equal(trouble?.status, 500);
      assert.equal(
        trouble?.failure.detail,
        'The file of the stored forecasts, /a/b.db, cannot be read: disk I/O error.',
      );
    }
    assert.equal(status(sqlite(13)), 507);
    assert.equal(status(coded('53100')), 507);
  });

  it('name the file, and offer repair only for damage', () => {
    for (const [code, isDamaged] of [
      [11, true], // SQLITE_CORRUPT
      [11 | (1 << 8), true], // a variety of it, of a virtual table
      [26, true], // SQLITE_NOTADB
      [8, false], // SQLITE_READONLY
      [14, false], // SQLITE_CANTOPEN
      [10, false], // SQLITE_IOERR
    ] as const) {
      const trouble = storeTrouble(sqlite(code), '/a/b.db');
      assert.ok(trouble?.failure.detail.includes('/a/b.db'), String(code));
      assert.equal(trouble?.failure.code === 'store_damaged', isDamaged, String(code));
      assert.equal(mayPass(sqlite(code)), false, String(code));
    }
  });

  it('are retried if temporary: locks, memory, space, and an absent or busy database', () => {
    for (const code of [5, 5 | (2 << 8), 6, 7, 13]) assert.ok(mayPass(sqlite(code)), String(code));
    for (const code of ['08006', '57P01', '57P03', '53300', 'ECONNREFUSED', 'EAI_AGAIN', '40001', '40P01', '55P03']) {
      assert.ok(mayPass(coded(code)), code);
    }
    for (const message of ['Connection terminated unexpectedly', 'timeout exceeded when trying to connect']) {
      assert.equal(status(new Error(message)), 503, message);
    }
    // each address of a name was tried
    assert.equal(status(new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')])), 503);
  });

  it('are recognized in the queue’s copy of an error', () => {
    for (const error of [coded('57P03'), coded('ENOTFOUND'), new Error('Connection terminated unexpectedly')]) {
      const reported = { ...error, message: `${error.message} (Queue: panel)`, queue: 'panel' };
      assert.equal(status(reported), 503, reported.message);
    }
    assert.equal(storeTrouble({ message: 'x' }), undefined);
    assert.equal(storeTrouble({}), undefined);
  });

  it('exclude all other errors, which are defects', () => {
    for (const error of [
      new Error('x'),
      new AggregateError([]),
      new AggregateError([new Error('x')]),
      coded('23505'), // a row that is there already
      coded('42P01'), // a table that is not
      coded('ENOENT'),
      sqlite(19), // SQLITE_CONSTRAINT
      sqlite(1), // SQLITE_ERROR: a statement at fault
      Object.assign(new Error('x'), { errcode: 13 }),
      new Error('It said: Connection terminated'),
      'database is locked',
      undefined,
    ]) {
      assert.equal(storeTrouble(error), undefined, String(error));
      assert.equal(mayPass(error), false);
    }
  });
});
