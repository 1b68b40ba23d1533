import assert from 'node:assert/strict';
import { render } from 'preact';
import { PRINT } from '../../../../src/chart/pen.ts';
import type { Extremes } from '../../../../src/chart/extremes.ts';
import { drawScene } from '../../../../src/chart/scene.ts';
import type { Points } from '../../../../src/chart/types.ts';
import { useExtremes } from '../../../../src/webview/chart/chart-tab.tsx';
import { until } from '../../editor/until.ts';
import { settled, useBrowser } from '../browser.ts';
import { find } from '../dom.ts';
import { recordingPen } from '../../chart/recording-pen.ts';

const count = 20_000;
const times = Float64Array.from({ length: count }, (_, index) => index * 1000);
const points = { times, values: Float64Array.from(times, (_, index) => (index === 12_345 ? 1000 : index % 10)) };
const whole = { min: 0, max: count * 1000 };

describe('a long series', () => {
  useBrowser();
  let extremes: Extremes | undefined;
  const Long = ({ of }: { readonly of: Points }) => {
    extremes = useExtremes(of);
    return null;
  };
  const know = (of: Points) => {
    render(<Long of={of} />, find('#app'));
  };
  const known = () => until(() => extremes, Boolean);

  /** The bars and the corners of the line that a picture of some pixels has. */
  function drawn(range: typeof whole, width: number) {
    const pen = recordingPen();
    const traces = [{ kind: 'line', line: points, hue: 'history', width: 1, extremes } as const];
    const { to } = drawScene(pen, { traces, range, values: { min: 0, max: 1000 } }, { left: 0, top: 0, width, height: 100 }, PRINT); // prettier-ignore
    const bars = pen.drawn.flatMap(({ kind, at }) => (kind === 'bar' && at && 'top' in at ? [at] : []));
    return { bars, to, corners: pen.drawn.reduce((sum, { what }) => sum + (what.match(/[ML]/g) ?? []).length, 0) };
  }

  it('is drawn from its extremes once they are known, and its highest point is kept', async () => {
    know(points);
    assert.equal(extremes, undefined, 'not yet');
    await known();
    const { bars, to, corners } = drawn(whole, 500);
    assert.ok(bars.length > 400 && bars.length <= 501, `${bars.length} bars`);
    assert.equal(corners, 0);
    const top = bars.filter((bar) => bar.top < 5);
    assert.equal(top.length, 1, 'a bar up to 1000');
    assert.ok(Math.abs(top[0]!.left - to.x(12_345_000)) <= 1, 'where it is');
  });

  it('is drawn point by point where few of them are in sight', async () => {
    know(points);
    await known();
    assert.equal(drawn({ min: 0, max: 300_000 }, 500).bars.length, 0);
    assert.ok(drawn({ min: 0, max: 1_300_000 }, 300).bars.length > 0, 'in a narrow panel');
  });

  it('of few points is never thinned', async () => {
    know({ times: times.slice(0, 5000), values: points.values.slice(0, 5000) });
    await settled();
    await settled();
    assert.equal(extremes, undefined);
  });

  it('is known anew where another one takes its place, and is computed no further once its chart is gone', async () => {
    know(points);
    await known();
    know({ ...points });
    assert.equal(extremes, undefined);
    render(null, find('#app'));
    await settled();
    assert.equal(extremes, undefined);
  });
});
