import assert from 'node:assert/strict';
import { Raster } from '../../../src/chart/raster.ts';
import { type Glyph, RasterPen } from '../../../src/chart/raster-pen.ts';

const WHOLE = { left: 0, top: 0, right: 8, bottom: 4 };
/** How much of each pixel of a row is covered by black, in per cent. */
const rowOf = ({ pixels, width }: Raster, row: number) =>
  Array.from({ length: width }, (_, x) => Math.round(100 - pixels[4 * (row * width + x)]! / 2.55));

describe('the raster', () => {
  let raster: Raster;
  beforeEach(() => {
    raster = new Raster(8, 4);
  });

  it('covers pixels as far as a shape lies in them', () => {
    raster.fill([[0.5, 0, 3.25, 0, 3.25, 1.5, 0.5, 1.5]], '#000000', 1, WHOLE);
    assert.deepEqual(rowOf(raster, 0), [50, 100, 100, 25, 0, 0, 0, 0]);
    assert.deepEqual(rowOf(raster, 1), [25, 50, 50, 13, 0, 0, 0, 0]);
    assert.deepEqual(rowOf(raster, 2), [0, 0, 0, 0, 0, 0, 0, 0]);
    raster.fillBox({ left: 0.5, top: 2, right: 3.25, bottom: 3.5 }, '#000000', 1, WHOLE);
    assert.deepEqual([2, 3].map((row) => rowOf(raster, row)), [0, 1].map((row) => rowOf(raster, row))); // prettier-ignore
  });

  it('fills what contours enclose by the nonzero rule: once where they overlap, not where one goes the other way', () => {
    const outer = [0, 0, 6, 0, 6, 4, 0, 4];
    raster.fill([outer, [2, 0, 8, 0, 8, 4, 2, 4]], '#000000', 0.5, WHOLE);
    assert.deepEqual(rowOf(raster, 1), Array(8).fill(50));
    raster = new Raster(8, 4);
    raster.fill([outer, [2, 1, 2, 3, 4, 3, 4, 1]], '#000000', 1, WHOLE);
    assert.deepEqual([1, 0].map((row) => rowOf(raster, row)), [[100, 100, 0, 0, 100, 100, 0, 0], [100, 100, 100, 100, 100, 100, 0, 0]]); // prettier-ignore
  });

  it('draws nothing beyond the clip and the picture', () => {
    raster.fill([[-1e6, -1e6, 1e6, -1e6, 1e6, 1e6, -1e6, 1e6]], '#000000', 1, { left: 1, top: 1, right: 7, bottom: 3 });
    assert.deepEqual([0, 1].map((row) => rowOf(raster, row)), [Array(8).fill(0), [0, 100, 100, 100, 100, 100, 100, 0]]); // prettier-ignore
    assert.equal(rowOf(raster, 2)[0], 0);
  });

  it('fills alike where so many edges cross that it looks less closely', () => {
    const stripes = Array.from({ length: 600 }, (_, i) => i / 100).map((x) => [x, 0, x + 2, 0, x + 2, 4, x, 4]);
    raster.fill(stripes, '#000000', 1, WHOLE);
    assert.deepEqual(rowOf(raster, 3), [100, 100, 100, 100, 100, 100, 100, 99]);
  });
});

describe('the pen of the raster', () => {
  const square: Glyph = { advance: 1, contours: [[0, -1, 1, -1, 1, 0, 0, 0]] };
  const font = (letter: string) => (letter === '■' ? square : undefined);
  const pen = () => new RasterPen({ width: 16, height: 4, font, fontSize: 2, scale: 1 });
  const line = (dash?: number[]) => {
    const drawn = pen();
    drawn.path(
      (outline) => {
        outline.moveTo(2, 1.5);
        outline.lineTo(8, 1.5);
        outline.lineTo(12, 1.5);
      },
      { stroke: '#000000', width: 1, ...(dash && { dash }) },
    );
    return rowOf(drawn.raster, 1).map((share) => Math.round(share / 50) * 50);
  };

  it('strokes lines with round ends, and dashes that go on around a corner', () => {
    assert.deepEqual(line(), [0, 50, ...Array<number>(10).fill(100), 50, 0, 0, 0]);
    assert.deepEqual(line([4, 2]), [0, 0, 100, 100, 100, 100, 0, 0, 100, 100, 100, 100, 0, 0, 0, 0]);
  });

  it('draws rings whose middle is free', () => {
    const drawn = pen();
    drawn.circle({ x: 4, y: 2 }, 2, { stroke: '#000000', width: 1 });
    const row = rowOf(drawn.raster, 2);
    assert.ok(row[2]! > 60 && row[5]! > 60, String(row));
    assert.deepEqual([row[3]! < 40, row[8]], [true, 0], String(row));
  });

  it('writes letters from, around or to a spot, with room for those that the font lacks', () => {
    const written = (align?: 'middle' | 'end') => {
      const drawn = pen();
      drawn.text('■\u0301字■', { x: 8, y: 3 }, { color: '#000000', ...(align && { align }) });
      return rowOf(drawn.raster, 2).map((share) => (share === 100 ? '#' : '.')).join(''); // prettier-ignore
    };
    assert.deepEqual(written(), '........##..##..');
    assert.deepEqual(written('middle'), '.....##..##.....');
    assert.deepEqual(written('end'), '..##..##........');
    assert.equal(pen().widthOf('■字'), 4);
  });
});
