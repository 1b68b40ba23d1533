import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isoInstant } from '../../../src/calendar/format.ts';
import { parseTimestamp } from '../../../src/calendar/timestamp.ts';

describe('timestamps of the interface', () => {
  it('round-trip', () => {
    const seconds = fc.integer({ min: Date.UTC(0, 0, 1) / 1000, max: Date.UTC(9999, 11, 31) / 1000 });
    fc.assert(
      fc.property(seconds, (second) => {
        const text = isoInstant(second * 1000);
        assert.equal(parseTimestamp(text), second * 1000);
        assert.equal(parseTimestamp(text.replace('Z', '+00:00')), second * 1000);
      }),
    );
  });

  it('continue after the last day of Date, for forecasts', () => {
    for (const text of ['+275761-01-01T00:00:00Z', '+309570-03-01T12:00:00Z', '-275000-02-28T00:00:00Z'])
      assert.equal(isoInstant(parseTimestamp(text)), text);
  });

  it('are refused if invalid', () => {
    for (const text of [
      '2024-02-30T00:00:00Z',
      '2024-13-01T00:00:00Z',
      '2024-00-10T00:00:00Z',
      '2024-01-10T25:00:00Z',
      '2024-01-10T00:60:00Z',
      '2024-01-1xT00:00:00Z',
      '2024-01-10T0 :00:00Z',
      '2024-01-10T-1:00:00Z',
    ]) {
      assert.ok(Number.isNaN(parseTimestamp(text)), text);
    }
    assert.equal(parseTimestamp('2024-01-10T24:00:00Z'), Date.UTC(2024, 0, 11));
    assert.equal(parseTimestamp('0099-01-10T00:00:00Z'), new Date('0099-01-10T00:00:00Z').getTime());
  });
});
