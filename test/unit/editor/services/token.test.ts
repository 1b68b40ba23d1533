import assert from 'node:assert/strict';
import { type StrictService, startStrictService } from '../../../harness/strict.ts';
import { VIEWS } from '../../../../src/editor/names.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';

describe('token of a remote service', () => {
  const extension = new Extension();
  let service: StrictService;
  let origin: string;
  const kept = () => extension.app.tokens.get(origin);
  before(async () => {
    service = await startStrictService();
    origin = new URL(service.url).origin;
    extension.window.setSetting('forecasts.remoteServices', { Ours: service.url });
  });
  after(() => service.close());
  beforeEach(async () => {
    extension.window.setSetting('forecasts.service', 'Ours');
    await extension.app.tokens.delete(origin);
  });

  it('is entered as a password, tested, and stored only if accepted', async () => {
    const { person } = extension;
    person.types('wrong-token').presses('Enter Another').types(` `).types(service.token);
    await extension.run('setToken');
    const [asked, again] = person.inputs;
    assert.equal(asked.title, 'Set Token for Ours');
    assert.ok(asked.text.endsWith(`sent only to ${origin}.`), asked.text);
    assert.equal(again.value, '', 'the wrong one does not stand there again');
    assert.match(person.read[0].text, /^The token was not saved\. Ours does not accept the token\./);
    assert.deepEqual(person.read[0].buttons, ['Enter Another', 'Keep It Anyway']);
    assert.equal(person.texts.at(-1), 'Ours accepts the token.');
    assert.equal(await kept(), service.token);
  });

  it('is not stored if the person stops at a refusal, and is on request', async () => {
    const { person } = extension;
    person.types('wrong-token');
    await extension.run('setToken');
    assert.equal(await kept(), undefined);
    person.types('wrong-token').presses('Keep It Anyway');
    await extension.run('setToken');
    assert.equal(await kept(), 'wrong-token');
  });

  it('that has expired is reported on use, with an action to set another', async () => {
    const { person, app } = extension;
    await app.tokens.set(origin, service.revoked);
    const file = extension.file('sales.csv', months(30, { sales: seasonal }));
    person.presses('Set Token').types(service.token);
    await extension.run('forecast', file);
    assert.match(person.texts[0], /^The token is not allowed to do this at Ours\./);
    assert.equal(person.texts.at(-1), 'Ours accepts the token.');
    assert.equal(await kept(), service.token);
  });

  it('that the system cannot store is reported with advice, without the system’s text', async () => {
    const { person, window } = extension;
    const file = extension.file('sales.csv', months(30, { sales: seasonal }));
    const fail = (): never => {
      throw new Error('org.freedesktop.secrets: a-secret');
    };
    await extension.stop();
    extension.start();
    Object.assign(window.secrets, { get: fail, set: fail });
    for (const [name, whose] of [
      ['Ours', origin],
      ['local', 'the local service'],
    ]) {
      window.setSetting('forecasts.service', name);
      await extension.run('forecast', file);
      assert.equal(person.texts.at(-1), `The secret storage of this system, which keeps the token for ${whose}, cannot be used. Unlock the keyring of the system or restart the editor, then try again.`); // prettier-ignore
      const [row, ...others] = await extension.app.trees.get(VIEWS.predictions)!.getChildren();
      assert.ok(row.kind === 'problem' && row.error instanceof Error && others.length === 0);
      assert.equal(row.error.message, person.texts.at(-1), 'as the view says too');
    }
    assert.doesNotMatch(person.texts.join() + window.log.join(), /a-secret|bug in this extension/);
    for (const name of ['get', 'set']) Reflect.deleteProperty(window.secrets, name);
  });

  it('is requested before anything is sent', async () => {
    const { person } = extension;
    const sent = service.requests.length;
    person.presses('Set Token').leaves();
    await extension.run('forecast', extension.file('sales.csv', months(30, { sales: seasonal })));
    assert.equal(person.texts[0], 'Ours needs a token. Set one, then try again.');
    assert.equal(service.requests.length, sent);
  });

  it('is deleted on signing out, and the sidebar then asks for one', async () => {
    const { app, window } = extension;
    await app.tokens.set(origin, service.token);
    await new Promise((resolve) => setImmediate(resolve));
    await extension.run('signOut');
    assert.equal(await kept(), undefined);
    assert.equal(await app.connection.missing(), 'token');
    assert.equal(window.contexts.get('forecasts.missing'), 'token');
    assert.equal(await app.tokens.wasLost(origin), false, 'it was not lost');
  });

  it('is requested with the reason if a system without a keyring lost it', async () => {
    const { person, app, window } = extension;
    await app.tokens.set(origin, service.token);
    window.secrets.clear(); // as after a restart of the editor
    person.leaves();
    await extension.run('setToken');
    assert.match(person.inputs[0].text, /^The token of an earlier session was lost: without a system keyring/);
  });

  it('can be a key created at the service, after a confirmation', async () => {
    const { person, app } = extension;
    await app.tokens.set(origin, 'before');
    const key = (secret: string) => ({ kind: 'key', id: 'k', serviceId: service.url, item: { id: 'k', name: 'Mine', secret } }); // prettier-ignore
    await extension.run('setToken', key(service.token));
    assert.equal(await kept(), 'before', 'not without an answer');
    assert.match(person.texts[0], /^Use “.+” as the token of Ours\? It replaces the current token\.$/);
    person.presses('Use Key');
    await extension.run('setToken', key(service.token));
    assert.equal(await kept(), service.token);
    person.presses('Use Key').presses('Enter Another').leaves();
    await extension.run('setToken', key(service.revoked));
    assert.equal(await kept(), service.token, 'one that is refused does not replace it');
  });

  it('does not exist for the local service, with a message', async () => {
    const { person, window } = extension;
    window.setSetting('forecasts.service', 'local');
    const local = await extension.app.tokens.local();
    await extension.run('setToken');
    await extension.run('signOut');
    assert.match(person.texts[0], /^The local service creates its own token/);
    assert.match(person.texts[1], /^The local service has no account/);
    assert.equal(await extension.app.tokens.local(), local);
  });

  it('is deleted with its service unless another one has the same origin', async () => {
    const { person, app, window } = extension;
    const both = { Ours: service.url, Twin: `${origin}/other` };
    window.setSetting('forecasts.remoteServices', both);
    await app.tokens.set(origin, service.token);
    const REMOVE = '$(trash) Remove a remote service…';
    person.picks(REMOVE).picks('$(cloud) Twin');
    await extension.run('switchService');
    assert.deepEqual(window.settings.get('forecasts.remoteServices'), both, 'nothing without an answer');
    assert.match(person.texts[0], /^Remove “Twin” \(.+\/other\) from this editor, with its token\? Nothing is deleted/);
    person.picks(REMOVE).picks('$(cloud) Twin').presses('Remove');
    await extension.run('switchService');
    assert.deepEqual(window.settings.get('forecasts.remoteServices'), { Ours: service.url });
    assert.equal(await kept(), service.token);
    assert.equal(app.connection.current.name, 'Ours', 'the one in use stays');
    person.picks(REMOVE).picks('$(cloud) Ours').presses('Remove');
    await extension.run('switchService');
    assert.equal(app.connection.current.kind, 'local');
    assert.deepEqual(app.connection.all.map(({ id }) => id), ['local']); // prettier-ignore
    assert.equal(await kept(), undefined);
  });

  it('is requested when switching to a service without one', async () => {
    const { person, app, window } = extension;
    window.setSetting('forecasts.remoteServices', { Ours: service.url });
    window.setSetting('forecasts.service', 'local');
    person.picks('$(cloud) Ours').types(service.token);
    await extension.run('switchService');
    assert.equal(app.connection.current.id, service.url);
    assert.equal(await kept(), service.token);
    person.picks('$(device-desktop) Local forecasts');
    await extension.run('switchService');
    assert.equal(app.connection.current.kind, 'local');
    assert.equal(person.offered.at(-1)?.find(({ label }) => label === '$(cloud) Ours')?.description, 'in use');
  });
});
