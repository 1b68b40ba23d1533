import { DOT_RADIUS, type Ink, type Outline, type Pen, type Colors } from '../../chart/pen.ts';

/** A pen that draws on a canvas. @param ratio device pixels per CSS pixel */
export function canvasPen(context: CanvasRenderingContext2D, ratio: number, colors: Colors): Pen {
  const pixel = 1 / ratio;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.font = `${String(colors.fontSize)}px ${colors.fontFamily}`;
  context.lineJoin = 'round';
  const set = ({ fill = '', stroke = '', width = 1, dash, alpha = 1 }: Ink) => {
    context.fillStyle = fill;
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.lineCap = dash ? 'butt' : 'round';
    context.setLineDash([...(dash ?? [])]);
    context.globalAlpha = alpha;
  };
  return {
    pixel,
    path(trace, ink) {
      const path = new Path2D();
      trace(outlineOn(path));
      set(ink);
      if (ink.fill !== undefined) context.fill(path);
      if (ink.stroke !== undefined) context.stroke(path);
    },
    bars(trace, ink) {
      set({ fill: ink.stroke! });
      const width = Math.max(pixel, Math.round((ink.width ?? 1) / pixel) * pixel);
      const before = Math.floor((width / pixel - 1) / 2) * pixel;
      trace((x, top, bottom) => {
        context.fillRect(x - before, top, width, bottom - top);
      });
    },
    rect({ left, top, width, height }, ink) {
      set(ink);
      context.fillRect(left, top, width, height);
    },
    circle({ x, y }, radius, ink) {
      set(ink);
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      if (ink.fill !== undefined) context.fill();
      if (ink.stroke !== undefined) context.stroke();
    },
    text(content, { x, y }, { color, align = 'start' }) {
      set({ fill: color });
      context.textAlign = align === 'middle' ? 'center' : align;
      context.fillText(content, x, y);
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

const outlineOn = (path: Path2D): Outline => ({
  moveTo: (x, y) => {
    path.moveTo(x, y);
  },
  lineTo: (x, y) => {
    path.lineTo(x, y);
  },
  dot: (x, y) => {
    path.moveTo(x + DOT_RADIUS, y);
    path.arc(x, y, DOT_RADIUS, 0, 2 * Math.PI);
  },
});
