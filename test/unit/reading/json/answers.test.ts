import assert from 'node:assert/strict';
import { brief, lines, read } from '../helpers.ts';

const DAY = 86_400_000;
const FIRST = Date.parse('2024-01-01');
const days = Array.from({ length: 12 }, (_, day) => new Date(FIRST + day * DAY).toISOString().slice(0, 10));
const seconds = days.map((day) => Date.parse(day) / 1000);
const counts = days.map((_, day) => 40 + ((day * 7) % 11));
const months = Array.from({ length: 6 }, (_, month) => `2024-0${month + 1}`);
const briefly = (value: unknown) => read(JSON.stringify(value), 'a.json').series.map(brief);
const firstValues = (value: unknown) =>
  read(JSON.stringify(value), 'a.json').series.map(({ values }) => [...values.slice(0, 2)]);
const daily = (...ids: string[]) => ids.map((id) => `${id} P1D 2024-01-01..2024-01-12 12 0`);

/** Unemployment of two countries in six months, as the interface of Eurostat answers. */
const stat = (value: unknown) => ({
  version: '2.0',
  class: 'dataset',
  label: 'Unemployment by sex and age',
  id: ['freq', 'geo', 'time'],
  size: [1, 2, 6],
  dimension: {
    freq: { category: { index: { M: 0 }, label: { M: 'Monthly' } } },
    geo: { category: { index: { FR: 1, DE: 0 }, label: { DE: 'Germany', FR: 'France' } } },
    time: { category: { index: Object.fromEntries(months.map((month, place) => [month, place])) } },
  },
  value,
});

describe('JSON of web services', () => {
  it('reads JSON-stat datasets, in a list or by index, of every version', () => {
    const list = Array.from({ length: 12 }, (_, place) => place);
    const series = ['Germany', 'France'].map((id) => `${id} P1M 2024-01-01..2024-06-01 6 0`);
    assert.deepEqual(briefly(stat(list)), series);
    assert.deepEqual(firstValues(stat(list)), [[0, 1], [6, 7]]); // prettier-ignore
    const sparse = Object.fromEntries(list.filter((place) => place !== 8).map((place) => [place, place]));
    assert.deepEqual(briefly(stat(sparse)), [series[0], 'France P1M 2024-01-01..2024-06-01 5 1']);
    const { id, size, dimension, value } = stat(list);
    const old = { dataset: { dimension: { ...dimension, id, size, role: { time: ['time'] } }, value } };
    assert.deepEqual(briefly(old), series);
    const coded = { ...dimension, time: { category: { index: months.map((month) => month.replace('-', 'M')) } } };
    assert.deepEqual(briefly({ ...stat(list), dimension: coded }), series);
  });

  it('does not read JSON-stat without a time or with broken dimensions, and does not fail', () => {
    const noTime = { ...stat([1, 2, 3, 4]), id: ['freq', 'geo'] };
    const broken = [{}, { time: 1 }, { freq: {}, geo: {}, time: { category: {} } }];
    for (const value of [noTime, ...broken.map((dimension) => ({ ...stat([1, 2, 3, 4]), dimension }))])
      assert.ok(briefly(value).every((series) => series.includes('rows')), JSON.stringify(value)); // prettier-ignore
  });

  it('does not read a few steps in each row of a table as series named by times', () => {
    const steps = days.slice(0, 4).map((day, n) => ({ day, n }));
    const orders = counts.map((total, id) => ({ id, total, steps }));
    assert.deepEqual(read(JSON.stringify(orders), 'a.json').series.map(({ valueColumn }) => valueColumn), ['total']); // prettier-ignore
    const begun = days.slice(0, 2).map((start) => ({ start, freq: 'D', target: counts }));
    assert.deepEqual(read(JSON.stringify(begun), 'a.json').series.map(({ id }) => id), ['target', 'target (2)']); // prettier-ignore
  });

  it('reads the daily buckets of each host from Elasticsearch, and the days alone', () => {
    const buckets = days.map((day, row) => ({ key_as_string: `${day}T00:00:00.000Z`, key: Date.parse(day), doc_count: counts[row] })); // prettier-ignore
    const hosts = ['a', 'b'].map((key) => ({ key, doc_count: 900, per_day: { buckets } }));
    assert.deepEqual(briefly({ took: 3, aggregations: { hosts: { buckets: hosts } } }), daily('a', 'b'));
    assert.deepEqual(briefly({ took: 3, aggregations: { per_day: { buckets } } }), daily('doc_count'));
  });

  it('reads rows with a time and a list of numbers, as days with hours', () => {
    const nights = days.map((day, row) => ({ summary_date: day, score: counts[row], hr_5min: [0, 55, 54] }));
    assert.deepEqual(briefly({ sleep: nights }), daily('score'));
    const weeks = seconds.map((week, row) => ({ days: [0, 3, 1], total: counts[row], week }));
    assert.deepEqual(briefly(weeks), daily('total'));
    const starts = days.slice(0, 3).map((start, row) => ({ start, freq: 'D', number: row, target: [1, 2, 3, 4] }));
    assert.equal(briefly(starts).length, 3, 'each of these is a series');
  });

  it('reads nested measurements and names series by what tells them apart', () => {
    const value = days.map((day, row) => ({ value: String(counts[row]), dateTime: `${day}T00:00:00.000-05:00` }));
    const gauge = { sourceInfo: { siteName: 'R' }, values: [{ value, qualifier: [], method: [{ methodID: 1 }] }] };
    const answer = { name: 'ns1:timeSeriesResponseType', value: { queryInfo: {}, timeSeries: [gauge] } };
    assert.deepEqual(read(JSON.stringify(answer), 'a.json').series.map(({ points, gaps }) => [points, gaps]), [[12, 0]]); // prettier-ignore
    const scopes = ['host:a', 'host:b'].map((scope) => ({ metric: 'cpu', scope, pointlist: seconds.map((at, row) => [at * 1000, counts[row]]) })); // prettier-ignore
    assert.deepEqual(briefly({ status: 'ok', series: scopes }), daily('host:a', 'host:b'));
  });

  it('reads times in one list and values in others at any depth', () => {
    const datasets = ['visits', 'orders'].map((label, row) => ({ label, data: counts.map((count) => count + row) }));
    assert.deepEqual(briefly({ labels: days, datasets }), daily('visits', 'orders'));
    const quote = [{ open: counts, close: counts.map((count) => count + 1) }];
    const result = [{ meta: { symbol: 'A' }, timestamp: seconds, indicators: { quote, adjclose: [{ adjclose: counts }] } }]; // prettier-ignore
    assert.deepEqual(briefly({ chart: { result, error: null } }), daily('open', 'close', 'adjclose'));
    const fields = [{ name: 'Time', type: 'time' }, { name: 'load', type: 'number' }]; // prettier-ignore
    const frame = { schema: { refId: 'A', fields }, data: { values: [seconds.map((at) => at * 1000), counts] } };
    assert.deepEqual(briefly({ results: { A: { status: 200, frames: [frame] } } }), daily('load'));
    assert.deepEqual(read(JSON.stringify([seconds, counts]), 'a.json').series.map(({ points }) => points), [12]); // prettier-ignore
  });

  it('reads chart data with times beside the values', () => {
    const series = ['visits', 'orders'].map((name) => ({ name, type: 'line', data: counts }));
    assert.deepEqual(
      briefly({ xAxis: { type: 'category', data: days }, yAxis: {}, series }),
      daily('visits', 'orders'),
    );
    const two = { a: { time: days, v: counts }, b: { time: days.slice(2), v: counts.slice(2) } };
    assert.deepEqual(briefly(two), [...daily('a'), 'b P1D 2024-01-03..2024-01-12 10 0'], 'each has times of its own');
  });

  it('reads a start and a step beside a list under any names', () => {
    const hours = { name: 'load', begin: '2024-01-01T00:00:00Z', every: 'PT1H', values: counts };
    assert.deepEqual(briefly(hours), ['load PT1H 2024-01-01..2024-01-01T11:00 12 0']);
  });

  it('names series by labels, nested names, or a text that all rows of a list share', () => {
    const points = days.map((day, row) => ({ timeStamp: day, average: counts[row] }));
    const metrics = ['CPU', 'Memory'].map((value) => ({ name: { value, localizedValue: value }, timeseries: [{ metadatavalues: [], data: points }] })); // prettier-ignore
    assert.deepEqual(briefly({ value: metrics }), daily('CPU', 'Memory'));
    const tagged = ['x', 'y'].map((host) => ({ name: 'cpu', tags: { host }, columns: ['time', 'mean'], values: days.map((day, row) => [day, counts[row]]) })); // prettier-ignore
    assert.deepEqual(briefly({ results: [{ statement_id: 0, series: tagged }] }), daily('cpu host=x', 'cpu host=y'));
    const states = ['sensor.a', 'sensor.b'].map((entity_id) => days.map((last_changed, row) => ({ entity_id, state: String(counts[row]), last_changed, attributes: { unit: 'C' } }))); // prettier-ignore
    assert.deepEqual(briefly(states), daily('sensor.a', 'sensor.b'));
  });

  it('ignores a second column with the same time', () => {
    const text = lines(12, (row) => `${seconds[row]!},${days[row]!},${counts[row]!},${seconds[row]! + 86_399}`, 'unix,date,v,close_time'); // prettier-ignore
    assert.deepEqual(read(text).series.map(brief), daily('v'));
  });
});
