import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  forecastDecimals,
  dayAndClock,
  inDigits,
  inEnglish,
  inSignificant,
  writeNumbersIn,
} from '../../../src/calendar/digits.ts';
import { stepNoun } from '../../../src/calendar/format.ts';
import { axisLabels, levelName, valueFormat } from '../../../src/chart/frame.ts';

const src = fileURLToPath(new URL('../../../src/', import.meta.url));

/** Where numbers and dates are for programs, or the locale is a calendar's and nobody reads what comes of it. */
const FOR_PROGRAMS = ['digits.ts', 'frequency.ts', 'holidays.ts', 'zone.ts'].map((file) => path.join('calendar', file));

describe('formatted numbers', () => {
  afterEach(() => {
    writeNumbersIn('en');
  });

  it('have thousands groups and the requested decimals', () => {
    assert.deepEqual([inDigits(123_456), inDigits(1234.5678), inDigits(2, 1)], ['123,456', '1,234.568', '2.0']);
    assert.deepEqual([inSignificant(1234.56, 3), inSignificant(0.012345, 2)], ['1,230', '0.012']);
  });

  it('follow the display language, also on the axes of a chart', () => {
    writeNumbersIn('de');
    assert.deepEqual([inDigits(123_456), inDigits(0.5, 2), inSignificant(1234.56, 3)], ['123.456', '0,50', '1.230']);
    assert.equal(stepNoun(undefined, 12_345), '12.345 points');
    const values = Float64Array.of(12_626.03, -3.5);
    const { observed, predicted } = valueFormat(values);
    assert.deepEqual([observed(12_626.03), predicted(-3.5)], ['12.626,03', '−3,50']);
    assert.deepEqual(axisLabels([0, 1_500_000, 3_000_000]), ['0', '1,5M', '3,0M']);
    assert.equal(levelName(99.5), '99,5%');
    assert.equal(inEnglish(123_456), '123,456', 'what is always English');
    assert.equal(dayAndClock(new Date(2026, 10, 3, 12).getTime()).day, '3. Nov. 2026');
  });

  it('are English for an unknown language', () => {
    writeNumbersIn('no language_at all');
    assert.equal(inDigits(123_456), '123,456');
  });

  it('are formatted by this module alone', () => {
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
    assert.ok(files.length > 200);
    const raw = files
      .filter((file) => !FOR_PROGRAMS.includes(file))
      .flatMap((file) => {
        const lines = readFileSync(path.join(src, file), 'utf8').split('\n');
        return lines.flatMap((line, index) =>
          /toLocale\w*String|\bIntl\.NumberFormat|'en-(?:US|GB)'/.test(line) ? [`${file}:${String(index + 1)}`] : [],
        );
      });
    assert.deepEqual(raw, [], 'numbers that ignore the language: use inDigits or inSignificant');
  });
});

describe('digits of a forecast', () => {
  it('are those of the values, at least two significant ones', () => {
    assert.equal(forecastDecimals([112, 118, 132]), 0);
    assert.equal(forecastDecimals([1.25, 3.5]), 2);
    assert.equal(forecastDecimals([0, 1, 0, 0, 2]), 2, 'the forecast of small counts is not all zeros');
    assert.equal(forecastDecimals([1e-7, 3e-7]), 8);
    assert.equal(forecastDecimals([1e-30]), 9, 'no more than double arithmetic holds');
    assert.equal(forecastDecimals([0, 0]), 1);
    assert.equal(forecastDecimals([NaN]), 9);
  });

  it('follow from the narrowest interval, not from the digits of the values', () => {
    const interval = (half: number) => ({ lower: [100 - half, 100 - half, 0], upper: [100 + half, 100 + half, NaN] });
    const digits = (...halves: number[]) => forecastDecimals([12_626.03, 12_630.55], halves.map(interval));
    assert.deepEqual([digits(300), digits(29), digits(4), digits(0.31), digits(0.004)], [0, 0, 1, 2, 4]);
    assert.equal(digits(59, 4), 1, 'no limits fall together');
    assert.equal(digits(0), 2, 'an interval without width justifies nothing');
    assert.equal(forecastDecimals([1_026_321_482], [interval(5e7)]), 0);
  });
});
