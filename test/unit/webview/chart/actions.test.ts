import assert from 'node:assert/strict';
import { SIZE } from '../../../../src/chart/picture.ts';
import { bytesOf, copyPicture } from '../../../../src/webview/chart/actions.ts';
import { useBrowser } from '../browser.ts';

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

  it('is saved as SVG as it is', async () => {
    assert.equal(new TextDecoder().decode(await bytesOf(SVG, 'svg')), SVG);
    assert.deepEqual(drawn, []);
  });

  it('is saved as PNG at twice its size, and leaves nothing behind', async () => {
    assert.deepEqual([...(await bytesOf(SVG, 'png'))], [137, 80]);
    assert.deepEqual(drawn, [[2 * SIZE.width, 2 * SIZE.height, 'image/png']]);
    assert.deepEqual(urls, ['made image/svg+xml', 'gone blob:1']);
  });

  it('is copied, unless the editor does not let it be', async () => {
    await copyPicture(SVG);
    assert.deepEqual(copied, [[137, 80]]);
    give('navigator', { clipboard: { write: () => Promise.reject(new Error('NotAllowedError')) } });
    await assert.rejects(copyPicture(SVG), /NotAllowedError/);
  });

  it('that cannot be drawn leaves nothing behind either', async () => {
    Object.assign(globalThis, { URL: { createObjectURL: () => 'blob:broken', revokeObjectURL: (url: string) => urls.push(`gone ${url}`) } }); // prettier-ignore
    await assert.rejects(bytesOf(SVG, 'png'), /no picture/);
    assert.deepEqual(urls, ['gone blob:broken']);
    Object.assign(browser.window.HTMLCanvasElement.prototype, { toBlob: (take: (blob: null) => void) => { take(null); } }); // prettier-ignore
    Object.assign(globalThis, { URL: { createObjectURL: () => 'blob:1', revokeObjectURL: () => undefined } });
    await assert.rejects(bytesOf(SVG, 'png'), /made no PNG/);
  });
});
