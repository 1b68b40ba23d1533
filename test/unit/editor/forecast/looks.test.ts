import assert from 'node:assert/strict';
import type { Look, Seen } from '../../../../src/editor/views/analysis/protocol.ts';
import type { HostMessage } from '../../../../src/editor/views/chart/protocol.ts';
import { linesOf } from '../../../../src/editor/views/chart/odd-points.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';
import { until } from '../until.ts';

describe('looks into a forecast', () => {
  const extension = new Extension();

  async function open(name: string, of: (month: number) => number, marks = 0) {
    extension.window.setSetting('forecasts.markOddPoints', marks);
    const file = extension.file(name, months(72, { sales: of }));
    await extension.run('forecast', file);
    const panel = extension.window.panels.at(-1)!;
    panel.says({ type: 'ready' });
    const all = <K extends HostMessage['type']>(type: K) =>
      (panel.posted as HostMessage[]).filter((one): one is Extract<HostMessage, { type: K }> => one.type === type);
    await until(
      () => all('controls').at(-1)?.controls,
      (controls) => controls?.looks.length === 3,
    );
    const look = async (wanted: Look, rarity?: number): Promise<Seen> => {
      const before = all('seen').length;
      panel.says({ type: 'look', look: wanted, ...(rarity === undefined ? {} : { rarity }) });
      await until(
        () => all('seen').length,
        (count) => count > before,
      );
      return all('seen').at(-1)!.seen;
    };
    return { panel, all, look, file };
  }

  it('mark what was odd before anybody asks, as rare as the settings say', async () => {
    const { all } = await open('marked.csv', (month) => (month === 40 ? 900 : seasonal(month)), 100);
    const seen = await until(
      () => all('seen').at(-1)?.seen,
      (now) => now !== undefined,
    );
    assert.ok(seen?.look === 'odd' && 'view' in seen, JSON.stringify(seen));
    assert.equal(seen.view.rarity, 100);
    assert.ok(seen.view.points.some(({ value }) => value === 900));
  });

  it('tell how it did in the past', async () => {
    const { look } = await open('backtest.csv', seasonal);
    const seen = await look('backtest');
    assert.ok(seen.look === 'backtest' && 'view' in seen, JSON.stringify(seen));
    const { sentences, folds, errors, coverage, level } = seen.view;
    assert.match(sentences.join(' '), /made again 3 times, each 18 months ahead|made again \d times/);
    assert.equal(errors.model.length, folds[0].forecast.times.length);
    assert.deepEqual([level, coverage.map((one) => one.level)], [80, [50, 80, 95]]);
  });

  it('tell what it adds up from', async () => {
    const { look, all } = await open('parts.csv', (month) => 200 + 3 * month + 40 * Math.sin((month * Math.PI) / 6));
    const seen = await look('parts');
    assert.ok(seen.look === 'parts' && 'view' in seen, JSON.stringify(seen));
    assert.deepEqual(seen.view.parts.map(({ label }) => label), ['Trend', 'Season of 12 months', 'Remainder']); // prettier-ignore
    assert.match(seen.view.sentences.join('; '), /^Rises [\d.]+ a month; \w+ is \d+ % above, \w+ \d+ % below$/);
    const { forecast } = all('show').at(-1)!.chart;
    forecast!.values.forEach((value, step) => {
      const sum = seen.view.parts.reduce((total, part) => total + part.forecast.values[step], 0);
      assert.ok(Math.abs(sum - value) < 1e-9 * Math.abs(value), `${sum} is not ${value}`);
    });
  });

  it('find what was odd, forecast without it, and mark it in the file', async () => {
    const { panel, look, all, file } = await open('odd.csv', (month) => (month === 40 ? 900 : seasonal(month)));
    const seen = await look('odd', 1000);
    assert.ok(seen.look === 'odd' && 'view' in seen, JSON.stringify(seen));
    const [point] = seen.view.points;
    assert.equal(point.value, 900);
    assert.match(point.about, /^1 in [\d,]+ · [\d.]+ times the usual distance/);
    panel.says({ type: 'odd', do: 'mark' });
    const marks = await until(
      () =>
        (extension.window.diagnostics.get(file.toString()) ?? []).filter(({ message }) =>
          /900 was not expected/.test(message),
        ),
      (found) => found.length === 1,
    );
    assert.equal(marks[0].range.start.line, 41);
    const before = all('show').at(-1)!.ref.predictionId;
    panel.says({ type: 'odd', do: 'leave-out' });
    const shown = await until(
      () => all('show').at(-1)!,
      ({ ref }) => ref.predictionId !== before,
    );
    assert.ok(Number.isNaN(shown.chart.history.values[40]));
    assert.match(JSON.stringify(shown.chart.remarks), /1 odd observation was taken as missing/);
  });

  it('finds the line of a value that stands in several by where it is', () => {
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
