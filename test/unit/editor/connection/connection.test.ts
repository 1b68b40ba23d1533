import assert from 'node:assert/strict';
import { AddressError } from '../../../../src/client/address.ts';
import { ServiceError } from '../../../../src/client/errors.ts';
import { CONTEXTS } from '../../../../src/editor/names.ts';
import { type StrictService, startStrictService } from '../../../harness/strict.ts';
import { Extension } from '../extension.ts';
import { until } from '../until.ts';

describe('connection to services', () => {
  const extension = new Extension();
  let service: StrictService;
  before(async () => {
    service = await startStrictService();
  });
  after(() => service.close());
  afterEach(async () => {
    const { window, app } = extension;
    for (const name of ['service', 'remoteServices', 'caFiles']) {
      window.setSetting(`forecasts.${name}`, undefined);
    }
    await app.tokens.delete(new URL(service.url).origin);
  });

  /** How often others are told that what they read is stale. */
  const reported = () => {
    let count = 0;
    const watching = extension.app.connection.onDidChange(() => count++);
    return { get count() { return count; }, end: () => { watching.dispose(); } }; // prettier-ignore
  };
  const missingIs = (missing: unknown) =>
    until(
      () => extension.window.contexts.get(CONTEXTS.missing),
      (now) => now === missing,
    );

  it('has each address once under its name, without invalid ones', () => {
    const { window, app } = extension;
    window.setSetting('forecasts.remoteServices', { Ours: `${service.url}/`, Broken: 'somewhere' });
    window.setSetting('forecasts.service', service.url);
    const found = app.connection.all.map(({ kind, name }) => [kind, name]);
    assert.deepEqual(found.slice(1), [['remote', 'Ours']]);
    assert.equal(found[0][0], 'local');
    assert.equal(app.connection.current.name, 'Ours', 'an address that has a name is called by it');
    window.setSetting('forecasts.remoteServices', { Ours: service.url, Theirs: service.url });
    window.setSetting('forecasts.service', 'Theirs');
    const { all, current, inUse } = app.connection;
    const names = [...all.slice(1), current, inUse.info].map(({ name }) => name);
    assert.deepEqual(names, ['Theirs', 'Theirs', 'Theirs'], 'of two names it has the one in use');
  });

  it('names what is missing: an address, then a token', async () => {
    const { window, app } = extension;
    window.setSetting('forecasts.service', 'Nowhere');
    assert.throws(() => app.connection.current, AddressError);
    assert.equal(await app.connection.missing(), 'url');
    await missingIs('url');
    window.setSetting('forecasts.service', service.url);
    await missingIs('token');
    await assert.rejects(app.connection.ready(), (error) => {
      assert.ok(error instanceof ServiceError && error.kind === 'unauthorized');
      assert.match(error.message, /needs a token\. Set one/);
      return true;
    });
    assert.equal(service.requests.length, 0, 'nothing is asked without one');
    await app.tokens.set(new URL(service.url).origin, service.token);
    await missingIs(undefined);
    assert.equal((await app.connection.ready()).info.id, app.connection.current.id);
  });

  it('notifies of a new token and sends that one', async () => {
    const { window, app } = extension;
    const { origin } = new URL(service.url);
    window.setSetting('forecasts.service', service.url);
    await app.tokens.set(origin, 'wrong');
    const { client } = await app.connection.ready();
    await assert.rejects(client.listPredictions({ size: 1 }), /does not accept the token/);
    const changes = reported();
    await app.tokens.set(origin, service.token);
    await until(
      () => changes.count,
      (count) => count > 0,
    );
    changes.end();
    await client.listPredictions({ size: 1 });
  });

  it('does not store a token that is only tried', async () => {
    const { window, app } = extension;
    window.setSetting('forecasts.service', service.url);
    const { current } = app.connection;
    await app.connection.trial(current, service.token).listPredictions({ size: 1 });
    assert.equal(await app.tokens.get(current.origin), undefined);
    assert.equal(await app.connection.missing(), 'token');
  });

  it('continues with a service that is not in use any more, and has no unknown one', () => {
    const { window, app } = extension;
    window.setSetting('forecasts.remoteServices', { Ours: service.url });
    window.setSetting('forecasts.service', 'Ours');
    const { inUse } = app.connection;
    window.setSetting('forecasts.service', undefined);
    assert.equal(app.connection.inUse.info.kind, 'local');
    assert.equal(app.connection.session(inUse.info.id), inUse, 'its jobs are followed to their end');
    assert.equal(app.connection.session('https://elsewhere.example.com/'), undefined);
  });

  it('uses the current name of a service', async () => {
    const { window, app } = extension;
    window.setSetting('forecasts.remoteServices', { Ours: service.url });
    window.setSetting('forecasts.service', 'Ours');
    await app.tokens.set(new URL(service.url).origin, 'wrong');
    const { inUse } = app.connection;
    window.setSetting('forecasts.service', service.url);
    window.setSetting('forecasts.remoteServices', { Theirs: service.url });
    window.setSetting('forecasts.service', 'Theirs');
    assert.equal(app.connection.inUse, inUse, 'its jobs go on being followed');
    assert.equal(inUse.info.name, 'Theirs');
    await assert.rejects(inUse.client.listPredictions({ size: 1 }), /^ServiceError: Theirs does not accept the token/);
  });

  it('reconnects if other authorities are trusted, and ignores a change of the zone', () => {
    const { window, app } = extension;
    const before = app.connection.inUse;
    const changes = reported();
    window.setSetting('forecasts.caFiles', { Ours: '/ours.pem' });
    assert.notEqual(app.connection.inUse, before);
    assert.equal(changes.count, 1);
    window.setSetting('forecasts.timeZone', 'UTC');
    window.setSetting('forecasts.timeZone', undefined);
    assert.equal(changes.count, 1, 'a zone is nothing to read again for');
    changes.end();
  });
});
