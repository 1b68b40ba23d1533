import assert from 'node:assert/strict';
import { isoInstant } from '../../../../src/calendar/format.ts';
import { zoneOf } from '../../../../src/calendar/zone.ts';
import { toGrid } from '../../../../src/calendar/grid.ts';
import { insertionOf } from '../../../../src/reading/writing/insertion.ts';
import { SeriesError } from '../../../../src/reading/types.ts';
import { lines, only, pad, read } from '../helpers.ts';

const HOUR = 3_600_000;

/** Days of May 2021 with a zone after the clock, and rising numbers. */
const days = (zone: string, delimiter = ',', clock = ' 08:00:00 ') =>
  lines(20, (row) => `2021-05-${pad(row + 1)}${clock}${zone}${delimiter}${row}.5`, `date${delimiter}y`);

describe('times with zone abbreviations', () => {
  it('reads unambiguous abbreviations with any delimiter', () => {
    const hours = { AST: -4, PKT: 5, WIB: 7, CAT: 2, EAT: 3, PHT: 8, NPT: 5.75, MSD: 4, COT: -5 };
    for (const [word, ahead] of Object.entries(hours)) {
      for (const delimiter of [',', ';', '\t', '|']) {
        const series = only(days(word, delimiter));
        assert.equal(series.times[0], Date.UTC(2021, 4, 1, 8) - ahead * HOUR, word);
        assert.deepEqual([series.frequency, series.points], [{ unit: 'day', count: 1 }, 20]);
      }
    }
  });

  it('asks which zone AST means unless ADT occurs beside it', () => {
    const { choices } = read(days('AST'));
    assert.deepEqual(choices.flatMap(({ options }) => options.map(({ layout }) => layout.timeZone)), ['America/Halifax', 'Asia/Riyadh']); // prettier-ignore
    assert.equal(isoInstant(read(days('AST'), 'a.csv', { timeZone: 'Asia/Riyadh' }).series[0]!.times[0]!), '2021-05-01T05:00:00Z'); // prettier-ignore
  });

  it('reads local times of a named zone on both sides of a clock change', () => {
    const newYork = zoneOf('America/New_York');
    const text = lines(20, (row) => `2021-03-${pad(row + 5)} 08:00 America/New_York;${row}`, 'date;y');
    const series = only(text);
    assert.equal(series.timeZone, 'America/New_York');
    assert.deepEqual([...series.times], Array.from({ length: 20 }, (_, row) => newYork.fromWall(Date.UTC(2021, 2, row + 5, 8)))); // prettier-ignore
    const clocks = lines(48, (row) => `2021-05-${pad((row / 24 + 1) | 0)},${pad(row % 24)}:00 Asia/Tokyo,${row}`, 'date,clock,y'); // prettier-ignore
    assert.equal(isoInstant(only(clocks).times[0]!), '2021-04-30T15:00:00Z');
  });

  it('reads an offset with a bracketed zone, as RFC 9557 and Java write it', () => {
    for (const ending of [
      '+10:00[Australia/Sydney]',
      '+10:00[!Australia/Sydney][u-ca=gregory]',
      '[Australia/Sydney]',
    ]) {
      const series = only(days(ending, ',', 'T08:00'));
      assert.equal(isoInstant(series.times[0]!), '2021-04-30T22:00:00Z', ending);
      assert.deepEqual([series.timeZone, series.frequency], ['Australia/Sydney', { unit: 'day', count: 1 }]);
    }
    assert.equal(isoInstant(only(days('Z[UTC]', ',', 'T08:00')).times[0]!), '2021-05-01T08:00:00Z');
  });

  it('names a cell with an unknown zone and says what to do', () => {
    for (const delimiter of [',', ';', '\t', '|']) {
      for (const word of ['XYZ', 'Foo/Bar', 'Eastern Standard Time']) {
        assert.throws(
          () => read(days(word, delimiter)),
          (error) => error instanceof SeriesError && error.message.includes(word) && /a name such as Europe\/Berlin/.test(error.message),
        ); // prettier-ignore
      }
    }
    assert.throws(() => read(days('XYZ')), /“2021-05-01 08:00:00 XYZ”/);
    assert.throws(() => read(days('Foo/Bar')), /“2021-05-01 08:00:00 Foo\/Bar”/);
    for (const word of ['Uhr', 'h', 'hrs'])
      assert.equal(isoInstant(only(days(word)).times[0]!), '2021-05-01T08:00:00Z');
    assert.equal(isoInstant(only(days('HST')).times[0]!), '2021-05-01T18:00:00Z');
    // whose rows are to be counted, nobody asks for times
    assert.equal(only(days('XYZ'), 'a.csv', { timeColumn: null }).timeKind, 'row');
    assert.equal(only(lines(20, (row) => `2021-05-${pad(row + 1)},2021-05-01 08:00 XYZ,${row}`, 'day,seen,y')).points, 20); // prettier-ignore
  });

  it('writes the abbreviations that apply to the new times', () => {
    const goesOn = (zone: string, word: (month: number) => string, clock = ' 00:00 ', head = 'date,y') => {
      const cell = (month: number) => `${2020 + Math.floor(month / 12)}-${pad((month % 12) + 1)}-01${clock}${word(month % 12)}`;
      const text = lines(30, (row) => `${cell(row)},${row}`, head);
      const { series: [series], columns, format } = read(text);
      const { timeAt, values } = toGrid(series!.times, series!.values, { zone: zoneOf(series!.timeZone ?? 'UTC') });
      const times = Array.from({ length: 12 }, (_, step) => timeAt(values.length + step));
      const rows = insertionOf({ text, fileName: 'a.csv', columns, format }, { ...series!, times, values: times.map(() => 1) });
      assert.equal(series!.timeZone, zone);
      assert.deepEqual(rows.text.trim().split('\n').map((row) => row.slice(0, row.lastIndexOf(','))), times.map((_, step) => cell(30 + step)));
    };
    goesOn('America/New_York', (month) => (month > 2 && month < 11 ? 'EDT' : 'EST'));
    goesOn('Europe/Berlin', (month) => (month > 2 && month < 10 ? 'CEST' : 'CET'), 'T00:00:00');
    goesOn('America/New_York', (month) => (month > 2 && month < 11 ? 'EDT' : 'EST'), ' 12:00 PM ');
    goesOn('America/New_York', () => 'America/New_York');
    goesOn('Europe/Berlin', (month) => `${month > 2 && month < 10 ? '+02:00' : '+01:00'}[Europe/Berlin]`, 'T00:00');
    goesOn('+09:00', () => 'JST');
    goesOn('Europe/Berlin', (month) => (month > 2 && month < 10 ? 'MESZ' : 'MEZ'), ',06:00 ', 'date,clock,y');
  }); // prettier-ignore

  it('writes the abbreviations in C’s format', () => {
    const cell = (zone: string, time: number) => {
      const offset = zoneOf(zone).toWall(time) - time;
      const [weekday, day, month, year, clock] = new Date(time + offset).toUTCString().replace(',', '').split(' ');
      return [weekday, month, String(Number(day)).padStart(2), clock, offset === -4 * HOUR ? 'EDT' : offset === -5 * HOUR ? 'EST' : 'JST', year].join(' ');
    };
    for (const [zone, isNamed] of [['America/New_York', true], ['Asia/Tokyo', false]] as const) {
      const { fromWall } = zoneOf(zone);
      // 10 February to 29 October: from winter over summer to winter
      const all = Array.from({ length: 310 }, (_, row) => cell(zone, fromWall(Date.UTC(2024, 1, 10 + row, 10))));
      const text = lines(260, (row) => `${all[row]!},${row}`, 'date,y');
      const { series: [series], columns, format } = read(text);
      assert.equal(series!.timeZone, isNamed ? zone : '+09:00');
      const times = Array.from({ length: 50 }, (_, step) => fromWall(Date.UTC(2024, 1, 270 + step, 10)));
      const target = { text, fileName: 'a.csv', columns, format };
      const rows = insertionOf(target, { ...series!, times, values: times.map(() => 1) });
      assert.deepEqual(rows.text.trim().split('\n').map((row) => row.slice(0, row.lastIndexOf(','))), all.slice(260));
    }
  }); // prettier-ignore

  it('does not take lowercase words, several words without Time, or “7.25 h” for a zone', () => {
    for (const words of ['sensorA', 'ERROR code']) {
      const logged = only(Array.from({ length: 20 }, (_, row) => `2021-05-${pad(row + 1)} 08:00:00 ${words}, ${row}`).join('\n')); // prettier-ignore
      assert.deepEqual([logged.points, logged.times[0]], [20, Date.UTC(2021, 4, 1, 8)]);
    }
    const noted = only(lines(20, (row) => `${row}.5,2021-05-${pad(row + 1)} 08:00 by admin`, 'y,note'));
    assert.deepEqual([noted.points, noted.timeKind], [20, 'row']);
    const [hours, worked] = read(
      lines(20, (row) => `2021-05-${pad(row + 1)},${6 + (row % 3)}.25 h,${row}`, 'date,hours,km'),
    ).series;
    assert.deepEqual([worked!.timeKind, worked!.times[0]], ['date', Date.UTC(2021, 4, 1)]);
    assert.deepEqual([...hours!.values.slice(0, 3)], [6.25, 7.25, 8.25]);
    assert.equal(only(lines(20, (row) => `${6 + (row % 3)}.25 h`, 'hours')).points, 20);
    const said = only(days('h', ',', ' 08:00 '));
    assert.equal(isoInstant(said.times[0]!), '2021-05-01T08:00:00Z');
    assert.equal(isoInstant(only(days('Uhr', ',', ' 08.00 ')).times[0]!), '2021-05-01T08:00:00Z');
  });

  it('reads times before a word that is not a zone, such as a weekday, level or state', () => {
    const ofWord = (words: readonly string[], clock = ' 08:00:00', delimiter = ',') =>
      lines(20, (row) => `2021-05-${pad(row + 1)}${clock} ${words[row % words.length]!}${delimiter}${row}.5`, `date${delimiter}y`);
    for (const words of [['Saturday', 'Sunday', 'Monday'], ['INFO', 'WARN', 'ERROR'], ['Open'], ['OPEN', 'CLOSE'], ['OK', 'ALERT'], ['Mo'], ['sensorA'], ['node-3']]) {
      for (const delimiter of [',', ';', '\t', '|']) {
        const { times, points } = only(ofWord(words, undefined, delimiter));
        assert.deepEqual([points, times[0], times[19]], [20, Date.UTC(2021, 4, 1, 8), Date.UTC(2021, 4, 20, 8)], words[0]);
      }
      assert.equal(only(ofWord(words, 'T08:00:00Z')).times[0], Date.UTC(2021, 4, 1, 8));
      assert.equal(only(ofWord(words, 'T08:00:00+02:00')).times[0], Date.UTC(2021, 4, 1, 6));
      assert.equal(only(ofWord(words, ' 8:00 PM')).times[0], Date.UTC(2021, 4, 1, 20));
    }
    const german = only(lines(20, (row) => `${pad(row + 1)}.05.2021 08:00 Sa;${row},5`, 'Zeit;Wert'));
    assert.equal(german.times[0], Date.UTC(2021, 4, 1, 8));
  }); // prettier-ignore

  it('refuses an apparent zone in any time notation, with its cell', () => {
    for (const word of ['ET', 'ChST', 'OESZ', 'Japan', 'UTC+25', 'GMT+x', 'NOVST'])
      assert.throws(() => read(days(word)), (error) => error instanceof SeriesError && error.message.includes(`“2021-05-01 08:00:00 ${word}”`)); // prettier-ignore
    const american = lines(20, (row) => `5/${row + 1}/2021 8:00 AM ET,${row}`, 'date,y');
    assert.throws(() => read(american), /“5\/1\/2021 8:00 AM ET”/);
    const ofC = lines(20, (row) => `Sat May ${pad(row + 1)} 08:00:00 XYZ 2021,${row}`, 'date,y');
    assert.throws(() => read(ofC), /“Sat May 01 08:00:00 XYZ 2021”/);
  });

  it('refuses a column with too many unknown zones, with the first cell', () => {
    for (const every of [2, 3]) {
      const text = lines(
        30,
        (row) => `2021-05-${pad(row + 1)} 08:00 ${row % every === 0 ? 'CET' : 'XYZ'},${row}`,
        'time,y',
      );
      assert.throws(() => read(text), /Unknown time zone in “2021-05-02 08:00 XYZ”/);
    }
  });

  it('refuses to insert rows below times with words', () => {
    const text = lines(20, (row) => `2021-05-${pad(row + 1)} 08:00 Sa,${row}.5`, 'date,y');
    const { series: [series], columns, format } = read(text); // prettier-ignore
    const times = [Date.UTC(2021, 4, 21, 8)];
    const target = { text, fileName: 'a.csv', columns, format };
    assert.throws(() => insertionOf(target, { ...series!, times, values: [1] }), /do not fit into a\.csv/);
  });
});
