import assert from 'node:assert/strict';
import { SIZE } from '../../../../src/chart/picture.ts';
import type { WebviewMessage } from '../../../../src/editor/views/chart/protocol.ts';
import { createPictures } from '../../../../src/webview/chart/pictures.ts';
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

  function make(svg: string | undefined = SVG) {
    const posted: WebviewMessage[] = [];
    const tried: boolean[] = [];
    const pictures = createPictures(() => svg, (message) => posted.push(message), (isCopied) => tried.push(isCopied)); // prettier-ignore
    return { pictures, posted, tried };
  }

  it('is saved as SVG as it is', async () => {
    const { pictures, posted } = make();
    pictures.save('svg');
    await settled();
    const [message] = posted;
    assert.ok(message?.type === 'export' && message.kind === 'svg');
    assert.equal(new TextDecoder().decode(message.data), SVG);
    assert.deepEqual(drawn, []);
  });

  it('is saved as PNG at twice its size, and leaves nothing behind', async () => {
    const { pictures, posted } = make();
    pictures.save('png');
    await settled();
    await settled();
    assert.deepEqual(posted.map((message) => message.type === 'export' && [message.kind, 'data' in message && [...message.data]]), [['png', [137, 80]]]); // prettier-ignore
    assert.deepEqual(drawn, [[2 * SIZE.width, 2 * SIZE.height, 'image/png']]);
    assert.deepEqual(urls, ['made image/svg+xml', 'gone blob:1']);
  });

  it('is copied, and its panel told so', async () => {
    const { pictures, posted, tried } = make();
    pictures.copy();
    await settled();
    await settled();
    assert.deepEqual([copied, posted, tried], [[[137, 80]], [{ type: 'copied' }], [true]]);
  });

  it('that an editor does not let be copied is offered as a file', async () => {
    give('navigator', { clipboard: { write: () => Promise.reject(new Error('NotAllowedError')) } });
    const { pictures, posted, tried } = make();
    pictures.copy();
    await settled();
    assert.deepEqual(tried, [false]);
    assert.match(JSON.stringify(posted), /was not copied: Error: NotAllowedError/);
  });

  it('that cannot be drawn is told to the log', async () => {
    Object.assign(globalThis, { URL: { createObjectURL: () => 'blob:broken', revokeObjectURL: (url: string) => urls.push(`gone ${url}`) } }); // prettier-ignore
    const { pictures, posted } = make();
    pictures.save('png');
    await settled();
    assert.deepEqual(posted, [{ type: 'problem', message: 'The picture could not be drawn: Error: no picture' }]);
    assert.deepEqual(urls, ['gone blob:broken'], 'what was made for it is given back');
    Object.assign(browser.window.HTMLCanvasElement.prototype, { toBlob: (take: (blob: null) => void) => { take(null); } }); // prettier-ignore
    Object.assign(globalThis, { URL: { createObjectURL: () => 'blob:1', revokeObjectURL: () => undefined } });
    pictures.save('png');
    await settled();
    assert.match(JSON.stringify(posted.at(-1)), /made no PNG/);
  });

  it('is none while there is no chart', async () => {
    const posted: WebviewMessage[] = [];
    const pictures = createPictures(() => undefined, (message) => posted.push(message), () => assert.fail()); // prettier-ignore
    pictures.save('png');
    pictures.save('svg');
    pictures.copy();
    await settled();
    assert.deepEqual(posted, []);
  });
});
