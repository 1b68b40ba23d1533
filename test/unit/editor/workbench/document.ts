import type { URI } from 'vscode-uri';
import { Position, Range, type WorkspaceEdit } from './values.ts';

/** A document that is open in an editor. */
export class TextDocument {
  readonly uri: URI;
  readonly languageId: string;
  isDirty: boolean;
  /** Counts its edits. */
  version = 1;
  #text: string;
  #split: readonly string[] | undefined;

  constructor(uri: URI, text: string, { isDirty = false, languageId = 'plaintext' } = {}) {
    this.uri = uri;
    this.#text = text;
    this.isDirty = isDirty;
    this.languageId = languageId;
  }

  get isUntitled(): boolean {
    return this.uri.scheme === 'untitled';
  }

  get lineCount(): number {
    return this.#lines.length;
  }

  get #lines(): readonly string[] {
    return (this.#split ??= this.#text.split(/\r\n|\r|\n/));
  }

  getText(range?: Range): string {
    if (!range) return this.#text;
    const [from, to] = [range.start, range.end].map((position) => this.offsetAt(position));
    return this.#text.slice(from, to);
  }

  lineAt(line: number) {
    const text = this.#lines[line];
    if (text === undefined) throw new Error('Illegal value for `line`');
    const range = new Range(line, 0, line, text.length);
    const isLast = line === this.lineCount - 1;
    return { text, range, rangeIncludingLineBreak: isLast ? range : new Range(line, 0, line + 1, 0) };
  }

  offsetAt({ line, character }: Position): number {
    const breaks = [...this.#text.matchAll(/\r\n|\r|\n/g)];
    const before = line === 0 ? undefined : breaks[line - 1];
    const start = line === 0 ? 0 : before ? before.index + before[0].length : this.#text.length;
    return Math.min(start + character, this.#text.length);
  }

  positionAt(offset: number): Position {
    const lines = this.#text.slice(0, offset).split(/\r\n|\r|\n/);
    return new Position(lines.length - 1, lines.at(-1)!.length);
  }

  validateRange({ start, end }: Range): Range {
    return new Range(this.#validate(start), this.#validate(end));
  }

  #validate({ line, character }: Position): Position {
    const last = Math.min(line, this.lineCount - 1);
    return new Position(last, line > last ? Infinity : Math.min(character, this.#lines[last].length));
  }

  /** What an edit of the person, or a quick fix, makes of it. */
  apply({ edits }: WorkspaceEdit): void {
    const own = edits.filter(({ uri }) => uri.toString() === this.uri.toString());
    const ordered = own.toSorted((a, b) => this.offsetAt(b.range.start) - this.offsetAt(a.range.start));
    for (const { range, text } of ordered) {
      const [from, to] = [this.offsetAt(range.start), this.offsetAt(range.end)];
      this.#text = this.#text.slice(0, from) + text + this.#text.slice(to);
    }
    this.#split = undefined;
    if (own.length > 0) this.version++;
    this.isDirty ||= own.length > 0;
  }
}
