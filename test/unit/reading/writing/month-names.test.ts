import assert from 'node:assert/strict';
import { insertionOf } from '../../../../src/reading/writing/insertion.ts';
import { describeNames } from '../../../../src/reading/columns/patterns.ts';
import { timesLike } from '../../../../src/reading/writing/times.ts';
import { readSeries } from '../../../../src/reading/read.ts';

const LANGUAGES = {
  German: ['Januar', 'Februar', 'März', 'April', 'Mai', 'Juni', 'Juli', 'August', 'September', 'Oktober', 'November', 'Dezember'],
  'short German': ['Jan.', 'Feb.', 'März', 'Apr.', 'Mai', 'Juni', 'Juli', 'Aug.', 'Sept.', 'Okt.', 'Nov.', 'Dez.'],
  French: ['janvier', 'février', 'mars', 'avril', 'mai', 'juin', 'juillet', 'août', 'septembre', 'octobre', 'novembre', 'décembre'],
  Polish: ['STYCZEŃ', 'LUTY', 'MARZEC', 'KWIECIEŃ', 'MAJ', 'CZERWIEC', 'LIPIEC', 'SIERPIEŃ', 'WRZESIEŃ', 'PAŹDZIERNIK', 'LISTOPAD', 'GRUDZIEŃ'],
} as const; // prettier-ignore

/** Cells of so many months from January 2022. */
const monthsOf = (names: readonly string[], count: number) =>
  Array.from({ length: count }, (_, n) => `${names[n % 12]} ${2022 + Math.floor(n / 12)}`);

/** A file with two more points in it, as Insert Forecast puts them there. */
function continued(text: string, fileName: string, times: readonly number[]): string {
  const { series, columns, format } = readSeries(text, { fileName });
  const { id, valueColumn, timeColumn, idColumn, timeKind, timeZone } = series.at(-1)!;
  const more = { id, valueColumn, timeColumn, idColumn, timeKind, timeZone, times, values: times.map(() => 7) };
  const { offset, text: rows } = insertionOf({ text, fileName, columns, format }, more);
  return text.slice(0, offset) + rows + text.slice(offset);
}

describe('month names in the language of a file', () => {
  const next = [Date.UTC(2023, 2), Date.UTC(2023, 3)];

  for (const [language, names] of Object.entries(LANGUAGES)) {
    it(`continue in ${language}, in CSV and JSON`, () => {
      const cells = monthsOf(names, 14);
      const [march, april] = [`${names[2]} 2023`, `${names[3]} 2023`];
      const csv = continued(`when,sold\n${cells.map((when, n) => `${when},${n + 10}`).join('\n')}\n`, 'a.csv', next);
      assert.ok(csv.endsWith(`\n${march},7\n${april},7\n`), csv.slice(-60));
      assert.equal(readSeries(csv, { fileName: 'a.csv' }).series[0]!.points, 16);
      const rows = cells.map((when, sold) => ({ when, sold }));
      const json = JSON.parse(continued(JSON.stringify(rows), 'a.json', next)) as typeof rows;
      assert.deepEqual(json.slice(-2), [{ when: march, sold: 7 }, { when: april, sold: 7 }]); // prettier-ignore
      const lines = continued(rows.map((row) => JSON.stringify(row)).join('\n'), 'a.ndjson', next);
      assert.deepEqual(JSON.parse(lines.trimEnd().split('\n').at(-1)!), { when: april, sold: 7 });
    });
  }

  it('continue with days, also if the next month appears only a year earlier', () => {
    const DAY = 86_400_000;
    const cell = (time: number) => `${new Date(time).getUTCDate()}. ${LANGUAGES.German[new Date(time).getUTCMonth()]} ${new Date(time).getUTCFullYear()}`; // prettier-ignore
    const days = Array.from({ length: 398 }, (_, n) => Date.UTC(2022, 0, 27) + n * DAY);
    const text = `Datum;Menge\n${days.map((day, n) => `${cell(day)};${n % 9}`).join('\n')}\n`;
    const more = [days.at(-1)! + DAY, days.at(-1)! + 2 * DAY];
    assert.ok(continued(text, 'a.csv', more).endsWith(`\n1. März 2023;7\n2. März 2023;7\n`));
  });

  it('are refused if the file never names the month or names months in several ways', () => {
    const few = monthsOf(LANGUAGES.German, 14).slice(-8);
    const both = monthsOf(LANGUAGES.German, 14).map((cell, n) => (n === 2 ? 'Mrz 2022' : cell));
    for (const [cells, times] of [
      [few, [Date.UTC(2023, 4)]],
      [[...both, 'März 2023'], [Date.UTC(2023, 3)]],
    ] as const) {
      const text = `when,sold\n${cells.map((when, n) => `${when},${n}`).join('\n')}\n`;
      assert.throws(() => continued(text, 'a.csv', times), /do not fit into a\.csv/);
    }
  });

  it('are written for midnights and plain names only', () => {
    const pattern = describeNames(['1 de enero de 2024', '12 de enero de 2024', 'x', '']);
    assert.equal(pattern, 'D [de] {enero|?|?|?|?|?|?|?|?|?|?|?} [de] YYYY');
    const above = [['1 de enero de 2024', '12 de enero de 2024']];
    const write = (time: number) => timesLike(above, { times: [time], timeKind: 'date' }, undefined);
    assert.deepEqual(write(Date.UTC(2024, 0, 31)), [['31 de enero de 2024']]);
    assert.equal(write(Date.UTC(2024, 0, 31, 12)), undefined);
    assert.equal(write(Date.UTC(2024, 1, 1)), undefined);
    for (const cells of [[], ['2024-01-01'], ['Mo, 1. Januar 2024']])
      // prettier-ignore
      assert.equal(describeNames(cells), undefined, cells[0]);
  });
});
