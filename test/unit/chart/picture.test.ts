import assert from 'node:assert/strict';
import type { ChartView } from '../../../src/chart/types.ts';
import { frameOf } from '../../../src/chart/frame.ts';
import { svgOf } from '../../../src/chart/picture.ts';
import { boundsOf } from '../../../src/chart/bounds.ts';
import { chartOf, monthly } from './charts.ts';

function pictureOf(chart: ChartView, hidden: number[] = []): string {
  const frame = frameOf(chart);
  return svgOf(chart, frame, boundsOf(frame).whole, hidden);
}

/** Whether every element is closed by its own name, in order. */
function isWellFormed(xml: string): boolean {
  const open: string[] = [];
  for (const [, end, name] of xml.matchAll(/<(\/?)(\w+)(?:\s[\w-]+="[^"<&]*(?:&\w+;[^"<&]*)*")*>/g)) {
    if (end === '') open.push(name!);
    else if (open.pop() !== name) return false;
  }
  return open.length === 0 && xml.startsWith('<svg') && xml.endsWith('</svg>');
}

describe('the picture of a chart', () => {
  it('is a well-formed document of its own, on white', () => {
    const svg = pictureOf(monthly);
    assert.ok(isWellFormed(svg));
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    assert.match(svg, /<rect width="1000" height="560" fill="#ffffff">/);
    assert.doesNotMatch(svg, /var\(|NaN|Infinity|undefined/);
  });

  it('has the bands that are shown, a legend and the axes', () => {
    assert.equal(pictureOf(monthly).match(/fill-opacity/g)!.length, 3);
    assert.equal(pictureOf(monthly, [80]).match(/fill-opacity/g)!.length, 2);
    for (const text of ['Sales', 'Forecast', '50 %', 'Oct', '2021'])
      assert.ok(pictureOf(monthly).includes(`>${text}<`));
  });

  it('escapes what people wrote', () => {
    const svg = pictureOf({ ...monthly, title: '</title><script>&"\u0000', valueLabel: '<b>' });
    assert.ok(isWellFormed(svg));
    assert.doesNotMatch(svg, /<script|<b>/);
    assert.ok(!svg.includes('\u0000'));
  });

  it('draws a single point, a constant, gaps and huge values', () => {
    const charts = [
      chartOf({ history: [[0, 5]] }),
      chartOf({ history: [[0, 5], [1, 5]], forecast: [[2, 5]] }), // prettier-ignore
      chartOf({ history: [[0, NaN], [1, NaN]] }), // prettier-ignore
      chartOf({
        history: [[0, 1e300], [1, -1e300]], // prettier-ignore
        forecast: [[2, 0]],
        bands: [{ level: 80, lower: [-1.7e308], upper: [1.7e308] }],
      }),
    ];
    for (const chart of charts) {
      const svg = pictureOf(chart);
      assert.ok(isWellFormed(svg));
      assert.doesNotMatch(svg, /NaN|Infinity/);
    }
  });
});
