import { readSeries } from '../../../src/reading/read.ts';
import { SeriesError } from '../../../src/reading/types.ts';

export interface Seed {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Pieces of text that files of numbers and times are broken with. */
const PIECES = [
  ',', ';', '\t', '|', ' ', '"', '""', "'", '\n', '\r', '\r\n', '\n\n', '#', '# note\n', '//', '\\', '{', '}', '[', ']', ':', 'null', 'NaN',
  'Infinity', '-Infinity', 'N/A', '-', '1e999', '-0', '1,5', '1.5', '1.234', '1,234', '1.234.567,89', '0x1F', '٣', '１', '\u2212' + '5',
  '(12)', '12%', '$5', '2021-02-30', '31/01/2021', '01/31/2021', '1/2/21', '2021-W53', '2021-Q5', '1609459200', '1609459200000', 'Jan 2021',
  '24:00', '23:59:60', '2021-03-28T02:30:00+01:00', '0000-00-00', '9999-12-31', '-000001-01-01', '\ufeff', '\u0000', '\u00a0', '\ud800', '__proto__',
  'constructor', '=1+1', 'true',
]; // prettier-ignore

/** A Lehmer generator: whole numbers below a bound, the same for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = (seed % 2147483646) + 1;
  return (below) => (state = (state * 48271) % 2147483647) % below;
}

function splice(bytes: Uint8Array, at: number, remove: number, insert: Uint8Array): Uint8Array {
  const out = new Uint8Array(Math.max(0, bytes.length - remove) + insert.length);
  out.set(bytes.subarray(0, at));
  out.set(insert, at);
  out.set(bytes.subarray(at + remove), at + insert.length);
  return out;
}

function mutate(bytes: Uint8Array, seeds: readonly Seed[], random: (below: number) => number): Uint8Array {
  const at = random(bytes.length + 1);
  const size = Math.min(bytes.length - at, 1 + random(20));
  const encoder = new TextEncoder();
  switch (random(8)) {
    case 0: {
      const flipped = bytes.slice();
      if (at < flipped.length) flipped[at] = random(256);
      return flipped;
    }
    case 1:
      return splice(bytes, at, size, new Uint8Array(0));
    case 2:
      return splice(bytes, at, 0, bytes.subarray(at, at + size));
    case 3:
      return bytes.slice(0, at);
    case 4: {
      const other = seeds[random(seeds.length)]!.bytes;
      const from = random(other.length);
      return splice(bytes, at, 0, other.subarray(from, from + random(300)));
    }
    case 5: {
      const [sign, other] = [',;\t| "\n.:-'.charCodeAt(random(10)), ',;\t| "\n.:-'.charCodeAt(random(10))];
      return bytes.map((byte) => (byte === sign ? other : byte));
    }
    default:
      return splice(bytes, at, random(2) * size, encoder.encode(PIECES[random(PIECES.length)]));
  }
}

/** Documents made of the seeds by one to four changes each, and some of random pieces only. */
export function* mutations(files: readonly Seed[], runs: number, seed: number): Iterable<Seed & { run: number }> {
  // Copies: a slice of a Node buffer is a view, and flipping its bytes would wear the files down.
  const seeds = files.map(({ name, bytes }) => ({ name, bytes: Uint8Array.from(bytes) }));
  for (let run = 0; run < runs; run++) {
    const random = randomFrom(seed * 1_000_003 + run * 7919);
    random(2);
    const { name, bytes } = seeds[random(seeds.length)]!;
    if (run % 10 === 9) {
      const pieces = Array.from({ length: random(60) }, () => PIECES[random(PIECES.length)]);
      yield { name, bytes: new TextEncoder().encode(pieces.join('')), run };
      continue;
    }
    let changed: Uint8Array = bytes.subarray(0, 200 + random(bytes.length));
    for (let count = 1 + random(4); count > 0; count--) changed = mutate(changed, seeds, random);
    yield { name, bytes: changed, run };
  }
}

/**
 * What is wrong with how a document is read, or `read` or `refused` where nothing is: a crash, a series that breaks its
 * promises, a value that no cell of the document holds without any problem being reported.
 */
export function violation(bytes: Uint8Array, fileName: string): string {
  try {
    const { series, problems } = readSeries(bytes, { fileName, missing: 'report' });
    const text = Buffer.from(bytes).toString('latin1');
    const lines = text.split(/\r\n?|\n/).length;
    for (const { line, message } of problems) {
      if (!(line >= 1 && line <= lines)) return `line ${line} of ${lines}: ${message}`;
    }
    if (new Set(series.map(({ id }) => id)).size < series.length) return 'two series have one id';
    const digits = text.replace(/\D/g, '');
    const rounded = /\d[\d.,]{12}/.test(text);
    for (const { times, values, points, missing, gaps, duplicates, aggregate } of series) {
      const invented =
        duplicates > 0 || aggregate ? undefined : values.find((value) => !isWritten(value, digits, rounded));
      if (invented !== undefined) return `${invented} stands nowhere in the document`;
      if (times.length !== values.length || points + missing !== times.length || points < 1)
        return 'counts do not add up';
      if (gaps < 0 || duplicates < 0) return 'a count below zero';
      for (let i = 0; i < times.length; i++) {
        if (!Number.isFinite(times[i])) return 'a time that is none';
        if (i > 0 && !(times[i]! > times[i - 1]!)) return 'times do not rise';
        if (values[i] === Infinity || values[i] === -Infinity) return 'an infinite value';
      }
    }
    return 'read';
  } catch (error) {
    if (!(error instanceof SeriesError))
      return `crash: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    return error.message.length > 10 && error.message.length < 500 ? 'refused' : `no sentence: ${error.message}`;
  }
}

/**
 * Whether the digits of a value stand in the document, whatever signs stand between them. Numbers of more digits than a
 * double holds are rounded; of those the first ones must stand there.
 */
function isWritten(value: number, digits: string, rounded: boolean): boolean {
  if (Number.isNaN(value)) return true;
  const own = String(Math.abs(value))
    .replace(/e.*$/, '')
    .replace('.', '')
    .replace(/^0+|0+$/g, '');
  return digits.includes(own) || (rounded && digits.includes(own.slice(0, 6)));
}
