import { createContext, type RefObject } from 'preact';
import { useContext, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Colors, drawScene, type Ink, type Layout, type Pen, PRINT, type Scene } from '../../chart/scene.ts';

export const Theme = createContext<Colors>(PRINT);

export function themeColors(): Colors {
  const style = getComputedStyle(document.body);
  const read = (...names: string[]) => {
    const values = names.map((name) => style.getPropertyValue(`--vscode-${name}`).trim());
    return values.find((value) => value !== '') ?? style.color;
  };
  const { classList } = document.body;
  return {
    text: read('foreground'),
    muted: read('descriptionForeground', 'foreground'),
    background: read('editor-background'),
    history: read('charts-foreground', 'foreground'),
    forecast: read('charts-blue', 'textLink-foreground'),
    others: ['purple', 'green', 'orange'].map((name) => read(`charts-${name}`, 'foreground')),
    anomaly: read('charts-red', 'errorForeground', 'foreground'),
    contrast: classList.contains('vscode-high-contrast') || classList.contains('vscode-high-contrast-light'),
    fontFamily: style.fontFamily,
    fontSize: Math.round(Number.parseFloat(style.fontSize) * 0.88) || 11,
  };
}

export function watchTheme(changed: () => void): void {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-id'] });
  observer.observe(document.documentElement, { attributeFilter: ['style'] });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
}

/** Calls back when an element has another size, which it is first given with its page. */
function useResized(element: RefObject<Element | null>, see: () => void): void {
  const latest = useRef(see);
  latest.current = see;
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => latest.current());
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
}

interface DrawingProps {
  readonly scene: Scene;
  readonly label?: string;
  /** Pixels that are left free at both sides, and above and below. */
  readonly margin?: readonly [across: number, down: number];
  readonly onDrawn?: (layout: Layout) => void;
}

/** A canvas as large as its container, redrawn when it is rendered, resized, or the theme changes. */
export function Drawing({ scene, label, margin: [across, down] = [0, 0], onDrawn }: DrawingProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colors = useContext(Theme);
  const draw = () => {
    const { clientWidth: width, clientHeight: height } = canvas.current!.parentElement!;
    const context = width > 0 && height > 0 && cleared(canvas.current!, width, height);
    if (!context) return;
    const place = { left: across, top: down, width: width - 2 * across, height: height - 2 * down };
    const layout = drawScene(canvasPen(context, devicePixelRatio, colors), scene, place, colors);
    onDrawn?.(layout);
  };
  useLayoutEffect(draw);
  useResized(canvas, draw);
  return (
    <canvas ref={canvas} {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })} />
  );
}

function cleared(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const [across, down] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
  const context = canvas.getContext('2d');
  if (canvas.width !== across || canvas.height !== down) [canvas.width, canvas.height] = [across, down];
  else context?.reset();
  return context;
}

/** A drawing in the text of a page. @param height in pixels; as the style sheet has it where it is absent */
export const Picture = ({ height, ...drawing }: DrawingProps & { readonly height?: number }) => (
  <div class="small" style={height === undefined ? undefined : { height: `${String(height)}px` }}>
    <Drawing {...drawing} />
  </div>
);

export const Sparkline = <T,>({ of, sceneOf }: { readonly of: T; readonly sceneOf: (of: T) => Scene }) =>
  useMemo(
    () => (
      <span class="small sparkline">
        <Drawing scene={sceneOf(of)} margin={[2, 2]} />
      </span>
    ),
    [of],
  );

/** Which rows are in sight. @param row its height in pixels @param spare rows that are there above and below */
export function useVisibleRows(
  scroller: RefObject<HTMLElement | null>,
  { count, row, spare }: { readonly count: number; readonly row: number; readonly spare: number },
): { readonly first: number; readonly end: number; readonly see: () => void } {
  const [{ top, height }, set] = useState({ top: 0, height: 0 });
  const see = () => {
    const { scrollTop, clientHeight } = scroller.current!;
    if (scrollTop !== top || clientHeight !== height) set({ top: scrollTop, height: clientHeight });
  };
  useLayoutEffect(see);
  useResized(scroller, see);
  const seen = Math.ceil(height / row);
  return {
    first: Math.max(0, Math.min(Math.floor(top / row) - spare, count - seen)),
    end: Math.min(count, Math.ceil((top + height) / row) + spare),
    see,
  };
}

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** A pen that draws on a canvas. @param ratio device pixels per CSS pixel */
export function canvasPen(context: Context, ratio: number, colors: Colors): Pen {
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
      const circle = (x: number, y: number, radius: number) => {
        path.moveTo(x + radius, y);
        path.arc(x, y, radius, 0, 2 * Math.PI);
      };
      trace(Object.assign(path, { circle }));
      set(ink);
      if (ink.fill !== undefined) context.fill(path);
      if (ink.stroke !== undefined) context.stroke(path);
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
