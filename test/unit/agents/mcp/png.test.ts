import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';
import { frameOf } from '../../../../src/chart/frame.ts';
import { drawPicture } from '../../../../src/chart/picture.ts';
import { intervalStrength, PRINT } from '../../../../src/chart/scene.ts';
import type { ChartView } from '../../../../src/chart/chart-view.ts';
import { type FontFiles, pngOf } from '../../../../src/agents/mcp/png.ts';
import { chartOf, monthly } from '../../chart/charts.ts';

const font = (name: string) =>
  readFile(fileURLToPath(import.meta.resolve(`@fontsource/inter/files/inter-${name}-normal.woff`)));

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** As `#rrggbb`, on the white of the picture. */
  at(x: number, y: number): string;
}

/** Reads a PNG of 8 bits and four channels, whose lines are not interlaced (ISO/IEC 15948). */
function pixelsOf(bytes: Uint8Array): Pixels {
  const png = Buffer.from(bytes);
  assert.equal(png.toString('latin1', 1, 4), 'PNG');
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at))); // prettier-ignore
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  assert.deepEqual([...png.subarray(24, 29)], [8, 6, 0, 0, 0]);
  const lines = inflateSync(Buffer.concat(parts));
  const length = 4 * width;
  const all = new Uint8Array(length * height);
  for (let y = 0; y < height; y++) {
    const filter = lines[y * (length + 1)]!;
    for (let x = 0; x < length; x++) {
      const left = x < 4 ? 0 : all[y * length + x - 4]!;
      const up = y === 0 ? 0 : all[(y - 1) * length + x]!;
      const corner = x < 4 || y === 0 ? 0 : all[(y - 1) * length + x - 4]!;
      const guesses = [0, left, up, (left + up) >> 1, nearest(left, up, corner)];
      all[y * length + x] = lines[y * (length + 1) + 1 + x]! + guesses[filter]!;
    }
  }
  const at = (x: number, y: number) => `#${Buffer.from(all.subarray(y * length + 4 * x, y * length + 4 * x + 3)).toString('hex')}`; // prettier-ignore
  return { width, height, at };
}

function nearest(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((one) => Math.abs(guess - one)) as [number, number, number];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

type Part = readonly [left: number, top: number, right: number, bottom: number];

/** How many pixels of a part there are of each colour; the part is in pixels of the SVG document. */
function colorsOf({ width, height, at }: Pixels, [left, top, right, bottom]: Part = [0, 0, width / 1.5, height / 1.5]) {
  const counts = new Map<string, number>();
  for (let y = Math.round(top * 1.5); y < bottom * 1.5; y++)
    for (let x = Math.round(left * 1.5); x < right * 1.5; x++) counts.set(at(x, y), (counts.get(at(x, y)) ?? 0) + 1);
  return counts;
}

const inkOf = (pixels: Pixels, part: Part): number =>
  [...colorsOf(pixels, part)].reduce((sum, [color, count]) => (color === PRINT.background ? sum : sum + count), 0);

const channels = (color: string) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
const isNear = (color: string, wanted: readonly number[]) =>
  channels(color).every((channel, index) => Math.abs(channel - wanted[index]!) <= 2);
/** The colour of the forecast in so many layers on white. */
const tint = (layers: number) => channels(PRINT.forecast).map((one) => 255 - (255 - one) * intervalStrength(layers));

const TITLE = [24, 16, 500, 40] as const;

describe('picture for agents', function () {
  this.timeout(60_000);
  let fonts: FontFiles;
  const draw = (chart: ChartView) => {
    const frame = frameOf(chart);
    return pngOf(fonts, (pen) => {
      drawPicture(pen, chart, { frame, range: frame.bounds.whole });
    });
  };
  before(async () => {
    const regular = await Promise.all(['latin-400', 'greek-400', 'cyrillic-400'].map(font));
    fonts = { regular, bold: [await font('latin-600')] };
  });

  it('uses print colors on white', () => {
    const bytes = draw(monthly);
    assert.ok(bytes.length < 100_000, `${String(bytes.length)} bytes`);
    const pixels = pixelsOf(bytes);
    assert.deepEqual([pixels.width, pixels.height], [1500, 840]);
    const colors = colorsOf(pixels);
    const most = [...colors].sort(([, a], [, b]) => b - a)[0]![0];
    assert.deepEqual([most, pixels.at(0, 0), pixels.at(1499, 839)], Array(3).fill(PRINT.background));
    for (const color of [PRINT.history, PRINT.forecast]) assert.ok(colors.get(color)! > 100, color);
    // three intervals over each other, of which each lets through what is below
    for (const layers of [1, 2, 3])
      assert.ok(
        [...colors].some(([color, count]) => count > 500 && isNear(color, tint(layers))),
        `${String(layers)} intervals`,
      );
    assert.ok(inkOf(pixels, TITLE) > 200);
  });

  it('is small and legible for any series', () => {
    const history = Array.from({ length: 50_000 }, (_, day) => [day * 86_400_000, day % 2 ? NaN : Math.sin(day) * 1e6] as const); // prettier-ignore
    const title = `Πωλήσεις Продажи ${'x'.repeat(5000)}`;
    const bytes = draw(chartOf({ history, title, summary: '漢字 \ud83d\ude00 \u202e' }));
    assert.ok(bytes.length < 300_000, `${String(bytes.length)} bytes`);
    const pixels = pixelsOf(bytes);
    assert.ok(inkOf(pixels, [24, 16, 100, 40]) > 200, 'Greek');
    assert.ok(inkOf(pixels, [112, 16, 180, 40]) > 200, 'Cyrillic');
  });
});
