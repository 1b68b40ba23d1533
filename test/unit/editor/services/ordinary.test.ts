import assert from 'node:assert/strict';
import { forecastAgain } from '../../../../src/editor/forecast/again.ts';
import { writeFileSync } from 'node:fs';
import type { State } from '../chart-page.ts';
import { stateOf } from '../views/panels.ts';
import { CONTEXTS, VIEWS } from '../../../../src/editor/names.ts';
import { knownModels } from '../../../../src/editor/views/tree/sources.ts';
import { modelChoices } from '../../../../src/editor/request/pick-model.ts';
import { type Mood, PLAIN, type StrictService, startStrictService } from '../../../harness/strict.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';
import { until } from '../until.ts';
import type { TreeView } from '../workbench/tree-view.ts';

/** Services that decide what the interface leaves open in two ways. */
const WAYS: Readonly<Record<string, Partial<Mood>>> = {
  'with a description, newest first': {},
  'without a description, oldest first': PLAIN,
};

for (const [title, ways] of Object.entries(WAYS)) {
  describe(`editor at a service ${title}`, function () {
    this.timeout(60_000);
    const extension = new Extension();
    let service: StrictService;

    before(async () => {
      service = await startStrictService({ ...ways, work: 150 });
      service.seed(300, 12);
      await extension.app.tokens.set(new URL(service.url).origin, service.token);
      extension.window.setSetting('forecasts.remoteServices', { House: service.url });
      extension.window.setSetting('forecasts.service', 'House');
    });
    after(() => service.close());
    beforeEach(() => {
      Object.assign(service.mood, {
        losesRequests: false,
        refusesGaps: false,
        isExpired: false,
        latency: 0,
        work: 150,
      });
    });

    const tree = () => extension.app.trees.get(VIEWS.predictions)!;
    const posted = () => service.requests.filter(({ method }) => method === 'POST');
    const state = () => stateOf<State>(extension.window.panels.at(-1)!);
    const file = (name: string, count = 36) => extension.file(name, months(count, { sales: seasonal }));
    const shown = async () => {
      extension.window.panels.at(-1)!.says({ type: 'ready' });
      return until(() => state().shown?.chart, (chart) => chart?.forecast !== undefined); // prettier-ignore
    };

    it('asks for the model once before anything is sent, despite slow lists, and accepts any id', async () => {
      service.mood.latency = 400;
      const { person } = extension;
      const before = posted().length;
      person.picks('Another model…').types('chronos-small');
      await extension.run('forecast', file('first.csv'));
      assert.match(person.inputs[0].text, /^Which model of House should make your forecasts\?/);
      assert.ok((await shown())?.forecast);
      assert.equal(
        posted().filter(({ body }) => (body as { ai_model_id?: string }).ai_model_id === undefined).length,
        0,
      );
      assert.ok(posted().length > before);
      await extension.run('forecast', file('second.csv'));
      assert.equal(person.inputs.length, 2, 'asked once');
    });

    it('has its own forecasts on the first page of the view, newest first', async () => {
      await tree().refresh();
      await tree().getChildren();
      const [first, second] = tree().entries.map(({ id }) => id);
      assert.deepEqual([first, second], service.predictions.slice(0, 2).map(({ id }) => id)); // prettier-ignore
    });

    it('shows that a list is loading, and hides what the service cannot create', async () => {
      const { app, window } = extension;
      const keys = app.trees.get(VIEWS.keys)!;
      service.mood.latency = 300;
      const reading = keys.getChildren();
      await until(() => keys.view.message, (message) => message === 'Loading…'); // prettier-ignore
      await reading;
      assert.equal(keys.entries.length, 2);
      assert.equal(keys.view.message, undefined);
      await until(() => [CONTEXTS.noNewKeys, CONTEXTS.noNewDatasets].map((key) => window.contexts.get(key)), (hidden) => hidden.every(Boolean)); // prettier-ignore
    });

    it('renames and pins without a request', async () => {
      await tree().getChildren();
      const [, second] = tree().entries;
      service.requests.length = 0;
      extension.person.types('Mine');
      await extension.run('rename', second);
      await extension.run('pin', second);
      const rows = tree()
        .entries.slice(0, 2)
        .map((node) => String(tree().getTreeItem(node).label));
      assert.equal(rows[0], 'Mine');
      assert.deepEqual(service.requests, []);
      await extension.run('pin', tree().entries[0]);
    });

    it('offers recently seen models in pickers and comparisons', async () => {
      const { connection } = extension.app;
      const session = connection.inUse;
      const ids = knownModels(session, extension.app).map(({ id }) => id);
      assert.deepEqual(ids.toSorted(), ['chronos-base', 'chronos-small']);
      const choices = await modelChoices(extension.app, session);
      assert.deepEqual(choices.map(({ id }) => id).toSorted(), ['chronos-base', 'chronos-small']);
    });

    it('offers to fill gaps or to drop what precedes them, and no other model for that', async () => {
      service.mood.refusesGaps = true;
      const { person } = extension;
      const rows = months(36, { sales: seasonal }).trimEnd().split('\n');
      const gaps = extension.file('gaps.csv', `${rows.toSpliced(10, 1).join('\n')}\n`);
      person.presses('Fill the Gaps');
      await extension.run('forecast', gaps);
      const full = posted().at(-1)?.body as { series: { value: number }[] };
      assert.equal(full.series.length, 36);
      const between = (seasonal(8) + seasonal(10)) / 2;
      assert.ok(Math.abs(full.series[9].value - between) < 1e-9);
      person.presses('Use Rows After the Last Gap');
      await extension.run('forecast', extension.file('gaps-2.csv', `${rows.toSpliced(10, 1).join('\n')}\n`));
      assert.equal((posted().at(-1)?.body as { series: unknown[] }).series.length, 26);
      assert.doesNotMatch(JSON.stringify(person.read), /Choose a Model/);
      await shown();
      await until(() => state().shown?.chart.remarks?.map(({ text }) => text).join() ?? '', (text) => /before the last gap were left out: 9/.test(text)); // prettier-ignore
    });

    it('offers to send fewer points if there are too many', async () => {
      const { person } = extension;
      service.mood.longest = 30;
      person.presses('Send the Last 24 Points');
      await extension.run('forecast', file('long.csv', 48));
      service.mood.longest = Infinity;
      assert.match(person.texts[0], /The request is too large for/);
      assert.equal((posted().at(-1)?.body as { series: unknown[] }).series.length, 24);
    });

    it('reports how many predictions it searched for a lost one, and sends again on request', async () => {
      const { person } = extension;
      const [before, count] = [service.predictions.length, posted().length];
      service.mood.losesRequests = true;
      await extension.run('forecast', file('lost.csv'));
      assert.match(person.read.at(-1)!.text, /It is not among the \d+ predictions that were searched\./);
      assert.deepEqual(person.read.at(-1)!.buttons, ['Send Again']);
      assert.deepEqual([service.predictions.length, posted().length], [before, count + 1]);
      service.mood.losesRequests = false;
    });

    it('repeats the same forecast of a file that is kept up to date with one request', async () => {
      const kept = file('kept.csv', 36);
      await extension.run('keepUpToDate', kept);
      await shown();
      const [made] = service.predictions;
      extension.person.picks('Another model…').types('chronos-base');
      await forecastAgain(extension.app, { serviceId: extension.app.connection.current.id, predictionId: made.id }, { isOtherModel: true }); // prettier-ignore
      extension.app.memory.chooseModel(extension.app.connection.current.id, 'chronos-small');
      await until(() => service.predictions[0].body.ai_model_id, (model) => model === 'chronos-base'); // prettier-ignore
      service.requests.length = 0;
      service.sent.bytes = 0;
      writeFileSync(kept.fsPath, months(38, { sales: seasonal }));
      extension.window.savedDocument.fire({ uri: kept });
      const body = await until(() => posted().at(-1)?.body as { ai_model_id: string; series: unknown[] } | undefined, (one) => one?.series.length === 38); // prettier-ignore
      assert.equal(body!.ai_model_id, 'chronos-small', 'of the chart that is kept, not of the file’s last');
      assert.ok(service.requests.length <= 8, `${service.requests.length} requests`);
      // what is said of it at its end belongs to this test
      await until(() => state().shown?.chart, (chart) => chart?.forecast !== undefined && chart.history.times.length === 38); // prettier-ignore
      await extension.run('keepUpToDate', kept);
    });

    it('waits for a new token when one expires, which the chart offers to set', async () => {
      service.mood.work = 60_000;
      const { window, app, person } = extension;
      const before = service.predictions.length;
      const running = extension.run('forecast', file('waits.csv'));
      await until(() => service.predictions.length, (count) => count > before); // prettier-ignore
      if (ways.order === 'oldest' && !app.connection.inUse.client.learned.lists.listPredictions.end?.isLast) return;
      await running;
      window.panels.at(-1)!.says({ type: 'ready' });
      await until(() => state().standing?.status.sentence, (sentence) => sentence === 'Waiting in the queue…'); // prettier-ignore
      const view = tree().view as unknown as TreeView;
      view.see(true);
      await tree().refresh();
      await tree().getChildren();
      service.mood.isExpired = true;
      service.requests.length = 0;
      const status = await until(() => state().standing?.status, (now) => now?.kind === 'failed'); // prettier-ignore
      assert.deepEqual(status && 'actions' in status ? status.actions?.map(({ label }) => label) : [], ['Set Token…', 'Try Again']); // prettier-ignore
      const [row] = await until(() => tree().getChildren(), ([first]) => first?.kind === 'problem'); // prettier-ignore
      await extension.run('explainProblem', row);
      assert.deepEqual(person.read.at(-1)?.buttons, ['Try Again', 'Set Token', 'Switch Service']);
      assert.equal(service.requests.length, 1, 'one refusal, and then it waits');
      service.mood.isExpired = false;
      service.mood.work = 10;
      await app.tokens.set(new URL(service.url).origin, service.token);
      await until(() => state().shown?.chart.forecast !== undefined, Boolean); // prettier-ignore
      await until(() => tree().getChildren(), ([first]) => first?.kind === 'prediction'); // prettier-ignore
      view.see(false);
      assert.equal(person.texts.length, 1, 'what the row was asked for');
    });
  });
}

describe('15,000-point file kept up to date on an oldest-first list of 1,000', function () {
  this.timeout(120_000);
  const extension = new Extension();
  let service: StrictService;
  before(async () => {
    service = await startStrictService({ ...PLAIN, required: ['ai_model_id'], work: 500 });
    service.seed(1_000, 15_000);
    const { app, window } = extension;
    await app.tokens.set(new URL(service.url).origin, service.token);
    window.setSetting('forecasts.remoteServices', { House: service.url });
    window.setSetting('forecasts.service', 'House');
  });
  after(() => service.close());

  const hours = (count: number) =>
    ['time,load', ...Array.from({ length: count }, (_, hour) => `${new Date(Date.UTC(2024, 0, 1, hour)).toISOString()},${100 + (hour % 24)}`)].join('\n'); // prettier-ignore
  const chart = () => stateOf<State>(extension.window.panels.at(-1)!).shown?.chart;

  it('costs few requests and little traffic besides its own series', async () => {
    const { person, window } = extension;
    const kept = extension.file('load.csv', hours(15_000));
    person.picks('Another model…').types('chronos-small');
    await extension.run('keepUpToDate', kept);
    window.panels.at(-1)!.says({ type: 'ready' });
    await until(chart, (shown) => shown?.forecast !== undefined);
    service.requests.length = service.sent.bytes = 0;
    writeFileSync(kept.fsPath, hours(15_003));
    window.savedDocument.fire({ uri: kept });
    await until(chart, (shown) => shown?.forecast !== undefined && shown.history.times.length === 15_003);
    assert.equal(service.requests.filter(({ method }) => method === 'POST').length, 1);
    assert.ok(service.requests.length <= 8, `${service.requests.length} requests`);
    assert.ok(service.sent.bytes <= 4e6, `${service.sent.bytes} bytes`);
  });
});
