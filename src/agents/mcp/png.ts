import { initWasm, Resvg } from '@resvg/resvg-wasm';

/** What pictures are drawn with: the library compiled to WebAssembly, and fonts as WOFF2. */
export interface DrawingParts {
  readonly wasm: Uint8Array<ArrayBuffer>;
  readonly fonts: readonly Uint8Array[];
}

/** Of the picture, against the size of its SVG document: legible where an image is made smaller before it is looked at. */
const SCALE = 1.5;

/** Makes PNG files of SVG documents. What is needed for it is loaded with the first one; the library can be set up once in a process. */
export function pngMaker(load: () => Promise<DrawingParts>): (svg: string) => Promise<Uint8Array> {
  let ready: Promise<readonly Uint8Array[]> | undefined;
  const setUp = async () => {
    const { wasm, fonts } = await load();
    await initWasm(wasm);
    return fonts;
  };
  return async (svg) => {
    ready ??= setUp().catch((error: unknown) => {
      // the next picture tries again: a file that could not be read may be there then
      ready = undefined;
      throw error;
    });
    const fonts = await ready;
    const picture = new Resvg(svg, {
      fitTo: { mode: 'zoom', value: SCALE },
      font: { fontBuffers: [...fonts], defaultFontFamily: 'Inter', sansSerifFamily: 'Inter' },
    });
    try {
      return picture.render().asPng();
    } finally {
      picture.free();
    }
  };
}
