import assert from 'node:assert/strict';
import { signal } from '@preact/signals';
import { frameOf } from '../../../../src/chart/frame.ts';
import { SIZE } from '../../../../src/chart/picture.ts';
import type { SentIntent } from '../../../../src/editor/views/chart/protocol.ts';
import { actionsOf, type Picture } from '../../../../src/webview/chart/page.tsx';
import { monthly } from '../../chart/charts.ts';
import { Pen, settled, useBrowser } from '../browser.ts';

const frame = frameOf(monthly);
const PICTURE: Picture = [monthly, { frame, range: frame.bounds.whole }];

describe('picture of a chart', () => {
  useBrowser();
  const before = new Map<string, PropertyDescriptor | undefined>();
  let drawn: unknown[][];
  let copied: unknown[];
  let sent: SentIntent[];
  let problems: string[];

  /** What a browser has for pictures; jsdom reads and writes none. */
  function give(name: string, value: unknown) {
    if (!before.has(name)) before.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  beforeEach(() => {
    drawn = [];
    copied = [];
    sent = [];
    problems = [];
    class Copied {
      readonly data: Record<string, Promise<Blob>>;
      constructor(data: Record<string, Promise<Blob>>) {
        this.data = data;
      }
    }
    give('ClipboardItem', Copied);
    give('navigator', {
      clipboard: {
        write: async (items: { data: Record<string, Promise<Blob>> }[]) => {
          copied.push([...new Uint8Array(await (await items[0]!.data['image/png']!).arrayBuffer())]);
        },
      },
    });
    class Canvas {
      readonly size: readonly number[];
      constructor(...size: readonly number[]) {
        this.size = size;
      }
      getContext = () => new Pen(document.createElement('canvas')).context;
      convertToBlob = () => {
        drawn.push([...this.size]);
        return Promise.resolve(new Blob([Uint8Array.of(137, 80)]));
      };
    }
    give('OffscreenCanvas', Canvas);
  });
  after(() => {
    for (const [name, property] of before) if (property) Object.defineProperty(globalThis, name, property);
      else Reflect.deleteProperty(globalThis, name); // prettier-ignore
  });

  const actions = () => {
    const log = { error: (message: string) => problems.push(message) };
    return actionsOf({ send: (intent) => sent.push(intent), log }, () => PICTURE, signal(undefined));
  };
  const saved = async (kind: 'png' | 'svg') => {
    actions().save(kind);
    await settled();
    const [intent] = sent;
    return intent?.type === 'picture' ? Buffer.from(intent.data) : undefined;
  };

  it('is saved as SVG', async () => {
    assert.match(String(await saved('svg')), /^<svg/);
    assert.deepEqual(drawn, []);
  });

  it('is saved as PNG at twice its size', async () => {
    assert.deepEqual([...((await saved('png')) ?? [])], [137, 80]);
    assert.deepEqual(drawn, [[2 * SIZE.width, 2 * SIZE.height]]);
  });

  it('is copied unless the editor forbids it', async () => {
    await actions().copy();
    assert.deepEqual([copied, sent], [[[137, 80]], [{ type: 'copied' }]]);
    give('navigator', { clipboard: { write: () => Promise.reject(new Error('NotAllowedError')) } });
    await actions().copy();
    assert.match(problems.join(), /NotAllowedError/);
  });

  it('reports a problem if it cannot be drawn', async () => {
    give('OffscreenCanvas', undefined);
    assert.equal(await saved('png'), undefined);
    assert.match(problems.join(), /could not be drawn/);
  });
});
