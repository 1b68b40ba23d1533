import type { Ink, Outline, Pen } from './scene.ts';

const CHARACTER = 0.56; // mean width of a character and of a capital, in ems, where text cannot be measured
const CAPITAL = 0.7;
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f000}-\u{3ffff}]/u;

export const letterWidth = (letter: string): number =>
  WIDE.test(letter) ? 1 : /\p{Lu}/u.test(letter) ? CAPITAL : CHARACTER;

/** A pen that writes an SVG document, which runs and loads nothing. */
export function svgPen(
  { width, height }: { readonly width: number; readonly height: number },
  { fontFamily, fontSize }: { readonly fontFamily: string; readonly fontSize: number },
): Pen & { document: (title: string) => string } {
  const parts: string[] = [];
  return {
    pixel: 1,
    path: (trace, ink) => {
      const d = pathData(trace);
      if (d !== '') parts.push(tag('path', { d, ...attributesOf(ink) }));
    },
    text: (content, { x, y }, { color, align, size, bold }) => {
      const font = { 'font-size': size, 'font-weight': bold ? 600 : undefined };
      parts.push(tag('text', { x, y, ...font, fill: color, 'text-anchor': align }, escape(content)));
    },
    widthOf: (content) => fontSize * Array.from(content).reduce((sum, letter) => sum + letterWidth(letter), 0),
    inside: ({ left, top, width, height }, draw) => {
      parts.push(tag('clipPath', { id: 'plot' }, tag('rect', { x: left, y: top, width, height })));
      parts.push('<g clip-path="url(#plot)">');
      draw();
      parts.push('</g>');
    },
    document: (title) => {
      const viewBox = `0 0 ${String(width)} ${String(height)}`;
      const root = { xmlns: 'http://www.w3.org/2000/svg', viewBox, width, height };
      const font = { 'font-family': fontFamily, 'font-size': fontSize };
      return tag('svg', { ...root, ...font }, tag('title', {}, escape(title)), ...parts);
    },
  };
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

const attributesOf = ({ fill, stroke, width = 1, dash, alpha }: Ink): Attributes => ({
  fill: fill ?? 'none',
  'fill-opacity': fill && alpha,
  stroke,
  ...(stroke && {
    'stroke-width': width,
    'stroke-linejoin': 'round',
    'stroke-linecap': dash ? undefined : 'round',
    'stroke-opacity': alpha,
    'stroke-dasharray': dash?.join(' '),
  }),
});

export function pathData(trace: (outline: Outline) => void): string {
  const parts: string[] = [];
  trace({
    moveTo: (x, y) => parts.push(`M${at(x, y)}`),
    lineTo: (x, y) => parts.push(`L${at(x, y)}`),
    rect: (left, top, width, height) =>
      parts.push(`M${at(left, top)}h${short(width)}v${short(height)}h${short(-width)}z`),
    circle: (x, y, radius) => {
      const half = (to: number) => `a${at(radius, radius)} 0 1 0 ${at(to, 0)}`;
      parts.push(`M${at(x - radius, y)}${half(2 * radius)}${half(-2 * radius)}`);
    },
  });
  return parts.join('');
}

function tag(name: string, attributes: Attributes, ...content: readonly string[]): string {
  const list = Object.entries(attributes).map(([key, value]) =>
    value === undefined ? '' : ` ${key}="${escape(short(value))}"`,
  );
  return `<${name}${list.join('')}>${content.join('')}</${name}>`;
}

const short = (value: string | number) => (typeof value === 'string' ? value : String(Number(value.toFixed(2))));

const at = (x: number, y: number) => `${short(x)} ${short(y)}`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
// control characters have no place in XML, not even escaped
/** As the text or an attribute in double quotes of XML or HTML. */
export const escape = (content: string) =>
  content
    .replace(/[&<>"]/g, (character) => ENTITIES[character]!)
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');
