import { lines } from './helpers.ts';

const repeat = (text: string, size: number) => text.repeat(Math.ceil(size / text.length));
const blanks = (size: number) => ' '.repeat(size);
/** A column of dates and one of this cell, among numbers. */
const amongNumbers = (cell: string) =>
  `${lines(30, (row) => `2021-01-${String(row + 1).padStart(2, '0')};${row}`, 'date;y')}2021-02-01;${cell}\n`;
/** A column of times, one of which is this cell. */
const amongTimes = (cell: string) =>
  `${lines(30, (row) => `2021-01-${String(row + 1).padStart(2, '0')};${row}`, 'date;y')}${cell};1\n`;
/** The same cell in many rows; a smaller one in each, as there are many. */
const everywhere = (size: number, cell: (size: number) => string) =>
  lines(60, (row) => `${cell(size / 60)};${row}`, 'date;y');

type Make = (size: number) => string | Uint8Array;

const CELLS: Readonly<Record<string, (size: number) => string>> = {
  'a number, blanks, a word': (size) => `1${blanks(size)}x`,
  'blanks between signs': (size) => `(${blanks(size / 2)}-${blanks(size / 2)}x`,
  'an open parenthesis and blanks': (size) => `(${blanks(size)}`,
  'digits': (size) => '7'.repeat(size),
  'digits and a letter': (size) => `${'7'.repeat(size)}x`,
  'digits, a sign, digits': (size) => `${'7'.repeat(size / 2)}.${'7'.repeat(size / 2)}.`,
  'groups of three': (size) => `1${repeat(',234', size)}.x`,
  'groups of two': (size) => `1${repeat(',23', size)}x`,
  'minus signs': (size) => '-'.repeat(size),
  'parentheses': (size) => '('.repeat(size),
  'brackets': (size) => '['.repeat(size),
  'currencies': (size) => repeat('kr.', size),
  'apostrophes': (size) => "'".repeat(size),
  'a clock and blanks': (size) => `2021-01-31 ${blanks(size)}x`,
  'a clock and a zone without an end': (size) => `2021-01-31 10:00 (${repeat('(', size)}`,
  'slashes': (size) => `31/01${'/'.repeat(size)}2021`,
  'a day and blanks': (size) => `1 ${blanks(size)}Jan${blanks(size)} 2021`,
  'a month and dashes': (size) => `Jan${'-'.repeat(size)}`,
  'a weekday and blanks': (size) => `Fri${blanks(size)}Jan${blanks(size)}1 00:00:00${blanks(size)}2021x`,
  'letters': (size) => 'a'.repeat(size),
  'letters with accents': (size) => 'é'.repeat(size),
  'a span': (size) => `2021-01-31 00:00${repeat(' - ', size)}`,
  'zeros of a fraction': (size) => `0.${'0'.repeat(size)}1`,
  'dots': (size) => '.'.repeat(size),
  'NULs': (size) => '\u0000'.repeat(size),
  'exponents': (size) => repeat('1e', size),
}; // prettier-ignore

const cells = Object.entries(CELLS).flatMap(([name, cell]): [string, [string, Make]][] => [
  [`among numbers: ${name}`, ['a.csv', (size) => amongNumbers(cell(size))]],
  [`among times: ${name}`, ['a.csv', (size) => amongTimes(cell(size))]],
  [`in all rows: ${name}`, ['a.csv', (size) => everywhere(size, cell)]],
  [`in JSON: ${name}`, ['a.json', (size) => JSON.stringify([{ t: '2021-01-01', y: 1 }, { t: '2021-01-02', y: 2 }, { t: cell(size), y: cell(size) }])]],
  [`as a name: ${name}`, ['a.csv', (size) => `date;${cell(size)}\n2021-01-01;1\n2021-01-02;2\n`]],
]); // prettier-ignore

const DOCUMENTS: Readonly<Record<string, readonly [fileName: string, make: Make]>> = {
  'one line': ['a.csv', (size) => 'x'.repeat(size * 4)],
  'one line of NDJSON': ['a.ndjson', (size) => `[${repeat('1,', size * 4)}1]`],
  'line ends': ['a.csv', (size) => '\n'.repeat(size)],
  'returns': ['a.csv', (size) => '\r'.repeat(size)],
  'quotes, an odd number': ['a.csv', (size) => `a,b\n1,"${'""'.repeat(size / 2)}`],
  'quotes, each in a word': ['a.csv', (size) => `a,b\n${repeat('"x"y', size)}`],
  'quotes and blanks': ['a.csv', (size) => `a,b\n"${repeat('" ', size)}`],
  'a quote in each row': ['a.csv', (size) => lines(size / 8, (row) => `${row},"${row}`, 'a,b')],
  'a lone quote before many rows': ['a.csv', (size) => `a,b\n"1,2\n${lines(size / 8, (row) => `${row},${row}`)}`],
  'blanks in all rows': ['a.txt', (size) => lines(100, (row) => `${row}${blanks(size / 100)}${row + 1}${blanks(size / 100)}`)],
  'comment signs': ['a.csv', (size) => `${'#'.repeat(size)}\na,b\n1,2\n`],
  'comments': ['a.csv', (size) => `a,b\n1,2\n${lines(size / 4, () => '//')}2,3\n`],
  'blanks before comment signs': ['a.csv', (size) => lines(50, () => `${blanks(size / 50)}#`)],
  'many columns': ['a.csv', (size) => lines(4, (row) => Array.from({ length: size / 100 }, (_, column) => row + column).join())],
  'many columns of one name': ['a.csv', (size) => `${'a,'.repeat(size / 100)}a\n${'1,'.repeat(size / 100)}1\n${'2,'.repeat(size / 100)}2\n`],
  'many columns of times': ['a.csv', (size) => lines(4, (row) => Array.from({ length: size / 100 }, () => `2021-01-0${row + 1}`).join())],
  'many columns across': ['a.csv', (size) => lines(3, (row) => [`r${row}`, ...Array.from({ length: size / 100 }, (_, column) => (row === 0 ? column + 1 : row))].join())],
  'many columns of texts': ['a.csv', (size) => `date,${Array.from({ length: 400 }, (_, c) => `c${c}`).join()},y\n${lines(size / 5000, (row) => `2021-01-0${(row % 5) + 1},${Array.from({ length: 400 }, (_, c) => `t${(row * c) % 7}`).join()},${row}`)}`],
  'wide rows, then narrow ones': ['a.csv', (size) => `${lines(25, () => repeat('1,', size / 25))}${lines(size / 2, () => '1')}`],
  'bad cells in two rows': ['a.csv', (size) => `${lines(20, (row) => Array.from({ length: size / 200 }, () => row).join())}${lines(2, () => Array.from({ length: size / 200 }, () => 'x1').join())}`],
  'rows from the newest': ['a.csv', (size) => lines(size / 20, (row) => `${new Date(1.6e12 - row * 86_400_000).toISOString().slice(0, 10)},${row}`, 'date,y')],
  'rows of one instant': ['a.csv', (size) => lines(size / 20, (row) => `2021-01-01,${row}`, 'date,y')],
  'many zones': ['a.csv', (size) => lines(size / 30, (row) => `2021-01-01T00:00:00+${String(row % 12).padStart(2, '0')}:00,${row}`, 'date,y')],
  'NULs alone': ['a.csv', (size) => new Uint8Array(size)],
  'NULs behind a text': ['a.csv', (size) => new TextEncoder().encode(`a,b\n1,2\n${'\u0000'.repeat(size)}`)],
  'bytes that are no text': ['a.csv', (size) => new Uint8Array(size).map((_, at) => (at * 73) % 251 | 1)],
  'surrogates': ['a.csv', (size) => '\ud83d\ude00'.repeat(size / 2)],
  'nested arrays': ['a.json', (size) => '['.repeat(size)],
  'nested and closed arrays': ['a.json', (size) => `${'['.repeat(size / 2)}${']'.repeat(size / 2)}`],
  'nested objects': ['a.json', (size) => `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`],
  'nested objects in rows': ['a.ndjson', (size) => lines(size / 600, () => `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`)],
  'rows with ever new names': ['a.json', (size) => JSON.stringify(Array.from({ length: size / 30 }, (_, row) => ({ [`k${row}`]: row })))],
  'lines with ever new names': ['a.ndjson', (size) => lines(size / 30, (row) => `{"k${row}":${row}}`)],
  'maps of maps': ['a.json', (size) => JSON.stringify(Object.fromEntries([['first', Object.fromEntries(Array.from({ length: size / 20 }, (_, key) => [key, 1]))], ...Array.from({ length: size / 20 }, (_, key) => [`k${key}`, { 0: 1 }])]))],
  'a split table without cells': ['a.json', (size) => JSON.stringify({ columns: Array.from({ length: size / 20 }, (_, column) => `c${column}`), data: Array.from({ length: size / 20 }, () => []) })],
  'a broken string': ['a.json', (size) => `[{"a":"${'x'.repeat(size)}`],
  'backslashes': ['a.json', (size) => `[{"a":"${'\\'.repeat(size)}",]`],
  'escaped quotes in broken JSON': ['a.json', (size) => `[{"a":"${'\\"'.repeat(size / 2)}"},,]`],
  'strings in broken JSON': ['a.json', (size) => `[${'"a",'.repeat(size / 4)}x]`],
  'blanks in broken JSON': ['a.json', (size) => `[1,${blanks(size)}x]`],
  'digits in broken JSON': ['a.json', (size) => `[1,${'7'.repeat(size)}x]`],
}; // prettier-ignore

/** Documents that are made to be slow to read, by what is in them; `size` is about how many characters they have. */
export const HOSTILE: typeof DOCUMENTS = { ...Object.fromEntries(cells), ...DOCUMENTS };
