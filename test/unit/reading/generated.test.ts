import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isoInstant } from '../../../src/calendar/format.ts';
import { type Frequency, addSteps } from '../../../src/calendar/frequency.ts';
import { readSeries } from '../../../src/reading/read.ts';
import { MONTHS_EN, pad } from './helpers.ts';

/** A way to write files: everything that people vary. */
interface Style {
  delimiter: ',' | ';' | '\t' | '|';
  decimal: '.' | ',';
  group: string;
  quote: boolean;
  header: boolean;
  lineEnd: string;
  bom: boolean;
  date: keyof typeof DATES;
  missing: string;
}

const parts = (time: number) => {
  const date = new Date(time);
  return { y: date.getUTCFullYear(), m: date.getUTCMonth() + 1, d: date.getUTCDate(), clock: isoInstant(time).slice(11, 16) };
}; // prettier-ignore

const DATES = {
  iso: (time: number) => isoInstant(time),
  blank: (time: number) => isoInstant(time).slice(0, 19).replace('T', ' '),
  slashes: (time: number) => isoInstant(time).slice(0, 16).replaceAll('-', '/').replace('T', ' '),
  dots: (time: number) => `${pad(parts(time).d)}.${pad(parts(time).m)}.${parts(time).y} ${parts(time).clock}`,
  names: (time: number) => `${parts(time).d} ${MONTHS_EN[parts(time).m - 1]} ${parts(time).y} ${parts(time).clock}`,
  offset: (time: number) => `${isoInstant(time + 2 * 3_600_000).slice(0, 19)}+02:00`,
  seconds: (time: number) => String(time / 1000),
  milliseconds: (time: number) => String(time),
  us: (time: number) => `${parts(time).m}/${parts(time).d}/${parts(time).y} ${parts(time).clock}`,
  compact: (time: number) => isoInstant(time).slice(0, 16).replaceAll(/[-:]/g, '').replace('T', ''),
} satisfies Record<string, (time: number) => string>;

const style = fc.record<Style>({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  decimal: fc.constantFrom('.', ','),
  group: fc.constantFrom('', '', "'", '\u00a0', 'other'),
  quote: fc.boolean(),
  header: fc.boolean(),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  bom: fc.boolean(),
  date: fc.constantFrom(...(Object.keys(DATES) as (keyof typeof DATES)[])),
  missing: fc.constantFrom('', 'NA', 'null', 'n/a', '-', '#N/A'),
});

const frequencies: Frequency[] = [
  { unit: 'minute', count: 5 },
  { unit: 'minute', count: 30 },
  { unit: 'hour', count: 1 },
  { unit: 'day', count: 1 },
  { unit: 'week', count: 1 },
  { unit: 'month', count: 1 },
];

function writeNumber(value: number, { decimal, group }: Style): string {
  if (Number.isNaN(value)) return '';
  const [whole = '', fraction] = String(Math.abs(value)).split('.');
  const sign = group === 'other' ? (decimal === '.' ? ',' : '.') : group;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, sign);
  return `${value < 0 ? '-' : ''}${grouped}${fraction === undefined ? '' : decimal + fraction}`;
}

function writeFile(times: number[], values: number[], how: Style): string {
  const cell = (text: string) => (how.quote || text.includes(how.delimiter) ? `"${text}"` : text);
  const row = (cells: string[]) => cells.map(cell).join(how.delimiter) + how.lineEnd;
  const body = times.map((time, i) => {
    const value = values[i]!;
    return row([DATES[how.date](time), Number.isNaN(value) ? how.missing : writeNumber(value, how)]);
  });
  return (how.bom ? '\ufeff' : '') + (how.header ? row(['when', 'load']) : '') + body.join('');
}

/** Values that tell the decimal sign: one has four digits behind it. */
const value = fc.oneof(
  fc.integer({ min: -2_000_000, max: 2_000_000 }),
  fc.integer({ min: -2_000_000_000, max: 2_000_000_000 }).map((n) => n / 10_000),
  fc.constant(NaN),
);

describe('readSeries of generated files', () => {
  it('reads every value and time exactly in any notation', () => {
    fc.assert(
      fc.property(
        style,
        fc.constantFrom(...frequencies),
        fc.array(value, { minLength: 20, maxLength: 60 }),
        fc.integer({ min: 0, max: 40 * 365 }),
        (how, frequency, drawn, day) => {
          const values = [1234.5678, ...drawn, 0.25];
          const start = Date.parse('1990-02-13') + day * 86_400_000;
          const times = values.map((_, step) => addSteps(start, frequency, step));
          const document = readSeries(writeFile(times, values, how), { fileName: 'x.csv', missing: 'report' });
          assert.equal(document.series.length, 1, JSON.stringify(document.series.map(({ id }) => id)));
          const [series] = document.series;
          assert.deepEqual([...(series?.values ?? [])], values);
          // Which of day and month is first can stay open in so few rows; then the person is asked.
          if (document.choices.length === 0) assert.deepEqual([...(series?.times ?? [])], times);
          assert.ok(document.choices.every(({ kind }) => kind === 'date-order'));
          assert.equal(document.problemCount - document.problems.filter(({ kind }) => kind === 'gap').length, 0);
        },
      ),
      { numRuns: 300 },
    );
  });
});
