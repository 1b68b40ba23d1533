import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { ChartControls, CompareView, Look, Seen } from '../../../../src/editor/views/analysis/protocol.ts';
import type { HostMessage } from '../../../../src/editor/views/chart/protocol.ts';
import { Extension } from '../extension.ts';
import { until } from '../until.ts';

const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);
const day = (index: number): string => new Date(START + index * DAY).toISOString().slice(0, 10);
const promo = (index: number): number => ((index * 7) % 11 < 2 ? 1 : 0);

/** Daily sales, doubled by promotions that are known ten days further; visitors are known of the past only. */
function shop(future = promo): string {
  const rows = Array.from({ length: 130 }, (_, index) => {
    const sales = 100 + 5 * (index % 7) + 100 * promo(index) + ((index * 13) % 5);
    return index < 120
      ? `${day(index)},${sales},${promo(index)},${200 + ((index * index) % 17)}`
      : `${day(index)},,${future(index)},`;
  });
  return `date,sales,promo,visitors\n${rows.join('\n')}\n`;
}

describe('what is known beforehand, in the chart', () => {
  const extension = new Extension();
  // the cheapest that makes use of what is known
  before(() => {
    extension.window.setSetting('forecasts.defaultModel', 'theta');
  });

  async function open(name: string) {
    const file = extension.file(name, shop());
    extension.person.picks('sales');
    await extension.run('forecast', file);
    const panel = extension.window.panels.at(-1)!;
    panel.says({ type: 'ready' });
    const last = <K extends HostMessage['type']>(type: K) =>
      (panel.posted as HostMessage[]).findLast((one): one is Extract<HostMessage, { type: K }> => one.type === type);
    const controls = (fits: (now: ChartControls) => boolean): Promise<ChartControls> =>
      until(
        () => last('controls')?.controls,
        (now) => now !== undefined && fits(now),
      ) as Promise<ChartControls>;
    const compared = (fits: (now: CompareView) => boolean): Promise<CompareView> =>
      until(
        () => last('compared')?.compared,
        (now) => now !== undefined && fits(now),
      ) as Promise<CompareView>;
    const used = ({ columns }: ChartControls) =>
      columns?.choices.filter(({ isUsed }) => isUsed).map(({ name }) => name);
    return { file, panel, last, controls, compared, used };
  }

  it('is offered with a tick for each column, forecast with in place, remembered, and steps back lead to what was used unasked', async () => {
    const { file, panel, last, controls, used } = await open('ticks.csv');
    const before = await controls(({ columns }) => columns?.choices.length === 2);
    assert.deepEqual(before.columns!.choices.map(({ name, isUsed }) => [name, isUsed]), [['promo', true], ['visitors', false]]); // prettier-ignore
    assert.match(before.columns!.choices[1]!.about, /^known of the past only/);
    assert.equal(before.horizon?.steps, 10, 'as far as the file says it');
    const remarks = last('show')?.chart.remarks?.map(({ text }) => text);
    assert.deepEqual(remarks, ['With promo, as that helped on a backtest, for 10 days: as far as the file says it']);
    assert.equal(before.columns!.canTest, true);
    panel.says({ type: 'test-columns' });
    const tested = await controls(({ columns }) => columns?.canTest === false);
    assert.match(tested.columns!.choices[1]!.about, /Did not help on a backtest/);
    panel.says({ type: 'change', change: { covariates: [] } });
    await controls((now) => used(now)?.length === 0);
    panel.says({ type: 'change', change: { covariates: ['promo'] } });
    const after = await controls((now) => used(now)?.length === 1);
    assert.match(after.columns!.choices[0]!.about, /known until 9 May 2024 · \+\d+(\.\d+)? from 0 to 1/);
    assert.match(after.columns!.worth!, /error was \d\d % smaller than without/);
    assert.equal(after.former.length, 2);
    // another horizon keeps them
    panel.says({ type: 'change', change: { horizon: 5 } });
    assert.deepEqual(used(await controls(({ horizon }) => horizon?.steps === 5)), ['promo']);
    panel.says({ type: 'back' });
    panel.says({ type: 'back' });
    panel.says({ type: 'back' });
    assert.deepEqual(used(await controls(({ former }) => former.length === 0)), ['promo']);
    await extension.run('forecast', file);
    const anew = extension.window.panels.at(-1)!;
    await until(
      () => (anew.posted as HostMessage[]).findLast(({ type }) => type === 'show'),
      (shown) => shown?.type === 'show' && shown.chart.known !== undefined,
    );
  });

  it('has ticks for what the calendar says too, and is forecast with it', async () => {
    extension.window.setSetting('forecasts.holidays.country', 'DE');
    const { panel, controls, used } = await open('holidays.csv');
    const { columns } = await controls(
      (now) => now.columns?.choices.some(({ name }) => name === 'holiday (DE)') === true,
    );
    assert.match(columns!.choices.find(({ name }) => name === 'holiday (DE)')!.about, /^known for as long as you like/);
    panel.says({ type: 'change', change: { covariates: ['promo', 'holiday (DE)'] } });
    await controls((now) => used(now)?.join() === 'promo,holiday (DE)');
    extension.window.setSetting('forecasts.holidays.country', undefined);
  });

  it('can be supposed another way: both forecasts lie over each other, with the difference in words and figures', async () => {
    const { panel, last, controls, compared, used } = await open('scenario.csv');
    const { canSuppose } = await controls((now) => used(now)?.length === 1);
    assert.equal(canSuppose, true);
    const { chart } = last('show')!;
    const off = [...chart.forecast!.times].filter((time) => promo((time - START) / DAY) === 0).slice(0, 4);
    const cells = off.map((time) => ({ column: 'promo', time, value: 1 }));
    panel.says({ type: 'suppose', name: 'More promotion', cells });
    const { rows } = await compared((view) => view.rows.length === 2 && view.rows[1]!.difference !== undefined);
    const [main, scenario] = rows as [CompareView['rows'][number], CompareView['rows'][number]];
    assert.equal(scenario.label, 'More promotion');
    off.forEach((time) => {
      const at = main.line!.times.indexOf(time);
      assert.ok(scenario.line!.values[at]! > main.line!.values[at]! + 50);
    });
    assert.match(scenario.difference!, /^“More promotion” is [\d.,]+ higher than “.+” over the 10 steps \(\+\d+(\.\d+)? %\), the most at \d+ \w+ 2024: \+\d+/); // prettier-ignore
    assert.match(scenario.total!, /^[\d,]+ \(\+\d+(\.\d+)? %\)$/);
    // both in one file
    const target = extension.file('both.csv', '');
    extension.person.savesAs(target);
    panel.says({ type: 'compare', do: 'save' });
    const text = await until(
      () => readFileSync(target.fsPath, 'utf8'),
      (written) => written !== '',
    );
    const [head = '', first = ''] = text.split('\n');
    assert.match(head, /^timestamp,.* · promo,.*More promotion · promo,More promotion,.*More promotion − /);
    assert.equal(first.slice(0, 10), day(120));
    // it is stored under its name, and can be the main line
    panel.says({ type: 'compare', do: 'main', id: scenario.id });
    await compared((view) => view.rows[0]!.id === scenario.id);
    await until(
      () => last('show')!.chart.title,
      (title) => title === 'scenario.csv · sales · More promotion',
    );
    // which is forecast again from what was supposed, not from the file
    const { columns } = await controls((now) => now.columns?.choices.length === 1);
    assert.equal(columns!.choices[0]!.name, 'promo');
    panel.says({ type: 'change', change: { horizon: 7 } });
    await controls(({ horizon }) => horizon?.steps === 7);
    const again = last('show')!.chart;
    assert.equal(again.title, 'scenario.csv · sales · More promotion');
    const at = again.known!.times.indexOf(off[0]!);
    assert.equal(again.known!.columns[0]!.values[at], 1);
  });

  it('is compared with what the file says now, where that has changed', async () => {
    const { file, panel, last, controls, compared, used } = await open('file.csv');
    await controls((now) => used(now)?.length === 1);
    extension.file(
      'file.csv',
      shop(() => 1),
    );
    extension.window.changedDocument.fire({ document: { uri: file }, contentChanges: [{}] });
    const notice = await until(
      () => last('notice')?.notice,
      (now) => now !== undefined,
    );
    assert.match(notice!.sentence, /^What is known beforehand has changed in file\.csv/);
    assert.equal(notice!.actions[0]!.label, 'Compare Both');
    panel.says({ type: 'action', id: notice!.actions[0]!.id });
    const { rows } = await compared((view) => view.rows[1]?.difference !== undefined);
    assert.equal(rows[1]!.label, 'As in file.csv now');
  });

  it('is a part of its own, and used by the backtest', async () => {
    const { panel, controls, compared, used } = await open('looks.csv');
    await controls((now) => used(now)?.length === 1);
    const look = (wanted: Look) => {
      panel.says({ type: 'look', look: wanted });
      return until(
        () => (panel.posted as HostMessage[]).flatMap((one) => (one.type === 'seen' ? [one.seen] : [])).find((seen) => seen.look === wanted), // prettier-ignore
        (seen) => seen !== undefined,
      ) as Promise<Seen>;
    };
    const parts = await look('parts');
    assert.ok(parts.look === 'parts' && 'view' in parts, JSON.stringify(parts));
    assert.ok(parts.view.parts.some(({ label }) => label === 'promo'));
    assert.match(parts.view.sentences.join('; '), /promo adds up to \d+/);
    // another model over it makes use of them too
    panel.says({ type: 'compare', do: 'open' });
    panel.says({ type: 'compare', do: 'add-model', id: 'theta' });
    const { rows } = await compared((view) => view.rows.length === 2 && view.rows.every(({ scores }) => scores?.mase));
    assert.ok(
      rows.every(({ scores }) => scores!.mase! < 0.6),
      JSON.stringify(rows.map(({ scores }) => scores)),
    );
    const backtest = await look('backtest');
    assert.ok(backtest.look === 'backtest' && 'view' in backtest);
    assert.ok(backtest.view.scores[0]!.mase! < 0.5 * backtest.view.scores[1]!.mase!);
  });
});
