import assert from 'node:assert/strict';
import { type StrictService, startStrictService } from '../../../harness/strict.ts';
import { awaited } from '../../../../src/editor/ui/notify.ts';
import { Extension } from '../extension.ts';
import { until } from '../until.ts';
import { months, seasonal } from '../series-text.ts';

const ADD = '$(add) Add a remote service…';

describe('services in use', () => {
  const extension = new Extension();
  let service: StrictService;
  before(async () => {
    service = await startStrictService();
  });
  after(() => service.close());

  it('names a service that does not exist any more', () => {
    const { window, app } = extension;
    window.setSetting('forecasts.service', 'Production');
    assert.throws(() => app.connection.current, /No service “Production” is set up here/);
    window.setSetting('forecasts.service', undefined);
  });

  it('creates the token of the local service once for concurrent callers', async () => {
    const { app } = extension;
    await app.tokens.delete('local');
    const tokens = await Promise.all(Array.from({ length: 4 }, () => app.tokens.local()));
    assert.equal(new Set(tokens).size, 1);
  });

  it('keeps the previous service if an address is invalid, and offers to change it first', async () => {
    const { person, app } = extension;
    person
      .picks(ADD)
      .types(`${service.url}/wrong`)
      .types('Ours')
      .types(service.token)
      .presses('Change Address')
      .leaves();
    await extension.run('switchService');
    assert.deepEqual(person.read[0].buttons, ['Change Address', 'Try Again', 'Keep the Token']);
    assert.ok(person.read[0].text.endsWith(`Its description names ${service.url}.`), person.read[0].text);
    assert.equal(app.connection.current.kind, 'local');
    assert.equal(app.connection.all.length, 1, 'nothing is set up');
  });

  it('names the character of a token that no header can carry', async () => {
    const { person } = extension;
    person.picks(ADD).types(service.url).types('Ours').types('tökén').leaves();
    await extension.run('switchService');
    assert.equal(person.read.length, 0);
    assert.ok(
      !service.requests.some(({ authorization }) => authorization?.includes('k') && authorization.includes('ö')),
    );
  });

  it('asks for a model without a description, and after a refusal without one', async () => {
    const { person, app, window } = extension;
    service.mood.description = 404;
    person.picks(ADD).types(service.url).types('Ours').types(service.token);
    await extension.run('switchService');
    const rows = Array.from(
      { length: 24 },
      (_, month) => `${2022 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01,${month}`,
    );
    const file = extension.file('sales.csv', `month,sales\n${rows.join('\n')}\n`);
    person.picks('The service’s default model');
    person.presses('Choose a Model…').picks('Another model…').types('chronos-base');
    await extension.run('forecast', file);
    assert.match(person.texts.join('\n'), /ai_model_id: Field required/);
    assert.equal(service.predictions.at(0)?.body.ai_model_id, 'chronos-base');
    assert.ok(!person.offered.at(-1)?.some(({ label }) => label === 'The service’s default model'), 'it is learned');
    // the same rows would only be shown again
    await extension.run('forecast', extension.file('sales.csv', `month,sales\n${rows.join('5\n')}5\n`));
    assert.equal(service.predictions.length, 2);
    await until(() => awaited(app).length, (count) => count === 0); // prettier-ignore
    for (const name of ['service', 'remoteServices']) window.setSetting(`forecasts.${name}`, undefined);
    await app.tokens.delete(new URL(service.url).origin);
  });

  it('remembers the model of Forecast with Options if each forecast requires one', async () => {
    const { person, app, window } = extension;
    service.mood.description = 200;
    const { origin } = new URL(service.url);
    app.memory.chooseModel(service.url, undefined);
    await app.tokens.set(origin, service.token);
    window.setSetting('forecasts.service', service.url);
    const file = extension.file('options.csv', months(30, { a: seasonal }));
    person.picks('Another model…').types('chronos-small');
    await extension.run('forecastWithOptions', file);
    const asked = person.inputs.length;
    await extension.run('forecast', extension.file('options.csv', months(31, { a: seasonal })));
    assert.equal(person.inputs.length, asked, 'it is not asked for again');
    assert.deepEqual(service.predictions.slice(0, 2).map(({ body }) => body.ai_model_id), ['chronos-small', 'chronos-small']); // prettier-ignore
    // what the service says of a training setting holds at its input
    person.picks('Another model…').types('chronos-small').picks('Epochs').types('0').leaves();
    await extension.run('createFineTunedModel', file);
    assert.equal(person.inputs.at(-1)?.refusal, 'Enter a whole number of 1 or more.');
    window.setSetting('forecasts.service', undefined);
    await app.tokens.delete(origin);
  });

  it('tests an address although a token of its origin is stored', async () => {
    const { person, app, window } = extension;
    const origin = new URL(service.url).origin;
    service.mood.description = 200;
    await app.tokens.set(origin, service.token);
    person.picks(ADD).types(`${service.url}/wrong`).types('Ours').presses('Change Address').accepts().accepts();
    await extension.run('switchService');
    assert.equal(app.connection.current.id, service.url);
    assert.deepEqual(window.settings.get('forecasts.remoteServices'), { Ours: service.url });
    for (const name of ['service', 'remoteServices']) window.setSetting(`forecasts.${name}`, undefined);
    await app.tokens.delete(origin);
  });

  it('has the chosen one of two names', async () => {
    const { person, window } = extension;
    window.setSetting('forecasts.remoteServices', { Ours: service.url, Theirs: service.url });
    window.setSetting('forecasts.service', 'Theirs');
    await extension.app.tokens.set(new URL(service.url).origin, service.token);
    person.picks('$(cloud) Theirs');
    await extension.run('switchService');
    assert.equal(window.settings.get('forecasts.service'), 'Theirs');
    for (const name of ['service', 'remoteServices']) window.setSetting(`forecasts.${name}`, undefined);
    await extension.app.tokens.delete(new URL(service.url).origin);
  });

  it('is reported if Check Service finds that nothing answers', async () => {
    const { person, app, window } = extension;
    window.setSetting('forecasts.service', 'http://127.0.0.1:9');
    await app.tokens.set('http://127.0.0.1:9', 'some-token');
    person.presses('Change Address').types('http://127.0.0.1:9/v1');
    const channel = 'Check of the Forecast Service';
    assert.equal(window.channels.includes(channel), false, 'nothing to read before the first check');
    await extension.run('checkService');
    assert.equal(window.channels.at(-1), channel);
    assert.match(person.texts[0] ?? '', /^127\.0\.0\.1:9 is not set up correctly\. Authorization: Nothing answers at 127\.0\.0\.1:9\./); // prettier-ignore
    person.presses('Switch Service').picks('$(device-desktop) Local forecasts');
    await extension.run('checkService');
    assert.equal(app.connection.current.kind, 'local');
    for (const name of ['service', 'remoteServices']) window.setSetting(`forecasts.${name}`, undefined);
    await app.tokens.delete('http://127.0.0.1:9');
  });

  it('offers to try again if a service is unreachable', async () => {
    const { person, window } = extension;
    await service.down();
    window.setSetting('forecasts.service', service.url);
    await extension.app.tokens.set(new URL(service.url).origin, service.token);
    await extension.run('forecast', extension.file('few.csv', 'month,value\n2024-01,1\n2024-02,2\n2024-03,3\n'));
    assert.equal(person.read.at(-1)?.buttons[0], 'Try Again');
    window.setSetting('forecasts.service', undefined);
  });
});
