import { said } from './phrase.ts';
import { type DocumentKind, type ReadOptions, SeriesError, type SeriesDocument } from './types.ts';
import { assemble } from './report/document.ts';
import { Decoder } from './text/encoding.ts';
import { DelimitedReader, headEnd } from './text/delimited.ts';
import { jsonOf, JsonReader } from './json/json.ts';
import type { PlaceName } from './report/problems.ts';

/** Reads the series of a document: delimited text, JSON or NDJSON, told apart by what is in it. @throws SeriesError */
export function readSeries(text: string | Uint8Array, options: ReadOptions): SeriesDocument {
  const reader = new SeriesReader(options);
  reader.push(text);
  return reader.finish();
}

/** Bytes decoded at a time, so that a large document is never in memory as text. */
const DECODED_SIZE = 1_000_000;
/** Reads a document part by part. Of delimited text and NDJSON only columns of numbers are kept; JSON is read whole. */
export class SeriesReader {
  readonly #options: ReadOptions;
  readonly #placeName: PlaceName | undefined;
  readonly #title: string;
  readonly #decoder: Decoder;
  #head = '';
  #pendingReturn = false;
  #body: DelimitedReader | JsonReader | undefined;

  constructor(options: ReadOptions, placeName?: PlaceName, title = '') {
    this.#title = title;
    this.#options = options;
    this.#placeName = placeName;
    this.#decoder = new Decoder(options.fileName);
  }

  push(part: string | Uint8Array): void {
    if (typeof part === 'string') {
      this.#take(part);
      return;
    }
    for (let at = 0; at < part.length; at += DECODED_SIZE) {
      this.#take(this.#decoder.push(part.subarray(at, at + DECODED_SIZE)));
    }
  }

  finish(): SeriesDocument {
    this.#take(this.#decoder.finish());
    if (this.#pendingReturn) this.#feed('\n');
    const { fileName } = this.#options;
    if (!this.#body) this.#begin();
    if (!this.#body) {
      const words = said`${fileName} is empty. Open a file with a column of times and a column of numbers.`;
      throw new SeriesError('empty', words);
    }
    const { tables, format, cells } = this.#body.finish();
    if (this.#title !== '') for (const table of tables) table.preamble = [this.#title, ...table.preamble];
    const { encoding } = this.#decoder;
    return assemble(tables, { ...format, encoding }, this.#options, { cells, placeName: this.#placeName });
  }

  #take(text: string): void {
    if (text === '') return;
    let lines = this.#pendingReturn ? `\r${text}` : text;
    this.#pendingReturn = lines.endsWith('\r');
    if (this.#pendingReturn) lines = lines.slice(0, -1);
    this.#feed(lines.includes('\r') ? lines.replace(/\r\n?/g, '\n') : lines);
  }

  #feed(text: string): void {
    if (this.#body) {
      this.#body.push(text);
      return;
    }
    this.#head += text;
    if (headEnd(this.#head) >= 0) this.#begin();
  }

  #begin(): void {
    const head = this.#head.startsWith('\ufeff') ? this.#head.slice(1) : this.#head;
    if (head.trim() === '') return;
    this.#head = '';
    const { fileName, layout = {} } = this.#options;
    const kind = kindOf(head, fileName);
    this.#body = kind === 'csv' ? new DelimitedReader(fileName, layout, head) : new JsonReader(fileName, kind);
    this.#body.push(head);
  }
}

function kindOf(head: string, fileName: string): DocumentKind {
  const ending = /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
  const areLines = ending === 'ndjson' || ending === 'jsonl';
  if (!/^\s*[[{]/.test(head)) return ending === 'json' ? 'json' : areLines ? 'ndjson' : 'csv';
  const [first = '', ...others] = head.trimStart().split('\n', 3);
  if (areLines || (others.some((line) => line.trim() !== '') && jsonOf(first) !== undefined)) return 'ndjson';
  if ((ending === 'csv' || ending === 'tsv') && !/^\s*(?:\[\s*[[{\d"-]|\{\s*["}])/.test(head)) return 'csv';
  return 'json';
}
