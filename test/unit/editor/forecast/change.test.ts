import assert from 'node:assert/strict';
import { SeenChart } from '../chart-page.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';
import { until } from '../until.ts';

describe('Changing a forecast in its chart', () => {
  const extension = new Extension();

  async function open(name: string) {
    await extension.run('forecast', extension.file(name, months(60, { passengers: seasonal })));
    const panel = extension.window.panels.at(-1)!;
    const page = new SeenChart(panel);
    await page.controls(({ horizon }) => horizon !== undefined);
    return page;
  }

  it('forecasts again in place with the other options, and steps back', async () => {
    const page = await open('change.csv');
    const before = page.state.controls!;
    assert.deepEqual([before.horizon?.steps, before.horizon?.unit, before.back], [24, 'months', undefined]);
    const count = extension.window.panels.length;
    page.act({ type: 'change', change: { horizon: 6 } });
    await page.controls(({ horizon }) => horizon?.steps === 6);
    page.act({ type: 'change', change: { model: 'theta', intervals: [90] } });
    const theta = await page.controls(({ model }) => model?.id === 'theta');
    assert.deepEqual([theta.horizon?.steps, theta.intervals, page.state.ref.former!.length], [6, [90], 2]);
    assert.equal(extension.window.panels.length, count);
    assert.equal(page.chart.forecast!.times.length, 6);
    page.act({ type: 'back' });
    const back = (await page.comes(({ ref, controls }) => ref.former!.length === 1 && controls?.model?.id !== 'theta'))
      .controls!;
    assert.notEqual(back.model?.id, 'theta');
    assert.equal(back.horizon?.steps, 6);
    page.act({ type: 'back' });
    await page.comes(({ ref, controls }) => ref.former!.length === 0 && controls?.horizon?.steps === 24);
  });

  it('forecasts again unchanged, with a named model, and with a chosen model', async () => {
    const page = await open('again.csv');
    const { horizon, model } = page.state.controls!;
    const action = async (id: string, fits: (id: string | undefined) => boolean) => {
      const before = page.id;
      page.act({ type: 'action', id });
      const now = await page.controls((one) => page.id !== before && fits(one.model?.id));
      assert.equal(now.horizon?.steps, horizon?.steps);
    };
    await action('again', (id) => id === model?.id);
    await action('use-model:seasonal-naive', (id) => id === 'seasonal-naive');
    extension.person.picks('Theta');
    await action('model', (id) => id === 'theta');
  });

  it('restores the earlier options and shows the reason after a refusal', async () => {
    const page = await open('refused.csv');
    const { length } = page.panel.posted;
    page.act({ type: 'change', change: { model: 'of-nobody' } });
    await until(() => extension.person.texts, (texts) => texts.some((text) => text.includes('of-nobody'))); // prettier-ignore
    extension.person.texts.length = 0;
    await until(() => page.panel.posted.slice(length), (posted) => posted.some((one) => 'controls' in (one as { parts: object }).parts)); // prettier-ignore
    assert.equal(page.state.controls?.horizon?.steps, 24);
  });

  it('compares other models with scores on the same origins', async () => {
    const page = await open('compare.csv');
    const main = page.id;
    page.act({ type: 'compare', do: 'open' });
    page.act({ type: 'compare', do: 'add-model', id: 'theta' });
    page.act({ type: 'compare', do: 'add-model', id: 'seasonal-naive' });
    const view = await page.compared(
      ({ rows }) => rows.length === 3 && rows.every(({ scores }) => scores?.mase !== undefined),
    );
    assert.deepEqual(
      view.rows.map(({ isMain, line }) => [isMain, line?.times.length]),
      [
        [true, 24],
        [false, 24],
        [false, 24],
      ],
    );
    assert.equal(view.rows.filter(({ isBest }) => isBest).length, 1);
    assert.match(view.about!, /from the same points in the past \(\d\),/);
    const theta = view.rows[1];
    page.act({ type: 'compare', do: 'main', id: theta.id });
    const turned = await page.compared(({ rows }) => rows[0].id === theta.id);
    assert.deepEqual(turned.rows.map(({ id }) => id).toSorted(), view.rows.map(({ id }) => id).toSorted());
    assert.equal(page.id, theta.id);
    page.act({ type: 'compare', do: 'remove', id: main });
    await page.compared(({ rows }) => rows.length === 2);
    page.act({ type: 'compare', do: 'close' });
    await page.comes(({ compared }) => compared === null);
  });
});
