import type { Delimiter } from '../types.ts';

export interface CellRange {
  readonly column: number;
  readonly endColumn: number;
}

function cellSpans(line: string, delimiter: Delimiter): CellRange[] {
  if (delimiter === ' ') {
    return Array.from(line.matchAll(/\S+/g), ({ index, 0: { length } }) => ({
      column: index + 1,
      endColumn: index + 1 + length,
    }));
  }
  const spans: CellRange[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at <= line.length; at++) {
    const char = line[at];
    if (char === '"') quoted = !quoted;
    if (char !== undefined && (quoted || char !== delimiter)) continue;
    const cell = line.slice(start, at);
    const before = cell.length - cell.trimStart().length;
    spans.push({ column: start + before + 1, endColumn: start + Math.max(before, cell.trimEnd().length) + 1 });
    start = at + 1;
  }
  return spans;
}

const MOST_LINES = 64;

/** What finds cells in a text again; `undefined` where a line has no such cell. Lines count from 1, cells from 0. */
export type CellFinder = (line: number, cell: number) => CellRange | undefined;

export function cellFinder(text: string, delimiter: Delimiter): CellFinder {
  let lines: string[] | undefined;
  const spans = new Map<number, readonly CellRange[]>();
  return (line, cell) => {
    lines ??= text.split('\n');
    const own = spans.get(line) ?? cellSpans(lines[line - 1] ?? '', delimiter);
    if (spans.size >= MOST_LINES) spans.clear();
    spans.set(line, own);
    return lines[line - 1] === undefined ? undefined : own[cell];
  };
}
