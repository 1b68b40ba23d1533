import assert from 'node:assert/strict';
import { type Frame, frameOf } from '../../../../src/chart/frame.ts';
import { readout, spoken } from '../../../../src/webview/chart/chart-tab.tsx';
import { tableColumns } from '../../../../src/webview/chart/table.tsx';

const columnsOf = (frame: Frame) => tableColumns(frame).map((column) => column.label);
const cellsOf = (frame: Frame, row: number) => tableColumns(frame).map(({ cell }) => cell(frame.times[row]!));
import { chartOf, monthly } from '../../chart/charts.ts';

const frame = frameOf(monthly);

describe('readout of a time', () => {
  it('is the observation, with all names of the legend', () => {
    assert.deepEqual(readout({ frame: frame, hiddenIntervals: [] }, 0), {
      time: 'Oct 2020',
      entries: [
        { kind: 'history', label: 'Sales', value: '112' },
        { kind: 'forecast', label: 'Forecast', value: '' },
        { kind: 'interval', level: 50, label: '50%', value: '', layers: 3 },
        { kind: 'interval', level: 80, label: '80%', value: '', layers: 2 },
        { kind: 'interval', level: 95, label: '95%', value: '', layers: 1 },
      ],
    });
  });

  it('is the forecast with the visible intervals, narrowest first', () => {
    assert.deepEqual(readout({ frame: frame, hiddenIntervals: [95] }, 3), {
      time: 'Jan 2021',
      entries: [
        { kind: 'history', label: 'Sales', value: '' },
        { kind: 'forecast', label: 'Forecast', value: '129.0' },
        { kind: 'interval', level: 50, label: '50%', value: '125.0 – 133.0', layers: 2 },
        { kind: 'interval', level: 80, label: '80%', value: '120.0 – 139.0', layers: 1 },
        { kind: 'interval', level: 95, label: '95%', value: '', layers: 0 },
      ],
    });
  });

  it('is both if forecast and history overlap, and names missing values', () => {
    const both = frameOf(chartOf({ history: [[0, 1], [1, NaN]], forecast: [[0, 2]] })); // prettier-ignore
    assert.deepEqual(readout({ frame: both, hiddenIntervals: [] }, 0).entries.map(({ value }) => value), ['1', '2.00']); // prettier-ignore
    assert.deepEqual(readout({ frame: both, hiddenIntervals: [] }, 1).entries, [
      { kind: 'history', label: 'Sales', value: 'missing' },
      { kind: 'forecast', label: 'Forecast', value: '' },
    ]);
  });

  it('can be spoken', () => {
    assert.equal(
      spoken(readout({ frame: frame, hiddenIntervals: [50, 95] }, 3)),
      'Jan 2021: Forecast 129.0, 80% between 120.0 and 139.0',
    );
  });
});

describe('columns of the data table', () => {
  it('are one for each number of a row', () => {
    const columns = ['Time', 'Sales', 'Forecast', '50% from', 'to', '80% from', 'to', '95% from', 'to'];
    assert.deepEqual(columnsOf(frame), columns);
    assert.deepEqual(cellsOf(frame, 2), ['Dec 2020', '132', '', '', '', '', '', '', '']);
    const ahead = ['Jan 2021', '', '129.0', '125.0', '133.0', '120.0', '139.0', '110.0', '150.0'];
    assert.deepEqual(cellsOf(frame, 3), ahead);
  });

  it('name the zone if times have a clock, and none of a forecast that does not exist', () => {
    const hourly = chartOf({
      frequency: 'PT1H',
      timeZone: 'Europe/Berlin',
      valueLabel: 'Load',
      history: [['2021-03-04T13:00Z', 1]],
    });
    assert.deepEqual(columnsOf(frameOf(hourly)), ['Time (Europe/Berlin)', 'Load']);
    assert.deepEqual(cellsOf(frameOf(hourly), 0), ['2021-03-04 14:00', '1']);
  });
});
