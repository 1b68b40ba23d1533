import assert from 'node:assert/strict';
import { type AgentContext, ToolError } from '../../../src/agents/tool.ts';
import { seriesOf, type SourceInput, stepsOf } from '../../../src/agents/source.ts';
import { SeriesError } from '../../../src/reading/types.ts';
import { lines, pad, read } from '../reading/helpers.ts';

/** A context that has these files and nothing else: no service is asked for a series. */
const over = (files: Readonly<Record<string, string>> = {}): AgentContext => ({
  service: () => Promise.reject(new Error('nobody asks a service')),
  read: (file, { layout }) => Promise.resolve({ fileName: file, document: read(files[file] ?? '', file, layout) }),
  store: () => Promise.reject(new Error('nobody stores')),
  holidays: () => Promise.reject(new Error('nobody asks for holidays')),
  chartLink: () => undefined,
});
const call = { signal: new AbortController().signal, progress: () => undefined };
const of = (input: SourceInput, files?: Readonly<Record<string, string>>) =>
  seriesOf({ ...over(files), ...call }, input);
const refused = (input: SourceInput, words: RegExp, files?: Readonly<Record<string, string>>) =>
  assert.rejects(of(input, files), (error) => error instanceof ToolError && words.test(error.message));
const dates = (times: Float64Array) => Array.from(times, (time) => new Date(time).toISOString().slice(0, 10));

describe('values from an agent', () => {
  it('fall on month ends of any length, also in a leap year', async () => {
    const { series } = await of({ values: [1, 2, 3, 4], start: '2024-01-31', frequency: 'P1M' });
    assert.deepEqual(dates(series.times), ['2024-01-31', '2024-02-29', '2024-03-31', '2024-04-30']);
    const yearly = await of({ values: [1, 2, 3, 4, 5], start: '2020-02-29', frequency: 'P1Y' });
    assert.deepEqual(dates(yearly.series.times).slice(3), ['2023-02-28', '2024-02-29']);
  });

  it('skip weekends if they are business days', async () => {
    const { series } = await of({ values: [1, 2, 3], start: '2024-03-28', frequency: 'B' });
    assert.deepEqual(dates(series.times), ['2024-03-28', '2024-03-29', '2024-04-01']);
  });

  it('may be missing except all of them, with or without times', async () => {
    const { series, label } = await of({ values: [1, null, 3], name: 'a\nb' });
    assert.deepEqual([series.missing, series.timeKind, label], [1, 'row', 'a b']);
    await assert.rejects(of({ values: [null] }), SeriesError);
    await refused({ values: [1, 2], frequency: 'P1D' }, /Give both start and frequency/);
    await refused({ values: [1, 2], start: '2024-02-30', frequency: 'P1D' }, /“2024-02-30” is not a time/);
    await refused({ values: [1, 2], start: '2024-01-01', frequency: 'often' }, /“often” is not a frequency.*P1D/);
  });

  it('are an alternative to a file, exactly one of both', async () => {
    await refused({}, /either file.*or values/);
    await refused({ values: [1], file: 'a.csv' }, /not both/);
  });
});

describe('series of a file for an agent', () => {
  const sizes = lines(10, (i) => `2024-01-${pad(i + 1)},${i},${i * 2}`, 'day,Berlin,Bonn');
  const long = lines(80, (i) => `shop ${i % 40},2024-01-0${Math.floor(i / 40) + 1},${i}`, 'shop,day,sold');

  it('is found by its name in any case, and named with its file', async () => {
    const { series, label } = await of({ file: 'a.csv', series: ' bonn ' }, { 'a.csv': sizes });
    assert.deepEqual([series.name, label], ['Bonn', 'a.csv · Bonn']);
  });

  it('is asked for with up to thirty names', async () => {
    await refused({ file: 'a.csv' }, /a\.csv has 2 series\..*\n- "Berlin" .*\n- "Bonn" /, { 'a.csv': sizes });
    await refused({ file: 'a.csv', series: 'Köln' }, /has no series “Köln”/, { 'a.csv': sizes });
    await assert.rejects(of({ file: 'a.csv' }, { 'a.csv': long }), (error: Error) => {
      assert.equal(error.message.match(/^- /gm)?.length, 30);
      return error.message.endsWith('and 10 more');
    });
  });
});

describe('horizon from an agent', () => {
  it('ends on the given day in the zone of the series, and on no nonexistent day', async () => {
    const rows = lines(28, (i) => `2024-02-${pad(i + 1)}T00:00:00+05:30,${i}`, 'when,load');
    const { series } = await of({ file: 'a.csv' }, { 'a.csv': rows });
    assert.equal(stepsOf('until 29 Feb 2024', series), 1);
    assert.equal(stepsOf('until 2024-03-02', series), 3);
    for (const day of ['30 Feb 2024', 'Feb 30, 2024', '2024-02-30', '29 Feb 2023', '31 April 2024'])
      assert.throws(() => stepsOf(`until ${day}`, series), new RegExp(`“until ${day}” is not a horizon`), day);
    assert.throws(() => stepsOf('10001', series), /10,001 steps ahead; the maximum is 10000/);
  });
});
