import type { Delimiter } from '../types.ts';

export interface CellRange {
  readonly column: number;
  readonly endColumn: number;
}

function cellSpans(line: string, delimiter: Delimiter): CellRange[] {
  if (delimiter === ' ') {
    return Array.from(line.matchAll(/\S+/g), (match) => ({
      column: match.index + 1,
      endColumn: match.index + 1 + match[0].length,
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

export class CellFinder {
  readonly #text: string;
  readonly #delimiter: Delimiter;
  #starts: number[] | undefined;
  readonly #spans = new Map<number, readonly CellRange[]>();

  constructor(text: string, delimiter: Delimiter) {
    this.#text = text;
    this.#delimiter = delimiter;
  }

  /** The place of a cell; `undefined` where the line has no such cell. Lines count from 1, cells from 0. */
  range(line: number, cell: number): CellRange | undefined {
    const starts = (this.#starts ??= lineStarts(this.#text));
    const start = starts[line - 1];
    if (start === undefined) return undefined;
    const end = starts[line] ?? this.#text.length + 1;
    let spans = this.#spans.get(line);
    if (!spans) {
      if (this.#spans.size >= MOST_LINES) this.#spans.clear();
      this.#spans.set(line, (spans = cellSpans(this.#text.slice(start, end - 1), this.#delimiter)));
    }
    return spans[cell];
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return starts;
}
