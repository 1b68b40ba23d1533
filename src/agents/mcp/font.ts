import { inflateSync } from 'node:zlib';
import type { Contour, Font, Glyph } from '../../chart/raster.ts';

/** The pieces that a curve of a glyph is drawn with. */
const PIECES = 5;

/** Glyphs of several fonts, each the first that has a letter. @param files as WOFF (w3.org/TR/WOFF), with TrueType outlines */
export function fontOf(files: { readonly regular: readonly Uint8Array[]; readonly bold: readonly Uint8Array[] }): Font {
  const regular = files.regular.map(glyphsOf);
  const bold = [...files.bold.map(glyphsOf), ...regular];
  const known = [new Map<string, Glyph | undefined>(), new Map<string, Glyph | undefined>()];
  return (letter, isBold) => {
    const found = known[Number(isBold)]!;
    if (!found.has(letter)) {
      const code = letter.codePointAt(0)!;
      const font = (isBold ? bold : regular).find(({ indexOf }) => indexOf(code) > 0);
      found.set(letter, font?.glyph(font.indexOf(code)));
    }
    return found.get(letter);
  };
}

/** The tables of a WOFF file by their names. */
function tablesOf(file: Uint8Array): (name: string) => DataView {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const tables = new Map<string, DataView>();
  for (let index = 0; index < view.getUint16(12); index++) {
    const at = 44 + 20 * index;
    const [offset, packed, length] = [4, 8, 12].map((field) => view.getUint32(at + field)) as [number, number, number];
    const bytes = file.subarray(offset, offset + packed);
    const table = packed < length ? inflateSync(bytes) : bytes;
    const name = String.fromCharCode(...file.subarray(at, at + 4));
    tables.set(name, new DataView(table.buffer, table.byteOffset, table.byteLength));
  }
  return (name) => {
    const table = tables.get(name);
    if (!table) throw new Error(`The font has no table ${name}.`);
    return table;
  };
}

/** What is read of a font, as the OpenType specification has it. */
function glyphsOf(file: Uint8Array) {
  const table = tablesOf(file);
  const [head, loca, glyf, hmtx] = [table('head'), table('loca'), table('glyf'), table('hmtx')];
  const em = head.getUint16(18);
  const isLong = head.getInt16(50) === 1;
  const measured = table('hhea').getUint16(34);
  const offset = (glyph: number) => (isLong ? loca.getUint32(4 * glyph) : 2 * loca.getUint16(2 * glyph));

  /** In units of the font, y upwards. */
  const outline = (glyph: number): Contour[] => {
    const at = offset(glyph);
    if (offset(glyph + 1) === at) return [];
    const count = glyf.getInt16(at);
    return count >= 0 ? simple(glyf, at + 10, count) : composite(at + 10);
  };
  const composite = (start: number): Contour[] => {
    const contours: Contour[] = [];
    for (let at = start, flags = COMPOSITE.more; flags & COMPOSITE.more;) {
      flags = glyf.getUint16(at);
      const glyph = glyf.getUint16(at + 2);
      const isWide = (flags & COMPOSITE.words) !== 0;
      const [x, y] = isWide
        ? [glyf.getInt16(at + 4), glyf.getInt16(at + 6)]
        : [glyf.getInt8(at + 4), glyf.getInt8(at + 5)];
      at += isWide ? 8 : 6;
      const fixed = () => glyf.getInt16((at += 2) - 2) / 16384;
      let [xx, xy, yx, yy] = [1, 0, 0, 1];
      if (flags & COMPOSITE.scale) xx = yy = fixed();
      else if (flags & COMPOSITE.scales) [xx, yy] = [fixed(), fixed()];
      else if (flags & COMPOSITE.matrix) [xx, xy, yx, yy] = [fixed(), fixed(), fixed(), fixed()];
      for (const part of outline(glyph))
        contours.push(
          part.map((value, index) =>
            index % 2 === 0 ? xx * value + yx * part[index + 1]! + x : xy * part[index - 1]! + yy * value + y,
          ),
        );
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

/** Flags of the parts of a glyph that is made of others. */
const COMPOSITE = { words: 0x1, scale: 0x8, more: 0x20, scales: 0x40, matrix: 0x80 };
/** Flags of a point. */
const POINT = { onCurve: 0x1, shortX: 0x2, shortY: 0x4, repeat: 0x8, sameX: 0x10, sameY: 0x20 };

/** The contours of a glyph of its own. @param at of the ends of its contours */
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
  return ends.map((end, index) => {
    const start = index === 0 ? 0 : ends[index - 1]! + 1;
    const points = Array.from({ length: end + 1 - start }, (_, i) => start + i);
    return flattened(points.map((i) => ({ x: xs[i]!, y: ys[i]!, isOn: (flags[i]! & POINT.onCurve) !== 0 })));
  });
}

/** Quadratic curves as lines; between two points off the curve lies one on it. */
function flattened(points: readonly { readonly x: number; readonly y: number; readonly isOn: boolean }[]): Contour {
  const between = (a: { x: number; y: number }, b: { x: number; y: number }) => ({
    x: (a.x + b.x) / 2,
    y: (a.y + b.y) / 2,
  });
  const drawn: number[] = [];
  points.forEach((point, index) => {
    if (point.isOn) {
      drawn.push(point.x, point.y);
      return;
    }
    const [before, after] = [points.at(index - 1)!, points[(index + 1) % points.length]!];
    const from = before.isOn ? before : between(before, point);
    const to = after.isOn ? after : between(point, after);
    for (let piece = before.isOn ? 1 : 0; piece < PIECES; piece++) {
      const t = piece / PIECES;
      const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t * t];
      drawn.push(a * from.x + b * point.x + c * to.x, a * from.y + b * point.y + c * to.y);
    }
  });
  return drawn;
}

/** Finds the glyph of a character in the segments of format 4; 0 where there is none. */
function indexIn(cmap: DataView): (code: number) => number {
  const tables = Array.from({ length: cmap.getUint16(2) }, (_, index) => cmap.getUint32(8 + 8 * index));
  const start = tables.find((at) => cmap.getUint16(at) === 4);
  if (start === undefined) throw new Error('The font has no characters of format 4.');
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
