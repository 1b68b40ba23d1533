import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Analyses, Analysis, ChartControls, CompareView } from '../../../../src/editor/views/chart/protocol.ts';
import { SeenChart } from '../chart-page.ts';
import { Extension } from '../extension.ts';
import { until } from '../until.ts';

const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);
const day = (index: number): string => new Date(START + index * DAY).toISOString().slice(0, 10);
const promo = (index: number): number => ((index * 7) % 11 < 2 ? 1 : 0);

/** Daily sales, doubled by promotions that are known ten days further; visitors are known for the past only. */
function shop(future = promo): string {
  const rows = Array.from({ length: 130 }, (_, index) => {
    const sales = 100 + 5 * (index % 7) + 100 * promo(index) + ((index * 13) % 5);
    return index < 120
      ? `${day(index)},${sales},${promo(index)},${200 + ((index * index) % 17)}`
      : `${day(index)},,${future(index)},`;
  });
  return `date,sales,promo,visitors\n${rows.join('\n')}\n`;
}

describe('future covariates in the chart', () => {
  const extension = new Extension();
  // the cheapest that makes use of what is known
  before(() => {
    extension.window.setSetting('forecasts.defaultModel', 'theta');
  });

  async function open(name: string) {
    const file = extension.file(name, shop());
    extension.person.picks('sales');
    await extension.run('forecast', file);
    const page = new SeenChart(extension.window.panels.at(-1)!);
    const controls = (fits: (now: ChartControls) => boolean) => page.controls(fits);
    const compared = (fits: (now: CompareView) => boolean) => page.compared(fits);
    const used = ({ columns }: ChartControls) =>
      columns?.choices.filter(({ isUsed }) => isUsed).map(({ name }) => name);
    return { file, page, controls, compared, used };
  }

  it('have a checkbox for each column, apply in place, are remembered, and can be undone', async () => {
    const { file, page, controls, used } = await open('ticks.csv');
    const before = await controls(({ columns }) => columns?.choices.length === 2);
    assert.deepEqual(before.columns!.choices.map(({ name, isUsed }) => [name, isUsed]), [['promo', true], ['visitors', false]]); // prettier-ignore
    assert.match(before.columns!.choices[1]!.about, /^known for the past only/);
    assert.equal(before.horizon?.steps, 10, 'as far as the file says it');
    const remarks = page.chart.remarks?.map(({ text }) => text);
    assert.deepEqual(remarks, ['Uses promo, which helped in a backtest, for 10 days: as far as the file has values']);
    assert.equal(before.columns!.canTest, true);
    page.act({ type: 'test-columns' });
    const tested = await controls(({ columns }) => columns?.canTest === false);
    assert.match(tested.columns!.choices[1]!.about, /Did not help in a backtest/);
    page.act({ type: 'change', change: { covariates: [] } });
    await controls((now) => used(now)?.length === 0);
    page.act({ type: 'change', change: { covariates: ['promo'] } });
    const after = await controls((now) => used(now)?.length === 1);
    assert.match(after.columns!.choices[0]!.about, /known until 9 May 2024 · \+\d+(\.\d+)? from 0 to 1/);
    assert.match(after.columns!.worth!, /error was \d\d% smaller with them/);
    assert.equal(page.state.ref.former!.length, 2);
    // another horizon keeps them
    page.act({ type: 'change', change: { horizon: 5 } });
    assert.deepEqual(used(await controls(({ horizon }) => horizon?.steps === 5)), ['promo']);
    page.act({ type: 'back' });
    page.act({ type: 'back' });
    page.act({ type: 'back' });
    const first = await page.comes(({ ref, standing }) => ref.former!.length === 0 && standing === null);
    assert.deepEqual(used(first.controls!), ['promo']);
    await extension.run('forecast', file);
    const anew = new SeenChart(extension.window.panels.at(-1)!);
    await anew.comes(({ shown }) => shown?.chart.known !== undefined);
  });

  it('include holidays, with a checkbox', async () => {
    extension.window.setSetting('forecasts.holidays.country', 'DE');
    const { page, controls, used } = await open('holidays.csv');
    const { columns } = await controls(
      (now) => now.columns?.choices.some(({ name }) => name === 'holiday (DE)') === true,
    );
    assert.match(columns!.choices.find(({ name }) => name === 'holiday (DE)')!.about, /^known for any horizon/);
    page.act({ type: 'change', change: { covariates: ['promo', 'holiday (DE)'] } });
    await controls((now) => used(now)?.join() === 'promo,holiday (DE)');
    extension.window.setSetting('forecasts.holidays.country', undefined);
  });

  it('can be changed in a scenario: both forecasts overlap, with the difference in words and figures', async () => {
    const { page, controls, compared, used } = await open('scenario.csv');
    await controls((now) => used(now)?.length === 1);
    const { chart } = page;
    const off = [...chart.forecast!.times].filter((time) => promo((time - START) / DAY) === 0).slice(0, 4);
    const cells = off.map((time) => ({ column: 'promo', time, value: 1 }));
    page.act({ type: 'suppose', name: 'More promotion', cells });
    const { rows } = await compared((view) => view.rows.length === 2 && view.rows[1]!.difference !== undefined);
    const [main, scenario] = rows as [CompareView['rows'][number], CompareView['rows'][number]];
    assert.equal(scenario.label, 'More promotion');
    off.forEach((time) => {
      const at = main.line!.times.indexOf(time);
      assert.ok(scenario.line!.values[at]! > main.line!.values[at]! + 50);
    });
    assert.match(scenario.difference!, /^“More promotion” is [\d.,]+ higher than “.+” over the 10 steps \(\+\d+(\.\d+)?%\), the largest at \d+ \w+ 2024: \+\d+/); // prettier-ignore
    assert.match(scenario.total!, /^[\d,]+ \(\+\d+(\.\d+)?%\)$/);
    // both in one file
    const target = extension.file('both.csv', '');
    extension.person.savesAs(target);
    page.act({ type: 'compare', do: 'save' });
    const text = await until(
      () => readFileSync(target.fsPath, 'utf8'),
      (written) => written !== '',
    );
    const [head = '', first = ''] = text.split('\n');
    assert.match(head, /^timestamp,.* · promo,.*More promotion · promo,More promotion,.*More promotion − /);
    assert.equal(first.slice(0, 10), day(120));
    // it is stored under its name, and can be the main line
    page.act({ type: 'compare', do: 'main', id: scenario.id });
    await compared((view) => view.rows[0]!.id === scenario.id);
    await page.comes(({ shown }) => shown?.chart.title === 'scenario.csv · sales · More promotion');
    // which is forecast again from what was supposed, not from the file
    const { columns } = await controls((now) => now.columns?.choices.length === 1);
    assert.equal(columns!.choices[0]!.name, 'promo');
    page.act({ type: 'change', change: { horizon: 7 } });
    await controls(({ horizon }) => horizon?.steps === 7);
    const again = page.chart;
    assert.equal(again.title, 'scenario.csv · sales · More promotion');
    const at = again.known!.times.indexOf(off[0]!);
    assert.equal(again.known!.columns[0]!.values[at], 1);
  });

  it('are compared with the current file if that has changed', async () => {
    const { file, page, controls, compared, used } = await open('file.csv');
    await controls((now) => used(now)?.length === 1);
    extension.file(
      'file.csv',
      shop(() => 1),
    );
    extension.window.changedDocument.fire({ document: { uri: file }, contentChanges: [{}] });
    const { notice } = await page.comes((state) => state.notice !== null);
    assert.match(notice!.sentence, /^The covariates in file\.csv have changed/);
    assert.equal(notice!.actions[0]!.label, 'Compare Both');
    page.act({ type: 'action', id: notice!.actions[0]!.id });
    const { rows } = await compared((view) => view.rows[1]?.difference !== undefined);
    assert.equal(rows[1]!.label, 'As in file.csv now');
  });

  it('are components, and used by the backtest', async () => {
    const { page, controls, compared, used } = await open('looks.csv');
    await controls((now) => used(now)?.length === 1);
    const look = async <A extends Analysis>(wanted: A): Promise<Analyses[A]> => {
      page.act({ type: 'analyze', analysis: wanted });
      const { analyses } = await page.comes((state) => typeof state.analyses[wanted] === 'object');
      const found = analyses[wanted];
      assert.ok(typeof found === 'object' && 'view' in found, JSON.stringify(found));
      return found.view as Analyses[A];
    };
    const { components, sentences } = await look('decomposition');
    assert.ok(components.some(({ label }) => label === 'promo'));
    assert.match(sentences.join('; '), /promo adds between \S+ and \d+/);
    // another model over it makes use of them too
    page.act({ type: 'compare', do: 'open' });
    page.act({ type: 'compare', do: 'add-model', id: 'theta' });
    const { rows } = await compared((view) => view.rows.length === 2 && view.rows.every(({ scores }) => scores?.mase));
    assert.ok(
      rows.every(({ scores }) => scores!.mase! < 0.6),
      JSON.stringify(rows.map(({ scores }) => scores)),
    );
    const { scores } = await look('backtest');
    assert.ok(scores[0]!.mase! < 0.5 * scores[1]!.mase!);
  });
});
