import assert from 'node:assert/strict';
import type { ChartControls, CompareView } from '../../../../src/editor/views/analysis/protocol.ts';
import type { HostMessage } from '../../../../src/editor/views/chart/protocol.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';
import { until } from '../until.ts';

describe('changing a forecast in its chart', () => {
  const extension = new Extension();

  async function open(name: string) {
    await extension.run('forecast', extension.file(name, months(60, { passengers: seasonal })));
    const panel = extension.window.panels.at(-1)!;
    panel.says({ type: 'ready' });
    const messages = () => panel.posted as HostMessage[];
    const last = <K extends HostMessage['type']>(type: K) =>
      messages().findLast((message): message is Extract<HostMessage, { type: K }> => message.type === type);
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
    return { panel, last, controls, compared };
  }

  it('forecasts again in place, keeping the rest, and steps back', async () => {
    const { panel, last, controls } = await open('change.csv');
    const before = await controls(() => true);
    assert.deepEqual([before.horizon?.steps, before.horizon?.unit, before.back], [24, 'months', undefined]);
    const count = extension.window.panels.length;
    panel.says({ type: 'change', change: { horizon: 6 } });
    await controls(({ horizon }) => horizon?.steps === 6);
    panel.says({ type: 'change', change: { model: 'theta', bands: [90] } });
    const theta = await controls(({ model }) => model?.id === 'theta');
    assert.deepEqual([theta.horizon?.steps, theta.bands, theta.former.length], [6, [90], 2]);
    assert.equal(extension.window.panels.length, count);
    assert.equal(last('show')!.chart.forecast!.times.length, 6);
    panel.says({ type: 'back' });
    const back = await controls(({ former }) => former.length === 1);
    assert.notEqual(back.model?.id, 'theta');
    assert.equal(back.horizon?.steps, 6);
    panel.says({ type: 'back' });
    await controls(({ horizon, former }) => horizon?.steps === 24 && former.length === 0);
  });

  it('lays other models over it with scores on the same origins, and makes one the main line', async () => {
    const { panel, last, controls, compared } = await open('compare.csv');
    await controls(() => true);
    const main = last('show')!.ref.predictionId;
    panel.says({ type: 'compare', do: 'open' });
    panel.says({ type: 'compare', do: 'add-model', id: 'theta' });
    panel.says({ type: 'compare', do: 'add-model', id: 'seasonal-naive' });
    const view = await compared(
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
    assert.match(view.about!, /at the same \d times/);
    const theta = view.rows[1];
    panel.says({ type: 'compare', do: 'main', id: theta.id });
    const turned = await compared(({ rows }) => rows[0].id === theta.id);
    assert.deepEqual(turned.rows.map(({ id }) => id).toSorted(), view.rows.map(({ id }) => id).toSorted());
    assert.equal(last('show')!.ref.predictionId, theta.id);
    panel.says({ type: 'compare', do: 'remove', id: main });
    await compared(({ rows }) => rows.length === 2);
    panel.says({ type: 'compare', do: 'close' });
    assert.equal(last('compared')!.compared, undefined);
  });
});
