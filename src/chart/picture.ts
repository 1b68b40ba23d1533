import * as l10n from '@vscode/l10n';
import { type Box, axesOf, beyondHistory, projection } from './axes.ts';
import { type Decoration, type OverlayLine, PLAIN, colorOf, dashOf } from './decoration.ts';
import { levelName } from './format.ts';
import { type Frame, type Range, extent, shownBands, valueRange } from './frame.ts';
import { placeLabels } from './labels.ts';
import { BAND_ALPHA, FADED, PRINT, bandStrength } from './print.ts';
import { type Pen, type Projection, bandPieces, joined, textPen, traceLine, traceOutline } from './trace.ts';
import type { ChartView } from './types.ts';

/** Of a picture, in pixels. */
export const SIZE = { width: 1000, height: 560 };
const MARGIN = { left: 24, right: 24, bottom: 48 };
/** Mean width of a character and of a capital, in ems, for placing text that nobody has measured. */
const CHARACTER = 0.56;
const CAPITAL = 0.7;
/** Chinese, Japanese and Korean letters, and emoji: as wide as high. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f000}-\u{3ffff}]/u;
/** The height of a row of the legend and of what is said below the title, and of one of the title, in pixels. */
const ROW = 18;
const TITLE = { row: 22, size: 18 };
/** The characters of a name of the legend that is not cut, and the rows of a text above it. */
const LONGEST = 60;
const MOST_ROWS = 3;

const letterWidth = (letter: string): number => (WIDE.test(letter) ? 1 : /\p{Lu}/u.test(letter) ? CAPITAL : CHARACTER);
const widthOf = (content: string, size = PRINT.fontSize): number =>
  size * Array.from(content).reduce((sum, letter) => sum + letterWidth(letter), 0);

/** The chart as a picture for paper and slides: an SVG document in print colours, whatever the editor's theme is. */
export function svgOf(
  chart: ChartView,
  frame: Frame,
  range: Range,
  hiddenBands: readonly number[],
  decoration: Decoration = PLAIN,
): string {
  const further = decoration.lines.map(({ line }) => line);
  const values = valueRange(extent(frame, range, hiddenBands, further));
  const detail = [chart.detail, ...chart.figures.map(({ text }) => text)].filter(Boolean).join(' · ');
  const names = legend(chart, frame, hiddenBands, decoration);
  const title = rowsOf(chart.title, TITLE.size);
  const said = [chart.summary, ...(detail === '' ? [] : [detail])].flatMap((content) =>
    rowsOf(content, PRINT.fontSize),
  );
  const below = 34 + title.length * TITLE.row;
  const first = below + (said.length - 1) * ROW + 30;
  const top = first + names.rows * ROW;
  const height = SIZE.height - top - MARGIN.bottom;
  const axes = axesOf(frame, range, values, SIZE.width - 100, height);
  const gutter = Math.max(...axes.values.map(({ label }) => widthOf(label)), 0) + 10;
  const left = MARGIN.left + Math.ceil(gutter);
  const box = { left, top, width: SIZE.width - left - MARGIN.right, height };
  const to = projection(range, values, box);
  const right = box.left + box.width;
  const bottom = top + height;

  const ticks = axes.times.map(({ time, ...rest }) => ({ at: to.x(time), ...rest }));

  const parts = [
    tag('rect', { width: SIZE.width, height: SIZE.height, fill: PRINT.background }),
    ...title.map((row, index) =>
      text(row, MARGIN.left, 34 + index * TITLE.row, {
        'font-size': TITLE.size,
        'font-weight': 600,
        fill: PRINT.text,
      }),
    ),
    ...said.map((row, index) => text(row, MARGIN.left, below + index * ROW)),
    ...names.from(first),
    ...axes.values.flatMap(({ value, label }) => [
      rule(box.left, to.y(value), right, to.y(value), { opacity: 0.1 }),
      text(label, box.left - 8, to.y(value) + 4, { 'text-anchor': 'end' }),
    ]),
    rule(box.left, bottom, right, bottom, { opacity: 0.4 }),
    ...ticks.map(({ at }) => rule(at, bottom, at, bottom + 5, { opacity: 0.4 })),
    ...placeLabels(ticks, widthOf, 0, SIZE.width).flatMap(({ at, label, context }) => [
      text(label, at, bottom + 19, { 'text-anchor': 'middle' }),
      ...(context === undefined ? [] : [text(context, at, bottom + 35, { 'text-anchor': 'middle' })]),
    ]),
    tag('clipPath', { id: 'plot' }, tag('rect', { x: box.left, y: box.top, width: box.width, height: box.height })),
    tag(
      'g',
      { 'clip-path': 'url(#plot)', fill: 'none' },
      ...drawing(frame, range, hiddenBands, decoration, to, box.top, bottom),
    ),
    ...fading(frame, to, box),
  ];
  const root = {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${String(SIZE.width)} ${String(SIZE.height)}`,
    ...SIZE,
    'font-family': PRINT.fontFamily,
    'font-size': PRINT.fontSize,
  };
  return tag('svg', root, tag('title', {}, escape(chart.title)), ...parts);
}

function drawing(
  frame: Frame,
  range: Range,
  hiddenBands: readonly number[],
  { lines, marks }: Decoration,
  to: Projection,
  top: number,
  bottom: number,
): string[] {
  const { forecast, history, divide, gap } = frame;
  const bands = shownBands(forecast, hiddenBands).flatMap((band) =>
    bandPieces(frame, forecast!, band).map((piece) =>
      tag('path', {
        d: `${pathData((pen) => {
          traceOutline(pen, piece, range, to);
        })}Z`,
        fill: PRINT.forecast,
        'fill-opacity': BAND_ALPHA,
        ...(piece.times.length === 1 && { stroke: PRINT.forecast, 'stroke-opacity': 3 * BAND_ALPHA }),
      }),
    ),
  );
  const line = (points: typeof history, longest: number, look: Attributes) =>
    tag('path', {
      d: pathData((pen) => {
        traceLine(pen, points, range, longest, to);
      }),
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
      ...look,
    });
  const ahead = joined(frame);
  return [
    ...bands,
    ...(divide === undefined ? [] : [rule(to.x(divide), top, to.x(divide), bottom, { 'stroke-dasharray': '3 3' })]),
    line(history, gap, { stroke: PRINT.history, 'stroke-width': 1.5 }),
    ...(ahead ? [line(ahead, Infinity, { stroke: PRINT.forecast, 'stroke-width': 2 })] : []),
    ...lines.map((one) => line(one.line, Infinity, lookOf(one))),
    ...Array.from(marks.times, (time, index) =>
      tag('circle', { cx: to.x(time), cy: to.y(marks.values[index]!), r: 5, stroke: PRINT.odd, 'stroke-width': 2 }),
    ),
  ];
}

function fading({ supportedUntil }: Frame, to: Projection, { left, top, width, height }: Box): string[] {
  if (supportedUntil === undefined) return [];
  const x = Math.max(left, to.x(supportedUntil));
  const right = left + width;
  if (x >= right) return [];
  const words = beyondHistory();
  const cover = tag('rect', { x, y: top, width: right - x, height, fill: PRINT.background, opacity: FADED });
  return [cover, ...(widthOf(words) < right - x - 8 ? [text(words, x + 6, top + 14)] : [])];
}

/** A text in rows that are within the picture, broken between words where there are any; at the end of the last it is cut. */
function rowsOf(content: string, size: number): string[] {
  const room = SIZE.width - MARGIN.left - MARGIN.right;
  const rows: string[] = [];
  let rest = content.trim();
  while (rest !== '' && rows.length < MOST_ROWS) {
    const letters = Array.from(rest);
    let end = 0;
    for (let width = 0; end < letters.length; end++) {
      width += size * letterWidth(letters[end]!);
      if (width > room) break;
    }
    const isLast = rows.length === MOST_ROWS - 1;
    if (end < letters.length && isLast) letters.splice(end - 1, letters.length, '…');
    const blank = isLast || end === letters.length ? -1 : letters.lastIndexOf(' ', end);
    const row = letters.slice(0, blank > 0 ? blank : end);
    rows.push(row.join('').trimEnd());
    rest = letters.slice(row.length).join('').trimStart();
  }
  return rows.length > 0 ? rows : [''];
}

/** The names of all that is drawn, in as many rows as they need. */
function legend(
  chart: ChartView,
  { forecast }: Frame,
  hiddenBands: readonly number[],
  { lines: further }: Decoration,
): { readonly rows: number; from(y: number): string[] } {
  const bands = shownBands(forecast, hiddenBands).map(({ level }, index) => ({
    label: levelName(level),
    mark: (x: number, y: number) =>
      tag('rect', { x, y: y - 9, width: 18, height: 10, fill: PRINT.forecast, opacity: bandStrength(index + 1) }),
  }));
  const lines: { label: string; look: Attributes }[] = [
    { label: chart.valueLabel, look: { stroke: PRINT.history, 'stroke-width': 1.5 } },
    ...(forecast ? [{ label: l10n.t('Forecast'), look: { stroke: PRINT.forecast, 'stroke-width': 2 } }] : []),
    ...further.map((one) => ({ label: one.label, look: lookOf(one) })),
  ];
  const marks = lines.map(({ label, look }) => ({
    label,
    mark: (x: number, y: number) => rule(x, y - 4, x + 18, y - 4, look),
  }));
  let x = MARGIN.left;
  let row = 0;
  const placed = [...marks, ...bands.reverse()].map(({ label, mark }) => {
    const shown = label.length > LONGEST ? `${label.slice(0, LONGEST - 1)}…` : label;
    const width = 24 + widthOf(shown);
    if (x > MARGIN.left && x + width > SIZE.width - MARGIN.right) {
      x = MARGIN.left;
      row++;
    }
    const place = { shown, mark, x, row };
    x += width + 20;
    return place;
  });
  const from = (y: number) =>
    placed.flatMap(({ shown, mark, x, row }) => [
      mark(x, y + row * ROW),
      text(shown, x + 24, y + row * ROW, { fill: PRINT.text }),
    ]);
  return { rows: row + 1, from };
}

const lookOf = (line: OverlayLine): Attributes => ({
  stroke: colorOf(line, PRINT),
  'stroke-width': 2,
  ...(line.color === undefined ? {} : { 'stroke-dasharray': dashOf(line.color).join(' ') }),
});

type Attributes = Readonly<Record<string, string | number>>;

function tag(name: string, attributes: Attributes, ...content: readonly string[]): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(short(value))}"`);
  return `<${name}${list.join('')}>${content.join('')}</${name}>`;
}

const text = (content: string, x: number, y: number, attributes: Attributes = {}) =>
  tag('text', { x, y, fill: PRINT.muted, ...attributes }, escape(content));

const rule = (x1: number, y1: number, x2: number, y2: number, attributes: Attributes) =>
  tag('line', { x1, y1, x2, y2, stroke: PRINT.muted, ...attributes });

function pathData(draw: (pen: Pen) => void): string {
  const pen = textPen();
  draw(pen);
  return pen.written();
}

const short = (value: string | number) => (typeof value === 'string' ? value : String(Number(value.toFixed(2))));

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
// control characters have no place in XML, not even escaped
const escape = (content: string) =>
  content
    .replace(/[&<>"]/g, (character) => ENTITIES[character]!)
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');
