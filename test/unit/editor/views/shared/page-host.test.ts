import assert from 'node:assert/strict';
import { URI } from 'vscode-uri';
import * as z from 'zod/mini';
import type { App } from '../../../../../src/editor/app.ts';
import { type Owner, Page, PageHost } from '../../../../../src/editor/views/shared/page-host.ts';
import type { Handlers } from '../../../../../src/editor/views/shared/protocol.ts';
import type { WebviewPanel } from '../../workbench/webview-panel.ts';
import { log, restoredPanel, settled, useWindow } from '../panels.ts';

const Ref = z.object({ id: z.string() });
const Intent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('count'), by: z.number() }),
  z.object({ type: z.literal('name'), name: z.string() }),
]);
type Intent = z.infer<typeof Intent>;
interface State {
  readonly ref: z.infer<typeof Ref>;
  readonly title: string;
  readonly count: number;
  readonly rows: readonly number[];
}

/** A page that counts. */
class Counter extends Page<State, Intent> {
  isDisposed = false;

  constructor(owner: Owner, ref: State['ref']) {
    super(owner, { ref, title: `Counter ${ref.id}`, count: 0, rows: [1, 2, 3] });
  }

  readonly intents: Handlers<Intent> = {
    count: ({ by }) => {
      this.set({ count: this.state.count + by });
    },
    name: ({ name }) => {
      this.set({ title: name });
    },
  };

  /** @returns what each run of work has come to, once it is known */
  work(name: string, turns: readonly Promise<unknown>[]): string[] {
    const done = turns.map(() => 'aborted');
    for (const [at, turn] of turns.entries()) {
      const run = async (signal: AbortSignal) => {
        await turn;
        if (!signal.aborted) done[at] = 'done';
      };
      void this.latest(name, run, () => (done[at] = 'failed'));
    }
    return done;
  }

  /** @returns whether what is kept has ended */
  keeps(name: string): () => boolean {
    let isEnded = false;
    this.keep(name, { dispose: () => (isEnded = true) });
    return () => isEnded;
  }

  override dispose(): void {
    super.dispose();
    this.isDisposed = true;
  }
}

describe('page host', () => {
  const window = useWindow();

  function hosted() {
    const app = { extensionUri: URI.file('/extension'), log: log() } as unknown as App;
    const host = new PageHost<State['ref'], Intent, undefined, Counter>(
      {
        viewType: 'test.counter',
        bundle: 'reading',
        ref: Ref,
        intent: Intent,
        keyOf: ({ id }: State['ref']) => id,
        page: Counter,
      },
      () => app,
    );
    return host;
  }
  const intent = (panel: WebviewPanel, wanted: unknown) => {
    panel.says({ type: 'intent', intent: wanted });
  };

  it('uses the panel that was opened ahead of a page, and closes unused ones', async () => {
    const host = hosted();
    const [one, other, closed] = ['One', 'Other', 'Closed'].map((title) => host.ahead(title));
    const [panel] = window().panels;
    panel.says({ type: 'ready' });
    const page = host.open({ id: 'a' }, undefined, { ahead: one });
    assert.deepEqual(panel.posted, [{ type: 'state', parts: page.state }]);
    window().panels[2].dispose();
    host.open({ id: 'b' }, undefined, { ahead: closed });
    for (const ahead of [one, other, closed]) ahead.dispose();
    const open = window().panels.filter(({ isDisposed }) => !isDisposed);
    assert.deepEqual(open.map(({ title }) => title), ['Counter a', 'Counter b']); // prettier-ignore
    await settled();
  });

  it('uses only the latest work of a name, and ignores failures of former work', async () => {
    const page = hosted().open({ id: 'a' });
    const done = page.work('load', [Promise.resolve(), Promise.reject(new Error('late')), Promise.resolve()]);
    const failed = page.work('other', [Promise.reject(new Error('away'))]);
    await settled();
    assert.deepEqual([done, failed], [['aborted', 'aborted', 'done'], ['failed']]);
    assert.match(window().log.join(), /^[^,]*Counter a, other: Error: away$/);
    window().panels[0].dispose();
    assert.deepEqual(page.work('load', [Promise.resolve()]), ['aborted'], 'a closed page begins nothing');
    await settled();
  });

  it('disposes of what a page keeps with the next of its name or with the page', () => {
    const page = hosted().open({ id: 'a' });
    const [first, second] = [page.keeps('file'), page.keeps('file')];
    assert.deepEqual([first(), second()], [true, false]);
    window().panels[0].dispose();
    assert.deepEqual([second(), page.keeps('file')()], [true, true]);
  });

  it('sends the whole state to a ready page, and then only changed parts', async () => {
    const page = hosted().open({ id: 'a' });
    const [panel] = window().panels;
    assert.equal(panel.title, 'Counter a');
    page.intents.count({ type: 'count', by: 1 });
    await settled();
    assert.deepEqual(panel.posted, [], 'nobody is there to hear it');
    panel.says({ type: 'ready' });
    assert.deepEqual(panel.posted, [{ type: 'state', parts: page.state }]);
    intent(panel, { type: 'count', by: 2 });
    intent(panel, { type: 'count', by: 3 });
    await settled();
    assert.deepEqual(panel.posted.slice(1), [{ type: 'state', parts: { count: 6 } }], 'both changes at once');
    intent(panel, { type: 'name', name: 'Six' });
    await settled();
    assert.equal(panel.title, 'Six');
  });

  it('sends the whole state again to a page that was hidden', () => {
    const page = hosted().open({ id: 'a' });
    const [panel] = window().panels;
    panel.says({ type: 'ready' });
    panel.says({ type: 'ready' });
    assert.deepEqual(panel.posted, [
      { type: 'state', parts: page.state },
      { type: 'state', parts: page.state },
    ]);
  });

  it('reveals the page of a ref instead of opening another', () => {
    const host = hosted();
    const first = host.open({ id: 'a' });
    assert.notEqual(host.open({ id: 'b' }), first);
    assert.equal(host.open({ id: 'a' }), first);
    assert.equal(host.find({ id: 'a' }), first);
    assert.equal(window().panels.length, 2);
    assert.equal(host.close({ id: 'a' }), true);
    assert.deepEqual([first.isDisposed, host.find({ id: 'a' }), host.close({ id: 'a' })], [true, undefined, false]);
  });

  it('restores a page after a window reload, and closes one whose state is unreadable', async () => {
    const host = hosted();
    const { panel, webview } = restoredPanel('test.counter');
    await host.deserializeWebviewPanel(webview, { ref: { id: 'kept' } });
    assert.equal(panel.title, 'Counter kept');
    assert.equal(host.pages.length, 1);
    for (const kept of [undefined, null, {}, { ref: { id: 7 } }, 'kept']) {
      const other = restoredPanel('test.counter');
      await host.deserializeWebviewPanel(other.webview, kept);
      assert.equal(other.panel.isDisposed, true);
    }
    assert.equal(host.pages.length, 1);
  });

  it('restores no second page if the first was opened before its tab was visible', async () => {
    const host = hosted();
    const page = host.open({ id: 'a' });
    window().panels[0].visible = false;
    const { panel, webview } = restoredPanel('test.counter');
    await host.deserializeWebviewPanel(webview, { ref: { id: 'a' } });
    assert.deepEqual([panel.isDisposed, window().panels[0].visible, host.find({ id: 'a' })], [true, true, page]);
  });

  it('ignores unknown intents, and logs problems of the page', async () => {
    const page = hosted().open({ id: 'a' });
    const [panel] = window().panels;
    panel.says({ type: 'ready' });
    const wrong = [{ type: 'count', by: 'one' }, { type: 'constructor' }, { type: 'count' }, null, 7];
    for (const one of wrong) intent(panel, one);
    for (const one of [undefined, null, 'ready', { type: 'other' }]) panel.says(one);
    await settled();
    assert.equal(page.state.count, 0);
    panel.says({ type: 'problem', message: 'x is not a function' });
    assert.ok(window().log.some((line) => line.includes('test.counter: x is not a function')));
  });

  it('sends nothing to a closed page', async () => {
    const page = hosted().open({ id: 'a' });
    const [panel] = window().panels;
    panel.says({ type: 'ready' });
    page.intents.count({ type: 'count', by: 1 });
    panel.dispose();
    await settled();
    assert.equal(panel.posted.length, 1);
    assert.deepEqual(window().log, []);
  });
});
