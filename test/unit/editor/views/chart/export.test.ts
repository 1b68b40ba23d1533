import assert from 'node:assert/strict';
import { nameParts, textOf } from '../../../../../src/editor/views/chart/export.ts';
import { chartView } from '../../../../../src/chart/chart-view.ts';
import type { Source } from '../../../../../src/editor/connection/memory.ts';
import type { LocalPrediction } from '../../../../../src/contract/resources.ts';
import { readSeries } from '../../../../../src/reading/read.ts';

const day = (index: number) => new Date(Date.UTC(2020, 0, 1 + index)).toISOString();
const prediction: LocalPrediction = {
  id: 'prediction_abcdef',
  status: 'COMPLETED',
  input_series: Array.from({ length: 20 }, (_, i) => ({ timestamp: day(i), value: i })),
  prediction_series: Array.from({ length: 2 }, (_, i) => ({
    timestamp: day(20 + i),
    value: 24.5 + i,
    metadata: { quantiles: { '0.1': 20.5 + i, '0.25': 22 + i, '0.5': 24.5 + i, '0.75': 26 + i, '0.9': 28 + i } },
  })),
};

/** The forecast of the first series of a text, written. */
function written(text: string, fileName: string, form: 'csv' | 'json' | 'same') {
  const { series, format } = readSeries(text, { fileName, layout: { dateOrder: 'dmy' } });
  const [{ id, valueColumn, timeColumn, idColumn, timeKind }] = series;
  const source: Source = { fileName, format, id, valueColumn, timeColumn, idColumn, timeKind };
  return textOf({ chart: chartView(prediction, { timeZone: 'UTC' }), source }, form);
}

describe('exported text of a forecast', () => {
  it('uses the delimiter, dates, decimal sign and names of its file', () => {
    const rows = Array.from({ length: 20 }, (_, i) => `${String(i + 1).padStart(2, '0')}.01.2020;${i},5`);
    const { text, extension } = written(`Tag;Last\n${rows.join('\n')}\n`, 'last.txt', 'csv');
    assert.equal(extension, 'txt');
    assert.equal(
      text,
      'Tag;lower_80;lower_50;forecast;upper_50;upper_80\n21.01.2020;20,5;22;24,5;26;28\n22.01.2020;21,5;23;25,5;27;29\n',
    );
  });

  it('writes the ids of a long file, and no names that are formulas', () => {
    const rows = ['a', '=b'].flatMap((id) => Array.from({ length: 20 }, (_, i) => `${id},${day(i).slice(0, 10)},${i}`));
    const { series, format } = readSeries(`store,day,=v\n${rows.join('\n')}\n`, { fileName: 'long.csv' });
    const { id, valueColumn, timeColumn, idColumn, timeKind } = series[1];
    const source: Source = { fileName: 'long.csv', format, id, valueColumn, timeColumn, idColumn, timeKind };
    const chart = chartView(prediction, { timeZone: 'UTC' });
    const { text } = textOf({ chart, source }, 'same', {
      names: 'quantiles',
      withHistory: true,
    });
    const lines = text.trim().split('\n');
    assert.equal(lines[0], "store,day,'=v,forecast,0.1,0.25,0.75,0.9");
    assert.equal(lines[1], "'=b,2020-01-01,0,,,,,");
    assert.equal(lines.at(-2), "'=b,2020-01-21,,24.5,20.5,22,26,28");
    assert.equal(lines.length, 1 + 20 + 2);
  });

  it('writes JSON or NDJSON with the names of its file', () => {
    const points = Array.from({ length: 20 }, (_, i) => ({ t: Date.parse(day(i)), kW: i }));
    const lines = points.map((point) => `${JSON.stringify(point)}\n`).join('');
    const nd = written(lines, 'power.jsonl', 'same');
    assert.equal(nd.extension, 'jsonl');
    assert.deepEqual(JSON.parse(nd.text.split('\n')[0]), {
      t: Date.parse(day(20)),
      lower_80: 20.5,
      lower_50: 22,
      forecast: 24.5,
      upper_50: 26,
      upper_80: 28,
    });
    const csv = written(JSON.stringify(points), 'power.json', 'csv');
    assert.equal(csv.text.split('\n')[0], 't,lower_80,lower_50,forecast,upper_50,upper_80');
    const json = written(
      'day,v\n' + points.map(({ kW }) => `${day(kW).slice(0, 10)},${kW}\n`).join(''),
      'a.csv',
      'json',
    );
    assert.equal((JSON.parse(json.text) as { day: string }[])[1].day, '2020-01-22');
  });

  it('omits the time if its file has none', () => {
    const { text } = written(`load\n${Array.from({ length: 20 }, (_, i) => `${i}\n`).join('')}`, 'rows.csv', 'csv');
    assert.equal(text.split('\n')[0], 'lower_80,lower_50,forecast,upper_50,upper_80');
    assert.equal(text.split('\n')[1], '20.5,22,24.5,26,28');
  });

  it('writes plain CSV or JSON if the prediction is not from a file', () => {
    const chart = chartView(prediction, { valueLabel: '=SUM(A1)', timeZone: 'UTC' });
    const [head, first] = textOf({ chart }, 'same').text.split('\n');
    assert.equal(head, 'timestamp,lower_80,lower_50,forecast,upper_50,upper_80');
    assert.equal(first, '2020-01-21T00:00:00Z,20.5,22,24.5,26,28');
    const { text } = textOf({ chart }, 'json');
    assert.deepEqual((JSON.parse(text) as object[])[0], {
      timestamp: '2020-01-21T00:00:00Z',
      lower_80: 20.5,
      lower_50: 22,
      forecast: 24.5,
      upper_50: 26,
      upper_80: 28,
    });
  });
});

describe('default file name of an export', () => {
  it('contains the words of the title, without endings and characters that file systems refuse', () => {
    assert.deepEqual(nameParts('shops.csv · Größe 1/2: "A"'), ['shops', 'Größe', '1', '2', 'A']);
    assert.deepEqual(nameParts('a.b.parquet'), ['a.b']);
    assert.deepEqual(nameParts('x y.xlsx'), ['x', 'y']);
  });
});
