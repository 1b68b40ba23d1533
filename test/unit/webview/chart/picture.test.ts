import assert from 'node:assert/strict';
import { SIZE } from '../../../../src/chart/picture.ts';
import type { ImageExport, SentIntent } from '../../../../src/editor/views/chart/protocol.ts';
import { copyPicture, savePicture } from '../../../../src/webview/chart/picture.ts';
import { settled, useBrowser } from '../browser.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';

describe('a chart as a picture', () => {
  const browser = useBrowser();
  const before = new Map<string, PropertyDescriptor | undefined>();
  let drawn: unknown[][];
  let copied: unknown[];
  let urls: string[];

  /** What a browser has for pictures; jsdom reads and writes none. */
  function give(name: string, value: unknown) {
    if (!before.has(name)) before.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  beforeEach(() => {
    drawn = [];
    copied = [];
    urls = [];
    class Picture {
      src = '';
      decode = () => (this.src === 'blob:broken' ? Promise.reject(new Error('no picture')) : Promise.resolve());
    }
    give('Image', Picture);
    give('URL', { createObjectURL: (blob: Blob) => { urls.push(`made ${blob.type}`); return 'blob:1'; }, revokeObjectURL: (url: string) => urls.push(`gone ${url}`) }); // prettier-ignore
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
    Object.assign(browser.window.HTMLCanvasElement.prototype, {
      toBlob(this: HTMLCanvasElement, take: (blob: Blob | null) => void, type: string) {
        drawn.push([this.width, this.height, type]);
        take(this.width === 0 ? null : new Blob([Uint8Array.of(137, 80)], { type }));
      },
    });
  });
  after(() => {
    for (const [name, property] of before) if (property) Object.defineProperty(globalThis, name, property);
      else Reflect.deleteProperty(globalThis, name); // prettier-ignore
  });

  function make() {
    const sent: SentIntent[] = [];
    const problems: string[] = [];
    const told = { send: (intent: SentIntent) => sent.push(intent), log: { error: (message: string) => problems.push(message) } }; // prettier-ignore
    const save = async (kind: ImageExport) => {
      savePicture(SVG, kind, told);
      await settled();
      await settled();
    };
    return { save, copy: () => copyPicture(SVG, told), sent, problems };
  }

  it('is saved as SVG as it is', async () => {
    const { save, sent } = make();
    await save('svg');
    const [intent] = sent;
    assert.ok(intent?.type === 'picture' && intent.kind === 'svg');
    assert.equal(new TextDecoder().decode(intent.data), SVG);
    assert.deepEqual(drawn, []);
  });

  it('is saved as PNG at twice its size, and leaves nothing behind', async () => {
    const { save, sent } = make();
    await save('png');
    assert.deepEqual(sent.map((intent) => intent.type === 'picture' && [intent.kind, [...intent.data]]), [['png', [137, 80]]]); // prettier-ignore
    assert.deepEqual(drawn, [[2 * SIZE.width, 2 * SIZE.height, 'image/png']]);
    assert.deepEqual(urls, ['made image/svg+xml', 'gone blob:1']);
  });

  it('is copied, and its panel told so', async () => {
    const { copy, sent } = make();
    assert.equal(await copy(), true);
    assert.deepEqual([copied, sent], [[[137, 80]], [{ type: 'copied' }]]);
  });

  it('that an editor does not let be copied is told to the log', async () => {
    give('navigator', { clipboard: { write: () => Promise.reject(new Error('NotAllowedError')) } });
    const { copy, problems } = make();
    assert.equal(await copy(), false);
    assert.match(problems.join(), /was not copied: Error: NotAllowedError/);
  });

  it('that cannot be drawn is told to the log', async () => {
    Object.assign(globalThis, { URL: { createObjectURL: () => 'blob:broken', revokeObjectURL: (url: string) => urls.push(`gone ${url}`) } }); // prettier-ignore
    const { save, problems } = make();
    await save('png');
    assert.deepEqual(problems, ['The picture could not be drawn: Error: no picture']);
    assert.deepEqual(urls, ['gone blob:broken'], 'what was made for it is given back');
    Object.assign(browser.window.HTMLCanvasElement.prototype, { toBlob: (take: (blob: null) => void) => { take(null); } }); // prettier-ignore
    Object.assign(globalThis, { URL: { createObjectURL: () => 'blob:1', revokeObjectURL: () => undefined } });
    await save('png');
    assert.match(problems.at(-1) ?? '', /made no PNG/);
  });
});
