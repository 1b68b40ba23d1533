import assert from 'node:assert/strict';
import { drawBoxes } from '../../../src/chart/scene.ts';
import { type Glyph, RasterPen } from '../../../src/chart/raster.ts';

/** How much of each pixel of a row is covered by black, in percent. */
const rowOf = ({ pixels, width }: RasterPen, row: number) =>
  Array.from({ length: width }, (_, x) => Math.round(100 - pixels[4 * (row * width + x)]! / 2.55));

const square: Glyph = { advance: 1, contours: [[0, -1, 1, -1, 1, 0, 0, 0]] };
const font = (letter: string) => (letter === '■' ? square : undefined);
const penOf = (width: number) => new RasterPen({ width, height: 4, font, fontSize: 2, scale: 1 });

describe('shapes of the raster', () => {
  let pen: RasterPen;
  beforeEach(() => {
    pen = penOf(8);
  });
  const fill = (contours: readonly (readonly number[])[], alpha = 1) => {
    pen.path(
      (outline) => {
        for (const contour of contours)
          for (let at = 0; at < contour.length; at += 2) outline[at === 0 ? 'moveTo' : 'lineTo'](contour[at]!, contour[at + 1]!); // prettier-ignore
      },
      { fill: '#000000', alpha },
    );
  };

  it('cover pixels in proportion to their area', () => {
    fill([[0.5, 0, 3.25, 0, 3.25, 1.5, 0.5, 1.5]]);
    assert.deepEqual(rowOf(pen, 0), [50, 100, 100, 25, 0, 0, 0, 0]);
    assert.deepEqual(rowOf(pen, 1), [25, 50, 50, 13, 0, 0, 0, 0]);
    assert.deepEqual(rowOf(pen, 2), [0, 0, 0, 0, 0, 0, 0, 0]);
    drawBoxes(pen, [{ left: 0.5, top: 2, width: 2.75, height: 1.5 }], { fill: '#000000' });
    assert.deepEqual([2, 3].map((row) => rowOf(pen, row)), [0, 1].map((row) => rowOf(pen, row))); // prettier-ignore
  });

  it('are filled by the nonzero rule', () => {
    const outer = [0, 0, 6, 0, 6, 4, 0, 4];
    fill([outer, [2, 0, 8, 0, 8, 4, 2, 4]], 0.5);
    assert.deepEqual(rowOf(pen, 1), Array(8).fill(50));
    pen = penOf(8);
    fill([outer, [2, 1, 2, 3, 4, 3, 4, 1]]);
    assert.deepEqual([1, 0].map((row) => rowOf(pen, row)), [[100, 100, 0, 0, 100, 100, 0, 0], [100, 100, 100, 100, 100, 100, 0, 0]]); // prettier-ignore
  });

  it('are clipped to the clip and the picture', () => {
    pen.inside({ left: 1, top: 1, width: 6, height: 2 }, () => {
      fill([[-1e6, -1e6, 1e6, -1e6, 1e6, 1e6, -1e6, 1e6]]);
    });
    assert.deepEqual([0, 1].map((row) => rowOf(pen, row)), [Array(8).fill(0), [0, 100, 100, 100, 100, 100, 100, 0]]); // prettier-ignore
    assert.equal(rowOf(pen, 2)[0], 0);
  });
});

describe('pen of the raster', () => {
  const pen = () => penOf(16);
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
    return rowOf(drawn, 1).map((share) => Math.round(share / 50) * 50);
  };

  it('draws lines with round ends, and dashes that continue around corners', () => {
    assert.deepEqual(line(), [0, 50, ...Array<number>(10).fill(100), 50, 0, 0, 0]);
    assert.deepEqual(line([4, 2]), [0, 0, 100, 100, 100, 100, 0, 0, 100, 100, 100, 100, 0, 0, 0, 0]);
  });

  it('draws dashes of a line below the gaps of another', () => {
    const drawn = pen();
    drawn.path(
      (outline) => {
        outline.moveTo(2, 1);
        outline.lineTo(6, 1);
        outline.moveTo(-2, 1.5);
        outline.lineTo(6, 1.5);
      },
      { stroke: '#000000', width: 1, dash: [4, 4] },
    );
    assert.deepEqual(rowOf(drawn, 1).slice(3, 5), [50, 50]);
  });

  it('draws rings with a clear center', () => {
    const drawn = pen();
    drawn.path((outline) => outline.circle(4, 2, 2), { stroke: '#000000', width: 1 });
    const row = rowOf(drawn, 2);
    assert.ok(row[2]! > 60 && row[5]! > 60, String(row));
    assert.deepEqual([row[3]! < 40, row[8]], [true, 0], String(row));
  });

  it('writes text aligned at either end or the center, with room for unknown characters', () => {
    const written = (align?: 'middle' | 'end') => {
      const drawn = pen();
      drawn.text('■\u0301字■', { x: 8, y: 3 }, { color: '#000000', ...(align && { align }) });
      return rowOf(drawn, 2).map((share) => (share === 100 ? '#' : '.')).join(''); // prettier-ignore
    };
    assert.deepEqual(written(), '........##..##..');
    assert.deepEqual(written('middle'), '.....##..##.....');
    assert.deepEqual(written('end'), '..##..##........');
    assert.equal(pen().widthOf('■字'), 4);
  });
});
