import assert from 'node:assert/strict';
import { parseClock, readZone, type WrittenZone } from '../../../src/calendar/timestamp.ts';

const HOUR = 3_600_000;
/** Hours since midnight of a clock, and ahead of UTC. */
const read = (text: string) => {
  const clock = parseClock(text);
  return clock && [clock.inDay / HOUR, clock.offset / HOUR];
};

describe('clock', () => {
  it('is read in 24-hour and 12-hour form', () => {
    assert.deepEqual(read('13:30'), [13.5, 0]);
    assert.deepEqual(read('13h30'), [13.5, 0]);
    assert.deepEqual(read('13.30'), [13.5, 0]);
    assert.deepEqual(read('1:30 PM'), [13.5, 0]);
    assert.deepEqual([read('12 am'), read('12:00 a.m.'), read('12pm')], [[0, 0], [0, 0], [12, 0]]); // prettier-ignore
    assert.deepEqual(
      [read('12:30a'), read('1:30:00P')],
      [
        [0.5, 0],
        [13.5, 0],
      ],
    );
    assert.deepEqual(read('24:00'), [24, 0], 'midnight at the end of a day');
  });

  it('has fractional seconds to the nanosecond, and a leap second', () => {
    assert.equal(parseClock('00:00:00.25')?.inDay, 250);
    assert.equal(parseClock('00:00:01,000001')?.inDay, 1000.001);
    assert.equal(parseClock('23:59:60')?.inDay, 24 * HOUR);
  });

  it('is not an impossible time or a bare number', () => {
    for (const text of ['13', '5a', '12P', '9.30a', '25:00', '24:01', '13:60', '13:00:61', '13:00 PM', '0:30 AM', '13:00 nowhere', '13:00 +16:00', '', '1:2', `13:00 ${'x'.repeat(80)}`])
      assert.equal(parseClock(text), undefined, text); // prettier-ignore
  });
});

describe('zone after a clock', () => {
  it('is an offset, with or without a colon, minutes or a prefix', () => {
    for (const text of ['+05:30', '+0530', 'UTC+05:30', 'GMT+0530', '+05:30 (India Standard Time)', 'UTC+5:30'])
      assert.equal(readZone(text), 5.5 * HOUR, text);
    assert.deepEqual([readZone('GMT-5'), readZone('UTC+9'), readZone('-03')], [-5 * HOUR, 9 * HOUR, -3 * HOUR]);
    assert.ok(Object.is(readZone('-00:00'), 0));
  });

  it('is an abbreviation in any case', () => {
    assert.deepEqual([readZone('Z'), readZone('cet'), readZone('EDT'), readZone('IST')], [0, HOUR, -4 * HOUR, 5.5 * HOUR]); // prettier-ignore
    assert.equal(readZone('CET (Central European Time)'), HOUR);
    assert.deepEqual(read('1:00 PM EST'), [13, -5]);
  });

  it('is not a bare number of hours, an excessive offset or more than 59 minutes', () => {
    for (const text of ['+5', '-5', '+15:30', '+01:75', '+1:', 'XYZ', '', 'UTC+', '+123456'])
      assert.equal(readZone(text), undefined, text);
  });

  it('is returned with its notation', () => {
    const written: WrittenZone = { offset: undefined, name: undefined };
    parseClock('13:00 CEST', written);
    assert.deepEqual(written, { offset: 2 * HOUR, name: 'CEST' });
    parseClock('13:00+09:00', written);
    assert.deepEqual(written, { offset: 9 * HOUR, name: undefined });
  });

  it('with many meaningless tags is refused at once', () => {
    // in twice the time for each tag, this would take years
    assert.equal(readZone(`+01:00[UTC]${'[!]'.repeat(60)}x`), undefined);
    assert.equal(readZone(`+01:00[Europe/Berlin]${'[!u-ca=gregory]'.repeat(4)}`), 3_600_000);
  });
});
