import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { SIZE } from '../../chart/picture.ts';
import { type Pen, PRINT } from '../../chart/scene.ts';
import { type Contour, type Font, type Glyph, RasterPen } from '../../chart/raster.ts';

/** Of the picture, against the size of its SVG document: legible where an image is made smaller before it is looked at. */
const SCALE = 1.5;

export function pngOf(files: FontFiles, draw: (pen: Pen) => void): Buffer {
  const pen = new RasterPen({ ...SIZE, font: fontOf(files), fontSize: PRINT.fontSize, scale: SCALE });
  draw(pen);
  return encoded(pen);
}

function encoded({ width, height, pixels }: RasterPen): Buffer {
  const length = 4 * width;
  const rows = new Uint8Array((length + 1) * height);
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * length, (y + 1) * length), y * (length + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
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

/** WOFF files (w3.org/TR/WOFF) with TrueType outlines, of which a letter is taken from the first that has it. */
export interface FontFiles {
  readonly regular: readonly Uint8Array[];
  readonly bold: readonly Uint8Array[];
}

/** The glyphs of fonts, as far as the files of Inter need: compressed tables, short offsets, moved parts, format 4. */
function fontOf(files: FontFiles): Font {
  const regular = files.regular.map(glyphsOf);
  const bold = [...files.bold.map(glyphsOf), ...regular];
  return (letter, isBold) => {
    const code = letter.codePointAt(0)!;
    const font = (isBold ? bold : regular).find(({ indexOf }) => indexOf(code) > 0);
    return font?.glyph(font.indexOf(code));
  };
}

function tablesOf(file: Uint8Array): (name: string) => DataView {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const entries = Array.from({ length: view.getUint16(12) }, (_, index) => 44 + 20 * index);
  return (name) => {
    const at = entries.find((entry) => String.fromCharCode(...file.subarray(entry, entry + 4)) === name)!;
    const [offset, packed] = [view.getUint32(at + 4), view.getUint32(at + 8)];
    const table = inflateSync(file.subarray(offset, offset + packed));
    return new DataView(table.buffer, table.byteOffset, table.byteLength);
  };
}

function glyphsOf(file: Uint8Array) {
  const table = tablesOf(file);
  const [loca, glyf, hmtx] = [table('loca'), table('glyf'), table('hmtx')];
  const em = table('head').getUint16(18);
  const measured = table('hhea').getUint16(34);

  const outline = (glyph: number): Contour[] => {
    const [at, end] = [2 * loca.getUint16(2 * glyph), 2 * loca.getUint16(2 * glyph + 2)];
    if (end === at) return [];
    const count = glyf.getInt16(at);
    return count >= 0 ? simple(glyf, at + 10, count) : composite(at + 10);
  };
  const composite = (start: number): Contour[] => {
    const contours: Contour[] = [];
    for (let at = start, flags = COMPOSITE.more; flags & COMPOSITE.more;) {
      flags = glyf.getUint16(at);
      const parts = outline(glyf.getUint16(at + 2));
      const isWide = (flags & COMPOSITE.words) !== 0;
      const move = isWide
        ? [glyf.getInt16(at + 4), glyf.getInt16(at + 6)]
        : [glyf.getInt8(at + 4), glyf.getInt8(at + 5)];
      at += isWide ? 8 : 6;
      contours.push(...parts.map((part) => part.map((value, index) => value + move[index % 2]!)));
    }
    return contours;
  };
  return {
    indexOf: indexIn(table('cmap')),
    glyph: (glyph: number): Glyph => ({
      advance: hmtx.getUint16(4 * Math.min(glyph, measured - 1)) / em,
      contours: outline(glyph).map((contour) => contour.map((value, index) => (index % 2 === 0 ? value : -value) / em)),
    }),
  };
}

const COMPOSITE = { words: 0x1, more: 0x20 };
const POINT = { onCurve: 0x1, shortX: 0x2, shortY: 0x4, repeat: 0x8, sameX: 0x10, sameY: 0x20 };

function simple(glyf: DataView, at: number, count: number): Contour[] {
  const ends = Array.from({ length: count }, (_, index) => glyf.getUint16(at + 2 * index));
  at += 2 * count;
  at += 2 + glyf.getUint16(at);
  const length = (ends.at(-1) ?? -1) + 1;
  const flags: number[] = [];
  while (flags.length < length) {
    const flag = glyf.getUint8(at++);
    const times = flag & POINT.repeat ? glyf.getUint8(at++) : 0;
    flags.push(...Array<number>(times + 1).fill(flag));
  }
  const coordinates = (short: number, same: number): number[] => {
    let value = 0;
    return flags.map((flag) => {
      if (flag & short) value += (flag & same ? 1 : -1) * glyf.getUint8(at++);
      else if (!(flag & same)) value += glyf.getInt16((at += 2) - 2);
      return value;
    });
  };
  const xs = coordinates(POINT.shortX, POINT.sameX);
  const ys = coordinates(POINT.shortY, POINT.sameY);
  const points = flags.map((flag, index) => ({ x: xs[index]!, y: ys[index]!, isOn: (flag & POINT.onCurve) !== 0 }));
  return ends.map((end, index) => flattened(points.slice(index === 0 ? 0 : ends[index - 1]! + 1, end + 1)));
}

const PIECES = 5;

/** Quadratic curves as lines; between two points off the curve lies one on it. */
function flattened(points: readonly { readonly x: number; readonly y: number; readonly isOn: boolean }[]): Contour {
  const onCurve = (point: (typeof points)[number], next: typeof point) =>
    next.isOn ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
  return points.flatMap((point, index) => {
    if (point.isOn) return [point.x, point.y];
    const before = points.at(index - 1)!;
    const from = onCurve(point, before);
    const to = onCurve(point, points[(index + 1) % points.length]!);
    const pieces = Array.from({ length: PIECES }, (_, piece) => piece / PIECES).slice(before.isOn ? 1 : 0);
    return pieces.flatMap((t) => {
      const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t * t];
      return [a * from.x + b * point.x + c * to.x, a * from.y + b * point.y + c * to.y];
    });
  });
}

function indexIn(cmap: DataView): (code: number) => number {
  const start = cmap.getUint32(8);
  const bytes = cmap.getUint16(start + 6);
  return (code) => {
    for (let at = start + 14; at < start + 14 + bytes; at += 2) {
      if (code > cmap.getUint16(at)) continue;
      const [first, shift, rangeAt] = [at + bytes + 2, at + 2 * bytes + 2, at + 3 * bytes + 2];
      if (code < cmap.getUint16(first)) return 0;
      const range = cmap.getUint16(rangeAt);
      const index = range === 0 ? code : cmap.getUint16(rangeAt + range + 2 * (code - cmap.getUint16(first)));
      return index === 0 ? 0 : (index + cmap.getInt16(shift)) & 0xffff;
    }
    return 0;
  };
}
