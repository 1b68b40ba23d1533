import { crc32, deflateSync } from 'node:zlib';
import { SIZE } from '../../chart/picture.ts';
import { type Pen, PRINT } from '../../chart/pen.ts';
import { RasterPen } from '../../chart/raster.ts';
import { fontOf } from './font.ts';

/** Of the picture, against the size of its SVG document: legible where an image is made smaller before it is looked at. */
const SCALE = 1.5;

/** Makes PNG files of pictures. @param load reads the fonts, with the first picture */
export function pngMaker(
  load: () => Promise<Parameters<typeof fontOf>[0]>,
): (draw: (pen: Pen) => void) => Promise<Uint8Array> {
  let font: ReturnType<typeof fontOf> | undefined;
  return async (draw) => {
    font ??= fontOf(await load());
    const pen = new RasterPen({ ...SIZE, font, fontSize: PRINT.fontSize, scale: SCALE });
    draw(pen);
    return pngOf(pen);
  };
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** 8 bits a channel, red, green, blue and alpha, in one pass. */
const FORMAT = [8, 6, 0, 0, 0];

/** A PNG file (ISO/IEC 15948). */
function pngOf({ width, height, pixels }: RasterPen): Uint8Array {
  const length = 4 * width;
  const rows = new Uint8Array((length + 1) * height);
  // each row follows a 0, which says that it is not filtered
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * length, (y + 1) * length), y * (length + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(FORMAT, 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
}
