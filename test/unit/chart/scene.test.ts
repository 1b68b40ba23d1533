import assert from 'node:assert/strict';
import { axesOf } from '../../../src/chart/axes.ts';
import { frameOf, type Trace } from '../../../src/chart/frame.ts';
import { drawScene, PRINT, type Scene } from '../../../src/chart/scene.ts';
import { monthly } from './charts.ts';
import { recordingPen } from './recording-pen.ts';

const frame = frameOf(monthly);
const range = { min: frame.times[0]!, max: frame.times.at(-1)! };
const line = (...values: number[]): Trace => ({
  kind: 'line',
  line: { times: frame.times.slice(0, values.length), values: Float64Array.from(values) },
  hue: 'history',
});

/** A small picture as it is drawn. */
function draw(more: Partial<Scene> = {}, { width = 600, height = 120, contrast = false } = {}) {
  const pen = recordingPen();
  const scene = { traces: [line(10, 20, 30)], range, axes: axesOf({ below: frame.time }), ...more };
  const layout = drawScene(pen, scene, { left: 0, top: 0, width, height }, { ...PRINT, contrast });
  const strokes = (color: string) => pen.drawn.filter(({ ink }) => ink?.stroke === color);
  return { pen, layout, strokes, texts: pen.texts() };
}

describe('scene', () => {
  it('has time labels below, or none if a picture below has them', () => {
    assert.ok(draw().texts.some((text) => /2020|2021|Oct|Nov/.test(text)));
    const { texts } = draw({ axes: axesOf({}) });
    assert.ok(texts.length > 0 && texts.every((text) => /^[−\d.,]+$/.test(text)), texts.join());
    assert.deepEqual(draw({ axes: undefined }).texts, [], 'a sparkline has none at all');
  });

  it('has given labels, such as steps ahead, without overlaps', () => {
    const below = [{ at: 1, label: 'one' }, { at: 3, label: 'three' }]; // prettier-ignore
    const { texts } = draw({ range: { min: 0.5, max: 3.5 }, traces: [], axes: axesOf({ below }) });
    assert.ok(texts.includes('one') && texts.includes('three'));
    const many = Array.from({ length: 40 }, (_, index) => ({ at: index, label: `label ${index}` }));
    const crowded = draw(
      { range: { min: 0, max: 39 }, traces: [], axes: axesOf({ below: many }) },
      { width: 300 },
    ).texts;
    assert.ok(crowded.filter((text) => text.startsWith('label')).length < 12);
  });

  it('fits values to the visible range, and has a zero line on request', () => {
    const far: Trace = { kind: 'line', line: { times: Float64Array.of(0, range.max), values: Float64Array.of(1e6, 30) }, hue: 1 }; // prettier-ignore
    assert.ok(!draw({ traces: [line(10, 20, 30), far] }).texts.some((text) => text.includes('000')));
    const ends = (isZeroShown: boolean) => draw({ traces: [line(-5, 5, 0)], axes: axesOf({ isZeroShown }) }).strokes(PRINT.text).length; // prettier-ignore
    assert.equal(ends(true), ends(false) + 1);
    assert.ok(draw({ traces: [line(50, 60)], axes: axesOf({ isZeroShown: true }) }).layout.values.min <= 0);
  });

  it('has no dots at values that are not finite', () => {
    const points = { times: frame.times.slice(0, 3), values: Float64Array.of(10, Infinity, NaN) };
    const { strokes } = draw({ traces: [line(10, 200, 3000), { kind: 'dots', points, hue: 'anomaly', radius: 5, isRing: true }] }); // prettier-ignore
    const [rings] = strokes(PRINT.anomaly);
    assert.equal(rings!.what.match(/M/g)!.length, 1);
  });

  it('contains all value labels, however long', () => {
    for (const top of [12_626.03, 1_026_321_482, 1.5e-9, -3e300]) {
      const { pen } = draw({ traces: [line(0, top)] });
      for (const { what, at } of pen.drawn.filter(({ lettering }) => lettering?.align === 'end')) {
        assert.ok(at && 'x' in at && at.x - pen.widthOf(what) >= 0, `${what} of ${top}`);
      }
    }
  });

  it('aligns with others of the same gutter', () => {
    const left = (top: number) => draw({ traces: [line(0, top)], axes: axesOf({ gutter: 80 }) }).layout.box.left;
    assert.equal(left(1), left(123_456));
  });

  it('places areas and rules, with edges in high contrast', () => {
    const area: Trace = { kind: 'area', times: frame.times.slice(0, 2), lower: Float64Array.of(12, 14), upper: Float64Array.of(18, 25) }; // prettier-ignore
    const { pen, strokes } = draw({ traces: [area, { kind: 'rule', at: frame.times[1]! }] });
    const filled = pen.drawn.filter(({ kind, ink }) => kind === 'path' && ink?.fill === PRINT.forecast);
    assert.equal(filled[0]!.what.match(/[ML]/g)?.length, 4, 'up one way and back the other');
    assert.equal(strokes(PRINT.muted).length, 1);
    assert.equal(strokes(PRINT.forecast).length, 0);
    assert.equal(draw({ traces: [area] }, { contrast: true }).strokes(PRINT.forecast).length, 1);
  });

  it('draws no data without errors', () => {
    for (const traces of [[], [line(NaN, NaN)]]) {
      const { pen } = draw({ traces }, { width: 20, height: 10 });
      assert.ok(!/NaN|Infinity|null/.test(JSON.stringify(pen.drawn)));
    }
  });

  it('breaks a line at a long gap', () => {
    const moves = (gap?: number) => {
      const points = { times: frame.times.slice(0, 4), values: Float64Array.of(1, 2, 3, 4), ...(gap && { gap }) };
      return draw({ traces: [{ kind: 'line', line: points, hue: 'history' }] }).strokes(PRINT.history)[0]!.what.match(/M/g)!.length; // prettier-ignore
    };
    assert.equal(moves(), 1);
    assert.ok(moves(30.5 * 86_400_000) > 1);
  });
});
