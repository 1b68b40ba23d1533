import { said } from './phrase.ts';
import { assemble } from './report/document.ts';
import { CellFinder } from './text/cell-range.ts';
import { Decoder } from './text/encoding.ts';
import { DelimitedReader } from './text/delimited.ts';
import { headEnd } from './text/head.ts';
import { LONGEST_JSON, NdjsonReader, readJson, tooLong } from './json/json.ts';
import type { PlaceName } from './report/problems.ts';
import { SeriesError, type ReadOptions, type SeriesDocument } from './types.ts';

/**
 * Reads the series of a document: delimited text (comma, semicolon, tab, pipe, blanks), JSON or NDJSON, told apart by
 * what is in it. Text is taken as it is; bytes are decoded first (UTF-8, UTF-16, windows-1252).
 *
 * Throws a {@link SeriesError} with a sentence for people where nothing can be read (empty, no numbers, broken JSON, no
 * text at all), where the layout names a column that is not there, and, unless `missing` says otherwise, at the first cell
 * that is no number or no time.
 */
export function readSeries(text: string | Uint8Array, options: ReadOptions): SeriesDocument {
  const reader = new SeriesReader(options);
  reader.push(text);
  return reader.finish();
}

/** Bytes decoded at a time, so that a large document is never held as text. */
const DECODED_SIZE = 1_000_000;
/** Larger documents report problems by line only. */
const KEPT_SIZE = 10_000_000;

type Body =
  | { kind: 'csv'; reader: DelimitedReader }
  | { kind: 'ndjson'; reader: NdjsonReader }
  | { kind: 'json'; parts: string[] };

/**
 * The same for a document that arrives in parts, such as the stream of a large file. Of delimited text and of NDJSON only
 * columns of numbers are kept, so that 5,000,000 rows need a few hundred megabytes; JSON is held until it is whole.
 */
export class SeriesReader {
  readonly #options: ReadOptions;
  readonly #placeName: PlaceName | undefined;
  readonly #title: string;
  readonly #decoder: Decoder;
  #head = '';
  #pendingReturn = false;
  #body: Body | undefined;
  /** The text of a document that is not large, to find the cells that problems are reported of. */
  #kept: string[] | undefined = [];
  #size = 0;

  /**
   * @param placeName what places are called where the text stands for a file that is none
   * @param title what stands above all rows, such as the name of a sheet
   */
  constructor(options: ReadOptions, placeName?: PlaceName, title = '') {
    this.#title = title;
    this.#options = options;
    this.#placeName = placeName;
    this.#decoder = new Decoder(options.fileName);
  }

  /** Takes the next part; all parts are text, or all are bytes. */
  push(part: string | Uint8Array): void {
    if (typeof part === 'string') {
      this.#take(part);
      return;
    }
    for (let at = 0; at < part.length; at += DECODED_SIZE) {
      this.#take(this.#decoder.push(part.subarray(at, at + DECODED_SIZE)));
    }
  }

  /** Takes what is left and gives the document. */
  finish(): SeriesDocument {
    this.#take(this.#decoder.finish());
    if (this.#pendingReturn) this.#feed('\n');
    const { fileName } = this.#options;
    if (!this.#body) this.#begin();
    const body = this.#body;
    if (!body)
      throw new SeriesError(
        'empty',
        said`${fileName} is empty. Open a file with a column of times and a column of numbers.`,
      );
    const { encoding } = this.#decoder;
    if (body.kind === 'json') {
      const tables = readJson(body.parts.join(''), fileName);
      return assemble(tables, { kind: 'json', encoding, header: false, skippedLines: 0 }, this.#options);
    }
    if (body.kind === 'ndjson') {
      return assemble(
        body.reader.finish(),
        { kind: 'ndjson', encoding, header: false, skippedLines: 0 },
        this.#options,
      );
    }
    const { table, dialect } = body.reader.finish();
    if (this.#title !== '') table.preamble = [this.#title, ...table.preamble];
    const format = {
      kind: 'csv',
      encoding,
      delimiter: dialect.delimiter,
      header: dialect.header !== undefined,
      skippedLines: dialect.linesBefore,
    } as const;
    const cells = this.#kept && new CellFinder(this.#kept.join(''), dialect.delimiter);
    return assemble([table], format, this.#options, cells, this.#placeName);
  }

  /** Makes all line ends `\n`, also where one is cut in two. */
  #take(text: string): void {
    if (text === '') return;
    let lines = this.#pendingReturn ? `\r${text}` : text;
    this.#pendingReturn = lines.endsWith('\r');
    if (this.#pendingReturn) lines = lines.slice(0, -1);
    this.#feed(lines.includes('\r') ? lines.replace(/\r\n?/g, '\n') : lines);
  }

  #feed(text: string): void {
    this.#size += text.length;
    if (this.#body?.kind === 'json' && this.#size > LONGEST_JSON) throw tooLong(this.#options.fileName);
    if (this.#size > KEPT_SIZE) this.#kept = undefined;
    this.#kept?.push(text);
    if (this.#body) {
      feed(this.#body, text);
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
    this.#body =
      kind === 'csv'
        ? { kind, reader: new DelimitedReader(fileName, layout) }
        : kind === 'ndjson'
          ? { kind, reader: new NdjsonReader(fileName) }
          : { kind, parts: [] };
    feed(this.#body, head);
  }
}

function feed(body: Body, text: string): void {
  if (body.kind === 'json') body.parts.push(text);
  else body.reader.push(text);
}

/** JSON begins with a bracket; where its first line is a whole value and more lines follow, each line is one. */
function kindOf(head: string, fileName: string): 'csv' | 'json' | 'ndjson' {
  const ending = /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase();
  if (!/^\s*[[{]/.test(head))
    return ending === 'json' ? 'json' : ending === 'ndjson' || ending === 'jsonl' ? 'ndjson' : 'csv';
  const lines = head.trimStart().split('\n', 3);
  const whole = isJson(lines[0] ?? '');
  if (whole && lines.slice(1).some((line) => line.trim() !== '')) return 'ndjson';
  if (ending === 'ndjson' || ending === 'jsonl') return 'ndjson';
  if ((ending === 'csv' || ending === 'tsv') && !/^\s*(?:\[\s*[[{\d"-]|\{\s*["}])/.test(head)) return 'csv';
  return 'json';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
