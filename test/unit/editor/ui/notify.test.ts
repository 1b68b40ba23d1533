import assert from 'node:assert/strict';
import { ServiceError } from '../../../../src/client/errors.ts';
import type { JobWatcher } from '../../../../src/client/poller.ts';
import type { LocalFineTunedModel, LocalPrediction } from '../../../../src/contract/resources.ts';
import { VIEWS } from '../../../../src/editor/names.ts';
import { awaited as awaitedJobs, resumeNotifications, notifyWhenDone } from '../../../../src/editor/ui/notify.ts';
import { Extension } from '../extension.ts';
import { until } from '../until.ts';
import type { TreeView } from '../workbench/tree-view.ts';

describe('notification of a finished job', () => {
  const extension = new Extension();
  const watchers = new Map<string, JobWatcher<LocalPrediction & LocalFineTunedModel>>();
  before(() => {
    const { predictions, models } = extension.app.connection.session('local')!;
    for (const poller of [predictions, models]) {
      poller.watch = ((id: string, watcher: JobWatcher<LocalPrediction & LocalFineTunedModel>) => {
        watchers.set(id, watcher);
        return () => watchers.delete(id);
      }) as unknown as typeof predictions.watch & typeof models.watch;
    }
  });
  beforeEach(() => {
    watchers.clear();
    extension.window.panels.length = 0;
  });

  const job = (kind: 'prediction' | 'model', id: string, label: string) => ({ serviceId: 'local', kind, id, label });
  const ends = (id: string, status: string, error?: string) => {
    watchers.get(id)?.onChange({ id, status, error } as unknown as LocalPrediction & LocalFineTunedModel);
  };
  const awaited = () => awaitedJobs(extension.app).map(({ id }) => id);
  const read = () =>
    until(() => extension.person.read, ({ length }) => length > 0); // prettier-ignore

  it('is omitted for a job that was finished when created', () => {
    notifyWhenDone(extension.app, job('prediction', 'p0', 'sales.csv'), 'COMPLETED');
    assert.deepEqual([awaited(), watchers.size], [[], 0]);
  });

  it('of a forecast is shown once, with its chart', async () => {
    const { app, person, window } = extension;
    notifyWhenDone(app, job('prediction', 'p1', 'sales.csv'), 'QUEUED');
    await until(awaited, (ids) => ids.includes('p1'));
    ends('p1', 'IN_PROGRESS');
    assert.deepEqual(person.read, [], 'while it runs there is nothing to tell');
    person.presses('Open Chart');
    ends('p1', 'COMPLETED');
    const [{ kind, text }] = await read();
    assert.deepEqual([kind, text], ['info', 'The forecast of sales.csv is ready.']);
    await until(() => window.panels.length, (count) => count === 1); // prettier-ignore
    await until(awaited, (ids) => ids.length === 0);
  });

  it('is omitted if the chart is visible', async () => {
    const { app, person } = extension;
    app.panels.open({ serviceId: 'local', predictionId: 'p2' });
    notifyWhenDone(app, job('prediction', 'p2', 'sales.csv'), 'QUEUED');
    ends('p2', 'COMPLETED');
    await until(awaited, (ids) => ids.length === 0);
    assert.deepEqual(person.read, []);
  });

  it('of a failure gives the reason and where to read more', async () => {
    const { app, person } = extension;
    const shown: unknown[] = [];
    const { executeCommand } = extension.window.commands;
    notifyWhenDone(app, job('prediction', 'p3', 'sales.csv'), 'QUEUED');
    person.presses('Show Log');
    extension.window.commands.executeCommand = (command, ...args) => {
      shown.push(command);
      return executeCommand(command, ...args);
    };
    try {
      ends('p3', 'FAILED', 'The series has no observed value.');
      const [{ kind, text }] = await read();
      assert.deepEqual([kind, text], ['warning', 'The forecast of sales.csv ended: The series has no observed value.']);
      await until(() => shown, (commands) => commands.includes('forecasts.showLog')); // prettier-ignore
    } finally {
      extension.window.commands.executeCommand = executeCommand;
    }
  });

  it('of a training describes its use, unless the view shows it', async () => {
    const { app, person } = extension;
    const view = app.trees.get(VIEWS.models)!.view as unknown as TreeView;
    notifyWhenDone(app, job('model', 'm1', 'Retail'), 'QUEUED');
    ends('m1', 'COMPLETED');
    const [{ text, buttons }] = await read();
    assert.deepEqual([text, buttons], ['Retail is trained.', ['Forecast with this Model']]);
    view.see(true);
    notifyWhenDone(app, job('model', 'm2', 'Wholesale'), 'QUEUED');
    ends('m2', 'COMPLETED');
    await until(awaited, (ids) => ids.length === 0);
    assert.equal(person.read.length, 1);
    notifyWhenDone(app, job('model', 'm3', 'Kiosks'), 'IN_PROGRESS');
    ends('m3', 'FAILED', 'Too short.');
    await until(() => person.texts.at(-1), (last) => last === 'The training of Kiosks ended: Too short.'); // prettier-ignore
    view.see(false);
  });

  it('is shown after a reload of the window, and once only', async () => {
    const { app, person } = extension;
    await app.state.update('forecasts.awaited', [job('model', 'm4', 'Retail')]);
    resumeNotifications(app);
    ends('m4', 'COMPLETED');
    await read();
    await until(awaited, (ids) => ids.length === 0);
    watchers.clear();
    resumeNotifications(app);
    assert.equal(watchers.size, 0);
    assert.equal(person.read.length, 1);
  });

  it('is abandoned if the job or its service is gone, not if unreachable', async () => {
    const { app, person } = extension;
    notifyWhenDone(app, job('prediction', 'p5', 'a.csv'), 'QUEUED');
    await until(awaited, (ids) => ids.includes('p5'));
    watchers.get('p5')?.onProblem?.(new ServiceError('unreachable', 'away'));
    assert.deepEqual(awaited(), ['p5']);
    watchers.get('p5')?.onProblem?.(new ServiceError('not-found', 'gone'));
    await until(awaited, (ids) => ids.length === 0);
    notifyWhenDone(app, { ...job('prediction', 'p6', 'b.csv'), serviceId: 'https://removed.example/' }, 'QUEUED');
    await until(awaited, (ids) => ids.length === 0);
    assert.deepEqual(person.read, []);
  });
});
