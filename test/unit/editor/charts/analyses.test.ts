import assert from 'node:assert/strict';
import type { Analyses, Analysis } from '../../../../src/editor/views/chart/protocol.ts';
import { linesOf } from '../../../../src/editor/views/chart/analyses.ts';
import { SeenChart } from '../chart-page.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';
import { until } from '../until.ts';

describe('analyses on the chart page', () => {
  const extension = new Extension();

  async function open(name: string, of: (month: number) => number, marks = 0) {
    extension.window.setSetting('forecasts.markAnomalies', marks);
    const file = extension.file(name, months(72, { sales: of }));
    await extension.run('forecast', file);
    const page = new SeenChart(extension.window.panels.at(-1)!);
    await page.controls(({ analyses }) => analyses.length === 3);
    const look = async <A extends Analysis>(analysis: A, rarity?: number): Promise<Analyses[A]> => {
      if (rarity !== 0) page.act({ type: 'analyze', analysis, rarity });
      const { analyses } = await page.comes((state) => typeof state.analyses[analysis] === 'object');
      const found = analyses[analysis];
      assert.ok(typeof found === 'object' && 'view' in found, JSON.stringify(found));
      return found.view as Analyses[A];
    };
    return { page, look, file };
  }

  it('marks anomalies unasked, by the threshold of the settings', async () => {
    const { look } = await open('marked.csv', (month) => (month === 40 ? 900 : seasonal(month)), 100);
    const { rarity, points } = await look('anomalies', 0);
    assert.equal(rarity, 100);
    assert.ok(points.some(({ value }) => value === 900));
  });

  it('shows the backtest', async () => {
    const { look } = await open('backtest.csv', seasonal);
    const { sentences, folds, errors, coverage, level } = await look('backtest');
    assert.match(sentences.join(' '), /repeated from earlier points \(\d\), each/);
    assert.equal(errors.model.length, folds[0].forecast.times.length);
    assert.deepEqual([level, coverage.map((one) => one.level)], [80, [50, 80, 95]]);
  });

  it('shows the decomposition', async () => {
    const { look, page } = await open(
      'seasonal.csv',
      (month) => 200 + 3 * month + 40 * Math.sin((month * Math.PI) / 6),
    );
    const view = await look('decomposition');
    assert.deepEqual(view.components.map(({ label }) => label), ['Trend', 'Seasonal (12 months)', 'Remainder']); // prettier-ignore
    assert.match(view.sentences.join('; '), /^Rises by [\d.]+ per month; \w+ is \d+% above, \w+ \d+% below$/);
    const { forecast } = page.chart;
    forecast!.values.forEach((value, step) => {
      const sum = view.components.reduce((total, component) => total + component.forecast.values[step], 0);
      assert.ok(Math.abs(sum - value) < 1e-9 * Math.abs(value), `${sum} is not ${value}`);
    });
  });

  it('finds anomalies, forecasts without them, and marks them in the file', async () => {
    const { page, look, file } = await open('odd.csv', (month) => (month === 40 ? 900 : seasonal(month)));
    const [point] = (await look('anomalies', 1000)).points;
    assert.equal(point.value, 900);
    assert.match(point.about, /^1 in [\d,]+ · [\d.]+ times the usual deviation/);
    page.act({ type: 'action', id: 'mark' });
    const marks = await until(
      () =>
        (extension.window.diagnostics.get(file.toString()) ?? []).filter(({ message }) =>
          /900 was unexpected/.test(message),
        ),
      (found) => found.length === 1,
    );
    assert.equal(marks[0].range.start.line, 41);
    const before = page.id;
    page.act({ type: 'action', id: 'leave-out' });
    await page.comes(() => page.id !== before);
    const shown = page;
    assert.ok(Number.isNaN(shown.chart.history.values[40]));
    assert.match(JSON.stringify(shown.chart.remarks), /1 anomaly was treated as missing/);
  });

  it('finds the line of an anomaly by its position where several lines have its value', () => {
    const format = {
      kind: 'csv',
      encoding: 'utf-8',
      delimiter: ';',
      decimal: ',',
      header: true,
      skippedLines: 1,
    } as const;
    const lines = ['a title', 'time;v', '1;5,5', '2;7', '3;5,5', '4;6', ''];
    const found = linesOf(lines, { format, id: 'v' }, [{ value: 5.5, after: 1 }, { value: 8, after: 0 }]); // prettier-ignore
    assert.deepEqual(found.map(({ line }) => line), [4]); // prettier-ignore
  });
});
