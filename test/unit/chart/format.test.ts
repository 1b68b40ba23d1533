import assert from 'node:assert/strict';
import { axisLabels, timeFormat, valueFormat } from '../../../src/chart/frame.ts';
import { zoneOf } from '../../../src/calendar/zone.ts';

const time = (text: string) => Date.parse(text);
const written = (text: string, times: string[], frequency: Parameters<typeof timeFormat>[1], zone = 'UTC') =>
  timeFormat(times.map(time), frequency, zone).write(time(text));

describe('times of a chart', () => {
  it('have the precision of the step', () => {
    assert.equal(written('1961-01-01', ['1961-01-01'], { unit: 'month', count: 1 }), 'Jan 1961');
    assert.equal(written('1961-01-01', ['1961-01-01'], { unit: 'year', count: 1 }), '1961');
    const hours = ['2021-03-04T13:00Z', '2021-03-04T14:00Z'];
    assert.equal(written('2021-03-04T13:00Z', hours, { unit: 'hour', count: 1 }), '2021-03-04 13:00');
    assert.equal(written('2021-03-04T13:00Z', hours, { unit: 'hour', count: 1 }, 'Asia/Tokyo'), '2021-03-04 22:00');
  });

  it('keep the dates of a daily or monthly series in any zone', () => {
    const format = timeFormat([time('2021-03-04')], { unit: 'month', count: 1 }, 'America/New_York');
    assert.equal(format.write(time('2021-03-01')), 'Mar 2021');
    assert.equal(format.zone.name, 'UTC');
    assert.equal(format.clock, false);
  });

  it('show a local midnight as the local date', () => {
    const midnights = ['2021-03-03T23:00Z', '2021-03-04T23:00Z'];
    const text = written('2021-03-03T23:00Z', midnights, { unit: 'day', count: 1 }, 'Europe/Berlin');
    assert.match(text, /4/);
    assert.doesNotMatch(text, /23:00/);
  });

  it('have no finer labels than the data', () => {
    const finest = (times: string[], frequency?: Parameters<typeof timeFormat>[1]) =>
      timeFormat(times.map(time), frequency, 'UTC').finest;
    assert.equal(finest(['2021-03-04T13:05Z'], { unit: 'minute', count: 5 }), 60_000);
    assert.equal(finest(['2021-03-04', '2021-03-05']), 86_400_000);
    assert.equal(finest(['2021-03-04T13:05:00.250Z']), 1);
    assert.ok(finest(['2021-01-01'], { unit: 'quarter', count: 1 }) > 90 * 86_400_000);
  });
});

describe('zone of a chart', () => {
  it('converts to local time and back, also across clock changes', () => {
    const zone = zoneOf('Europe/Berlin');
    for (const text of ['2021-01-15T12:00:00.250Z', '2021-03-28T00:59Z', '2021-03-28T01:00Z', '2021-07-01T00:00Z']) {
      assert.equal(zone.fromWall(zone.toWall(time(text))), time(text), text);
    }
    assert.equal(zone.toWall(time('2021-07-01T00:00Z')), time('2021-07-01T02:00Z'));
  });

  it('is UTC for an unknown name', () => {
    assert.equal(zoneOf('Middle/Earth').name, 'UTC');
  });
});

describe('numbers of a chart', () => {
  const format = (...values: number[]) => valueFormat(Float64Array.from(values));

  it('keep the decimals of the data, and give a forecast enough significant digits', () => {
    const { observed, predicted } = format(112, 622);
    assert.deepEqual([observed(432), predicted(450.93)], ['432', '451']);
    assert.equal(format(19.99, 5).observed(5), '5.00');
    assert.equal(format(123456.78).observed(123456.78), '123,456.78');
    assert.equal(format(31200, 45000).predicted(41234.6), '41,235');
    assert.equal(format(0.1 + 0.2).observed(0.3), '0.3');
  });

  it('of a forecast have the digits that its intervals justify', () => {
    const values = Float64Array.of(12_626.03, 1_026_321_482);
    const interval = { level: 80, lower: Float64Array.of(12_300), upper: Float64Array.of(12_900) };
    const forecast = { times: Float64Array.of(1), values: Float64Array.of(12_611.254), intervals: [interval] };
    const { observed, predicted } = valueFormat(values, forecast);
    assert.deepEqual([observed(12_626.03), predicted(12_611.254)], ['12,626.03', '12,611']);
  });

  it('are written for negative, huge and tiny values', () => {
    assert.equal(format(-5, 3).observed(-5), '−5');
    assert.equal(format(1e300).observed(-1.25e300), '−1.25e300');
    assert.equal(format(2e-9).predicted(2.5e-9), '2.5e−9');
    assert.equal(format(2e-9).predicted(0), '0.000000000');
    assert.equal(format(0).observed(-0), '0');
  });

  it('are defined for a series without numbers', () => {
    assert.equal(format(NaN).observed(NaN), '–');
    assert.equal(format().predicted(1), '1.000');
  });
});

describe('labels of the value axis', () => {
  it('have equal decimals', () => {
    assert.deepEqual(axisLabels([0, 0.5, 1]), ['0', '0.5', '1.0']);
    assert.deepEqual(axisLabels([-100, 0, 100]), ['−100', '0', '100']);
    assert.deepEqual(axisLabels([0, 500_000, 1_000_000]), ['0', '0.5M', '1.0M']);
    assert.deepEqual(axisLabels([20_000, 40_000]), ['20,000', '40,000']);
    assert.deepEqual(axisLabels([0, 1e300, 2e300]), ['0', '1e300', '2e300']);
    assert.deepEqual(axisLabels([2e-9, 4e-9]), ['2e−9', '4e−9']);
    assert.deepEqual(axisLabels([250, 252.5, 255]), ['250.0', '252.5', '255.0']);
    assert.deepEqual(axisLabels([0, 2.5e300, 5e300]), ['0', '2.5e300', '5e300']);
    assert.deepEqual(axisLabels([]), []);
  });
});
