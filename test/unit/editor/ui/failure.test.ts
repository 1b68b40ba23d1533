import assert from 'node:assert/strict';
import { AddressError } from '../../../../src/client/address.ts';
import { ServiceError, type ServiceErrorKind } from '../../../../src/client/errors.ts';
import type { App } from '../../../../src/editor/app.ts';
import { Cancelled, inBackground, showFailure, showFileFailure, withProgress } from '../../../../src/editor/ui/say.ts';
import { SeriesError } from '../../../../src/reading/types.ts';
import { Uri } from '../workbench/values.ts';
import { now } from '../workbench/vscode.ts';
import { Window } from '../workbench/window.ts';

describe('failure message', () => {
  let app: Pick<App, 'log'>;
  beforeEach(() => {
    now.window = new Window();
    app = { log: now.window.window.createOutputChannel() as unknown as App['log'] };
  });
  afterEach(() => {
    now.window.person.verify();
  });
  const shown = () => now.window.person.read;
  const fail = (error: unknown) => showFailure(app as App, error);

  it('is omitted after a cancel', async () => {
    await fail(new Cancelled());
    await fail(new DOMException('gone', 'AbortError'));
    assert.deepEqual(shown(), []);
  });

  it('is one sentence with fitting actions', async () => {
    const ways = async (kind: ServiceErrorKind) => {
      await fail(new ServiceError(kind, `It is ${kind}.`));
      return shown().at(-1)!.buttons.join(', ');
    };
    assert.match(await ways('unauthorized'), /Set Token/);
    assert.match(await ways('unreachable'), /Switch Service/);
    assert.match(await ways('unavailable'), /Show Log/);
    assert.equal(await ways('refused'), '');
    await fail(new AddressError('Not an address.'));
    assert.match(shown().at(-1)!.buttons.join(), /Switch Service,Open Settings/);
    assert.equal(shown().at(-1)!.text, 'Not an address.');
  });

  it('hides a defect, which goes to the log with its stack', async () => {
    await fail(new TypeError('x is undefined'));
    assert.doesNotMatch(shown()[0].text, /undefined/);
    assert.match(now.window.log.join('\n'), /TypeError: x is undefined\n\s+at /);
  });

  it('makes no links from text of a service', async () => {
    await fail(new ServiceError('refused', '[here](command:forecasts.signOut)'));
    assert.doesNotMatch(shown()[0].text, /\]\(/);
  });

  it('of a file leads to its line', async () => {
    const uri = Uri.file('/data/x.csv');
    now.window.person.presses('Show Line');
    await showFileFailure(app as App, uri, new SeriesError('not-a-number', 'Line 7 is odd.', { line: 7, column: 3 }));
    const [{ command, args }] = now.window.executed;
    const [, { selection }] = args as [unknown, { selection: { start: { line: number; character: number } } }];
    assert.deepEqual([command, selection.start.line, selection.start.character], ['vscode.open', 6, 2]);
  });

  it('of background work goes to the log', async () => {
    inBackground(app.log, Promise.reject(new Error('lost')));
    inBackground(app.log, undefined);
    await new Promise((resolve) => setImmediate(resolve));
    assert.match(now.window.log.join(), /lost/);
  });

  it('of awaited work is thrown, and cancelling it is a cancel', async () => {
    await assert.rejects(
      withProgress('Work', () => Promise.reject(new ServiceError('failed', 'No.'))),
      /No\./,
    );
    assert.equal(now.window.progresses.length, 0);
    now.window.onProgress = (progress) => {
      progress.cancel();
    };
    const work = withProgress('Long work', ({ signal, report }) => {
      report('too early to be seen');
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error);
        });
      });
    });
    await assert.rejects(work, Cancelled);
    assert.deepEqual(
      now.window.progresses.map(({ title }) => title),
      ['Long work'],
    );
  });
});
