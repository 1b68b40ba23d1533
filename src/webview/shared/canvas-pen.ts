import type { Colors, Ink, Pen } from '../../chart/pen.ts';

/** A pen that draws on a canvas. @param ratio device pixels per CSS pixel */
export function canvasPen(context: CanvasRenderingContext2D, ratio: number, colors: Colors): Pen {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const setFont = (size = colors.fontSize, bold = false) => {
    context.font = `${bold ? '600 ' : ''}${String(size)}px ${colors.fontFamily}`;
  };
  setFont();
  context.lineJoin = 'round';
  const set = ({ fill = '', stroke = '', width = 1, dash = [], alpha = 1 }: Ink) => {
    const lineCap = dash.length > 0 ? 'butt' : 'round';
    Object.assign(context, { fillStyle: fill, strokeStyle: stroke, lineWidth: width, lineCap, globalAlpha: alpha });
    context.setLineDash([...dash]);
  };
  return {
    pixel: 1 / ratio,
    path(trace, ink) {
      const path = new Path2D();
      trace({
        moveTo: (x, y) => path.moveTo(x, y),
        lineTo: (x, y) => path.lineTo(x, y),
        circle: (x, y, radius) => {
          path.moveTo(x + radius, y);
          path.arc(x, y, radius, 0, 2 * Math.PI);
        },
      });
      set(ink);
      if (ink.fill !== undefined) context.fill(path);
      if (ink.stroke !== undefined) context.stroke(path);
    },
    rects(boxes, ink) {
      set(ink);
      for (const { left, top, width, height } of boxes) context.fillRect(left, top, width, height);
    },
    text(content, { x, y }, { color, align = 'start', size, bold }) {
      set({ fill: color });
      setFont(size, bold);
      context.textAlign = align === 'middle' ? 'center' : align;
      context.fillText(content, x, y);
      // widths are measured of common letters
      setFont();
    },
    widthOf: (content) => context.measureText(content).width,
    inside({ left, top, width, height }, draw) {
      context.save();
      context.beginPath();
      context.rect(left, top, width, height);
      context.clip();
      draw();
      context.restore();
    },
  };
}
