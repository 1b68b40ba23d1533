import type { Box, Ink, Lettering, Pen, Spot } from '../../../src/chart/scene.ts';
import { pathData } from '../../../src/chart/svg-pen.ts';

/** Something that was drawn. */
export interface Drawn {
  readonly kind: 'path' | 'bar' | 'rect' | 'text' | 'inside';
  /** The data of a path, or what is written. */
  readonly what: string;
  readonly at?: Box | Spot;
  readonly ink?: Ink;
  readonly lettering?: Lettering;
}

/** A pen that keeps what it was to draw. @param pixel of the screen that it plays */
export function recordingPen(pixel = 1): Pen & { readonly drawn: Drawn[]; readonly texts: () => string[] } {
  const drawn: Drawn[] = [];
  return {
    pixel,
    drawn,
    texts: () => drawn.flatMap(({ kind, what }) => (kind === 'text' ? [what] : [])),
    path: (trace, ink) => {
      const boxes: Box[] = [];
      const what = pathData((outline) => {
        const rect = (left: number, top: number, width: number, height: number) => boxes.push({ left, top, width, height }); // prettier-ignore
        trace({ ...outline, rect });
      });
      for (const at of boxes) drawn.push({ kind: boxes.length > 1 ? 'bar' : 'rect', what: '', at, ink });
      if (boxes.length === 0) drawn.push({ kind: 'path', what, ink });
    },
    text: (what, at, lettering) => drawn.push({ kind: 'text', what, at, lettering }),
    widthOf: (content) => 7 * content.length,
    inside: (at, draw) => {
      drawn.push({ kind: 'inside', what: '', at });
      draw();
    },
  };
}
