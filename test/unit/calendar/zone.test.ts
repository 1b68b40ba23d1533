import assert from 'node:assert/strict';
import {
  clockChange,
  UTC,
  findZone,
  fixedZone,
  writeOffset,
  zoneOf,
  zoneOfPoints,
} from '../../../src/calendar/zone.ts';

const HOUR = 3_600_000;
const wall = (text: string) => Date.parse(`${text}Z`);

describe('time zone', () => {
  it('is a name, an offset or UTC, and unknown otherwise', () => {
    assert.equal(findZone('UTC'), UTC);
    assert.equal(findZone('+00:00'), UTC);
    assert.deepEqual([findZone('-03:30')?.name, findZone('-03:30')?.toWall(0)], ['-03:30', -3.5 * HOUR]);
    assert.equal(findZone('Europe/Berlin')?.fixed, false);
    assert.equal(findZone('Mars/Olympus'), undefined);
    assert.equal(zoneOf('Mars/Olympus'), UTC);
  });

  it('writes its offset with sign and two digits', () => {
    assert.deepEqual([writeOffset(0), writeOffset(9 * HOUR), writeOffset(-3.5 * HOUR)], ['+00:00', '+09:00', '-03:30']);
    assert.equal(fixedZone(0), UTC);
  });

  it('skips an hour in spring and repeats one in autumn', () => {
    const berlin = zoneOf('Europe/Berlin');
    assert.equal(berlin.toWall(Date.UTC(2024, 2, 31, 0, 59)), wall('2024-03-31T01:59'));
    assert.equal(berlin.toWall(Date.UTC(2024, 2, 31, 1)), wall('2024-03-31T03:00'));
    // an hour that is skipped is as much later, the earlier of two is taken
    assert.equal(berlin.fromWall(wall('2024-03-31T02:30')), Date.UTC(2024, 2, 31, 1, 30));
    assert.equal(berlin.fromWall(wall('2024-10-27T02:30')), Date.UTC(2024, 9, 27, 0, 30));
    assert.equal(berlin.fromWall(wall('2024-10-27T03:00')), Date.UTC(2024, 9, 27, 2));
  });

  it('round-trips each hour of a year except the repeated one', () => {
    for (const name of ['America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Africa/Casablanca']) {
      const zone = zoneOf(name);
      let twice = 0;
      for (let time = Date.UTC(2024, 0, 1); time < Date.UTC(2025, 0, 1); time += HOUR / 2) {
        if (zone.fromWall(zone.toWall(time)) !== time) twice++;
      }
      assert.ok(twice <= 2, `${name}: ${twice}`);
    }
  });

  it('works before year 1 and in the far future', () => {
    const tokyo = zoneOf('Asia/Tokyo');
    for (const time of [-8.6e15, 8.64e15]) assert.ok(Number.isFinite(tokyo.toWall(time)));
    assert.equal(tokyo.toWall(Date.UTC(9999, 0, 1)) - Date.UTC(9999, 0, 1), 9 * HOUR);
  });

  it('of a series is that of its first point', () => {
    assert.equal(zoneOfPoints([{ metadata: { time_zone: '+09:00' } }]).name, '+09:00');
    assert.equal(zoneOfPoints([{ metadata: { time_zone: 9 } }]), UTC);
    assert.equal(zoneOfPoints([{ metadata: null }, { metadata: { time_zone: '+09:00' } }]), UTC);
    assert.equal(zoneOfPoints([]), UTC);
  });
});

describe('clock change', () => {
  it('is named by a city for a skipped or repeated hour', () => {
    assert.equal(clockChange(wall('2024-03-31T01:00'), wall('2024-03-31T03:00')), 'Berlin');
    assert.equal(clockChange(wall('2024-03-10T01:00'), wall('2024-03-10T03:00')), 'New York');
    assert.equal(clockChange(wall('2024-10-27T02:00'), wall('2024-10-27T02:00')), 'Berlin');
    assert.equal(clockChange(wall('2024-11-03T01:30'), wall('2024-11-03T01:30')), 'New York');
  });

  it('is not named if rows are merely missing or doubled', () => {
    assert.equal(clockChange(wall('2024-06-15T01:00'), wall('2024-06-15T03:00')), undefined);
    assert.equal(clockChange(wall('2024-06-15T01:00'), wall('2024-06-15T01:00')), undefined);
  });
});
