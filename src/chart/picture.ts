import { type Range, type Shown, type Trace, tracesOf } from './frame.ts';
import { axesOf } from './axes.ts';
import { drawBoxes, drawLines, drawScene, inkOf, intervalStrength, type Pen, PRINT } from './scene.ts';
import { letterWidth, svgPen } from './svg-pen.ts';
import type { ChartView } from './chart-view.ts';

export const SIZE = { width: 1000, height: 560 };
const MARGIN = 24;
/** The height of a row of the legend and of what is said below the title, and of one of the title, in pixels. */
const ROW = 18;
const TITLE = { row: 22, size: 18 };
const LONGEST = 60; // the characters of a name of the legend that is not cut, and the rows of a text above it
const MOST_ROWS = 3;

interface Seen extends Shown {
  readonly range: Range;
}

export function svgOf(chart: ChartView, seen: Seen): string {
  const pen = svgPen(SIZE, PRINT);
  drawPicture(pen, chart, seen);
  return pen.document(chart.title);
}

export function drawPicture(pen: Pen, chart: ChartView, { range, ...shown }: Seen): void {
  const traces = tracesOf(shown);
  const detail = [chart.detail, ...chart.figures.map(({ text }) => text)].filter(Boolean).join(' · ');
  drawBoxes(pen, [{ left: 0, top: 0, ...SIZE }], { fill: PRINT.background });
  let y = 34;
  for (const row of rowsOf(chart.title, TITLE.size)) {
    pen.text(row, { x: MARGIN, y }, { size: TITLE.size, bold: true, color: PRINT.text });
    y += TITLE.row;
  }
  for (const row of [chart.summary, detail].flatMap((text) => rowsOf(text, PRINT.fontSize))) {
    pen.text(row, { x: MARGIN, y }, { color: PRINT.muted });
    y += ROW;
  }
  const top = drawLegend(pen, traces, y - ROW + 30);
  const place = { left: 8, top, width: SIZE.width - 16, height: SIZE.height - top - 4 };
  drawScene(pen, { traces, range, axes: axesOf({ below: shown.frame.time }) }, place, PRINT);
}

/** A text in rows that are within the picture, broken between words where there are any; at the end of the last it is cut. */
function rowsOf(content: string, size: number): string[] {
  const room = SIZE.width - 2 * MARGIN;
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
  return rows;
}

function drawLegend(pen: Pen, traces: readonly Trace[], y: number): number {
  const areas = traces.filter((trace) => trace.kind === 'area');
  const lines = traces.filter((trace) => trace.kind === 'line');
  let [x, base] = [MARGIN, y];
  for (const trace of [...lines, ...areas.toReversed()]) {
    const { label = '' } = trace;
    const shown = label.length > LONGEST ? `${label.slice(0, LONGEST - 1)}…` : label;
    const width = 24 + pen.widthOf(shown);
    if (x > MARGIN && x + width > SIZE.width - MARGIN) [x, base] = [MARGIN, base + ROW];
    if (trace.kind === 'area') {
      const alpha = intervalStrength(areas.indexOf(trace) + 1);
      drawBoxes(pen, [{ left: x, top: base - 9, width: 18, height: 10 }], { fill: PRINT.forecast, alpha });
    } else {
      drawLines(pen, [[x, base - 4, x + 18, base - 4]], inkOf(trace.hue, PRINT, trace.width));
    }
    pen.text(shown, { x: x + 24, y: base }, { color: PRINT.text });
    x += width + 20;
  }
  return base + ROW;
}
