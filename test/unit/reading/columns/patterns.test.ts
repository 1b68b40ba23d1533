import assert from 'node:assert/strict';
import { zoneOf } from '../../../../src/calendar/zone.ts';
import type { TimeAxis } from '../../../../src/reading/columns/column.ts';
import { describeTimes, formatPattern } from '../../../../src/reading/columns/patterns.ts';
import { TIME_FORMATS } from '../../../../src/reading/values/dates.ts';

const axis = (format: TimeAxis['format'], samples: readonly string[]): TimeAxis =>
  ({ times: new Float64Array(), kind: 'date', columns: ['time'], bad: [], badCount: 0, format, samples }) as TimeAxis;

/** Cells of a column, the pattern that they are written in, and that they are written again as they were. */
function written(format: TimeAxis['format'], pattern: string, ...cells: readonly string[]): void {
  assert.equal(describeTimes(axis(format, cells)), pattern);
  const { parse } = TIME_FORMATS.find(({ id }) => id === format)!;
  for (const cell of cells) assert.equal(formatPattern(parse(cell), pattern), cell);
}

describe('time pattern of a column', () => {
  it('describes numeric dates, padded or not', () => {
    written('iso', 'YYYY-MM-DD', '2024-01-31', '2024-11-02');
    written('iso', 'YYYY/M/D', '2024/1/31', '2024/11/2');
    written('mdy', 'M/D/YYYY', '1/31/2024', '11/2/2024');
    written('dmy', 'DD.MM.YY', '31.01.24', '02.11.24');
    written('iso', 'YYYY-MM-DD[T]HH:mm:ss.SSS[Z]', '2024-01-31T13:05:09.250Z');
  });

  it('describes 12-hour clocks', () => {
    written('mdy', 'M/D/YYYY hh:mm A', '1/31/2024 01:05 PM', '2/1/2024 12:00 AM');
    written('mdy', 'M/D/YYYY h:mm A', '1/31/2024 1:05 PM', '2/1/2024 12:00 PM');
    written('mdy', 'M/D/YYYY h:mm a', '1/31/2024 1:05 pm', '2/1/2024 12:00 am');
    written('mdy', 'M/D/YYYY h:mmaaaaa', '1/31/2024 1:05p', '2/1/2024 12:30a');
  });

  it('describes compact times without separators', () => {
    written('compact', 'YYYYMMDD', '20240131');
    written('compact', 'YYYYMMDD[T]HHmm', '20240131T1305');
    written('compact', 'YYYYMMDD[T]HHmmss[Z]', '20240131T130509Z');
    written('compact', 'YYYYMMDD HH:mm:ss', '20240131 13:05:09');
    written('compact', 'YYYYMMDD:HHmm', '20240131:1305');
    written('iso', 'YYYY-MM-DD[T]HH', '2024-01-31T13');
    written('compact-month', 'YYYYMM', '202401');
    written('year', 'YYYY', '2024');
  });

  it('describes English month names', () => {
    written('names', 'MMM-YY', 'Jan-24', 'Nov-24');
    written('names', 'MMMM YYYY', 'January 2024', 'November 2024');
    written('names', 'D-MMM-YYYY', '1-Jan-2024', '30-Nov-2024');
    written('names', 'DD MMM YYYY', '01 Jan 2024', '30 Nov 2024');
    written('names', 'MMMM D, YYYY', 'January 5, 2024', 'November 30, 2024');
    written('names', 'MMMM YYYY', 'May 2024', 'June 2024');
    written('names', 'EEE, D MMM YYYY HH:mm', 'Fri, 5 Jan 2024 13:05', 'Sat, 6 Jan 2024 13:05');
  });

  it('describes times as C, Java and others write them', () => {
    written('names', 'EEE MMM e HH:mm:ss YYYY', 'Mon Jan  1 10:00:00 2024', 'Wed Jan 31 10:00:00 2024');
    written('names', 'EEE MMM DD HH:mm:ss [UTC] YYYY', 'Mon Jan 01 10:00:00 UTC 2024');
    written('names', 'EEE MMM D HH:mm:ss YYYY', 'Mon Jan 1 10:00:00 2024', 'Wed Jan 31 10:00:00 2024');
    const ofC = (...cells: string[]) => ({ ...axis('names', cells), zone: zoneOf('America/New_York') });
    const pattern = describeTimes(ofC('Sat Mar  9 10:00:00 EST 2024', 'Sun Mar 10 10:00:00 EDT 2024'));
    assert.equal(pattern, 'EEE MMM e HH:mm:ss {EST|EDT} YYYY');
    for (const cell of ['Fri Nov  1 00:00:00 EDT 2024', 'Mon Nov  4 00:00:00 EST 2024']) {
      const { parse } = TIME_FORMATS.find(({ id }) => id === 'names')!;
      assert.equal(formatPattern(parse(cell), pattern!, zoneOf('America/New_York')), cell);
    }
    assert.equal(describeTimes(ofC('Fri Jan  1 10:00:00 EST 2024')), undefined, 'it was a Monday');
  });

  it('describes months, quarters and weeks', () => {
    written('month', 'YYYY-MM', '2024-01', '2024-11');
    written('month', 'M/YYYY', '1/2024', '11/2024');
    written('dotted-month', 'MM.YYYY', '01.2024');
    written('quarter', 'YYYY-[Q]Q', '2024-Q3');
    written('quarter', '[Q]Q YYYY', 'Q3 2024');
    written('quarter', 'Q. [Quartal] YYYY', '3. Quartal 2024', '4. Quartal 2024');
    written('week', 'YYYY-[W]WW', '2020-W53', '2021-W01');
    written('week', '[KW] WW/YYYY', 'KW 53/2020', 'KW 01/2021');
    written('season', 'YYYY-NN', '2020-21', '2021-22');
    written('season', '[FY]YYYY/NN', 'FY1999/00', 'FY2000/01');
    written('season', '[FY]YY', 'FY20', 'FY21');
    for (const [format, ...cells] of [['quarter', '1st quarter 2024', '2nd quarter 2024'], ['week', '9. KW 2024', '10. KW 2024'], ['iso', '2024/1/8(月)', '2024/1/9(火)']] as const)
      assert.equal(describeTimes(axis(format, cells)), undefined, 'where one pattern does not write all of them'); // prettier-ignore
  });

  it('describes epoch seconds and serial days', () => {
    const time = Date.UTC(2024, 0, 31, 12);
    assert.equal(formatPattern(time, 'epoch-s'), '1706702400');
    assert.equal(formatPattern(time, 'epoch-ms'), '1706702400000');
    assert.equal(formatPattern(time, 'epoch-us'), '1706702400000000');
    assert.equal(formatPattern(time, 'epoch-ns'), '1706702400000000000');
    assert.equal(formatPattern(time, 'serial-day'), '45322.5');
    assert.equal(formatPattern(Date.UTC(2024, 3, 1), 'decimal-year'), '2024.25');
    assert.equal(describeTimes(axis('epoch-ms', ['1706702400000'])), 'epoch-ms');
  });

  it('is undefined for month names of other languages, several columns and no times', () => {
    assert.equal(describeTimes(axis('names', ['5. März 2024'])), undefined);
    assert.equal(describeTimes(axis('names', ['Januar 2024', 'Februar 2024'])), undefined);
    assert.equal(describeTimes(axis('names', ['Apr 2024', 'Mai 2024'])), undefined);
    assert.equal(describeTimes(axis('half', ['2024H1'])), undefined);
    assert.equal(describeTimes(axis('iso', [])), undefined);
    assert.equal(describeTimes({ ...axis('iso', ['2024-01-01']), columns: ['date', 'hour'] }), undefined);
    // not all of one shape
    assert.equal(describeTimes(axis('iso', ['2024-01-01', '2024-01-01 12:00'])), undefined);
  });

  it('writes the UTC offset that applies at each time, in the notation of the file', () => {
    const berlin = zoneOf('Europe/Berlin');
    const [winter, summer] = [Date.UTC(2024, 0, 1, 12), Date.UTC(2024, 6, 1, 12)];
    const pattern = describeTimes(axis('iso', ['2024-01-01T13:00:00+01:00']))!;
    assert.equal(formatPattern(winter, pattern, berlin), '2024-01-01T13:00:00+01:00');
    assert.equal(formatPattern(summer, pattern, berlin), '2024-07-01T14:00:00+02:00');
    const short = describeTimes(axis('iso', ['2024-01-01 13:00+01']))!;
    assert.equal(formatPattern(summer, short, berlin), '2024-07-01 14:00+02');
    assert.equal(formatPattern(summer, short, zoneOf('+05:30')), '2024-07-01 17:30+0530');
    const plain = describeTimes(axis('iso', ['2024-01-01T13:00:00+0100']))!;
    assert.equal(formatPattern(summer, plain, berlin), '2024-07-01T14:00:00+0200');
    const utc = describeTimes(axis('iso', ['2024-01-01T13:00:00Z']))!;
    assert.equal(formatPattern(summer, utc, berlin), '2024-07-01T12:00:00Z');
  });
});
