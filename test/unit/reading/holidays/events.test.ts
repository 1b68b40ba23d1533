import assert from 'node:assert/strict';
import { isEventsHeader, readEvents } from '../../../../src/reading/holidays/day-columns.ts';
import { SeriesError } from '../../../../src/reading/types.ts';

const iso = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);
const read = (text: string) =>
  readEvents(text, 'events.csv').map(({ name, days }) => [name, [...days].map(iso)] as const);

describe('file of holidays and events', () => {
  it('names days and ranges of days, grouped by name', () => {
    assert.deepEqual(read('date,name,until\n2024-05-01,Fair,2024-05-03\n2024-06-01,Sale,\n2025-05-01,Fair\n'), [
      ['Fair', ['2024-05-01', '2024-05-02', '2024-05-03', '2025-05-01']],
      ['Sale', ['2024-06-01']],
    ]);
  });

  it('is read in the notations of spreadsheets', () => {
    assert.deepEqual(
      read('\uFEFFDatum;Ereignis;bis\r\n24.12.2024;Markt;26.12.2024\r\n\r\n1.5.2025;"Fest; groß";\r\n'),
      [
        ['Markt', ['2024-12-24', '2024-12-25', '2024-12-26']],
        ['Fest; groß', ['2025-05-01']],
      ],
    );
    assert.deepEqual(read('date,name\n12/24/2024,Fair\n'), [['Fair', ['2024-12-24']]]);
  });

  it('reports what is wrong and where', () => {
    const faults: readonly (readonly [string, RegExp])[] = [
      ['day,value\n2024-05-01,3\n', /needs the columns date and name/],
      ['date,name\n2024-05-01,Fair\nsoon,Sale\n', /^Line 2 of/],
      ['date,name,until\n2024-05-01,Fair,2024-04-01\n', /^Line 2 of/],
      ['date,name\n2024-05-01,Fair\n2024-05-02,\n', /^Line 3 of/],
      ['date,name,until\n2024-05-01,Fair,2034-05-01\n', /^Line 2 of/],
    ];
    for (const [text, message] of faults) {
      assert.throws(() => read(text), (error) => error instanceof SeriesError && message.test(error.message)); // prettier-ignore
    }
    assert.deepEqual(read('date,name\n'), []);
  });

  it('is recognized by its first line', () => {
    assert.ok(isEventsHeader('date,name\n2024-05-01,Fair\n'));
    assert.ok(!isEventsHeader('time,event_type,user\n2024-05-01,click,7\n'));
    assert.ok(!isEventsHeader(''));
  });
});
