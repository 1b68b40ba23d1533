import assert from 'node:assert/strict';
import type { ChartView } from '../../../src/chart/chart-view.ts';
import { frameOf, PLAIN } from '../../../src/chart/frame.ts';
import { SIZE, svgOf } from '../../../src/chart/picture.ts';
import { PRINT } from '../../../src/chart/scene.ts';
import { chartOf, monthly } from './charts.ts';

function pictureOf(chart: ChartView, hidden: number[] = [], decoration = PLAIN): string {
  const frame = frameOf(chart);
  return svgOf(chart, { frame, range: frame.bounds.whole, hiddenIntervals: hidden, decoration });
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

describe('picture of a chart', () => {
  it('is a well-formed document on white', () => {
    const svg = pictureOf(monthly);
    assert.ok(isWellFormed(svg));
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    assert.match(svg, /<path d="M0 0h1000v560h-1000z" fill="#ffffff">/);
    assert.doesNotMatch(svg, /var\(|NaN|Infinity|undefined/);
  });

  it('has the visible intervals, a legend and axes', () => {
    const areas = (svg: string) => svg.match(/<path [^>]*fill-opacity/g)!.length;
    assert.equal(areas(pictureOf(monthly)), 6, 'each with its name');
    assert.equal(areas(pictureOf(monthly, [80])), 4);
    for (const text of ['Sales', 'Forecast', '50%', 'Oct', '2021']) assert.ok(pictureOf(monthly).includes(`>${text}<`));
  });

  it('names and draws each compared line in print colors', () => {
    const line = { times: Float64Array.of(Date.UTC(2021, 0), Date.UTC(2021, 1)), values: Float64Array.of(125, 130) };
    const lines = [{ label: 'Actuals', line }, ...['Holt', 'Theta', 'Mean', 'Last'].map((label, color) => ({ label, line, color }))]; // prettier-ignore
    const marks = { times: Float64Array.of(Date.UTC(2020, 10)), values: Float64Array.of(118) };
    const svg = pictureOf(monthly, [], { lines, marks });
    assert.ok(isWellFormed(svg));
    for (const { label } of lines) assert.ok(svg.includes(`>${label}</text>`), label);
    for (const color of [PRINT.history, PRINT.forecast, ...PRINT.others])
      assert.ok(svg.match(new RegExp(`<path [^>]*stroke="${color}"`, 'g'))!.length >= 2, `${color}: a line and its name`); // prettier-ignore
    assert.match(svg, new RegExp(`<path d="M[^"]*a5 5 [^>]*stroke="${PRINT.anomaly}"`));
    const print = new Set([...Object.values(PRINT).flat(), 'none']);
    for (const [, color] of svg.matchAll(/ (?:fill|stroke)="([^"]*)"/g)) assert.ok(print.has(color!), color);
  });

  it('wraps long names within it, and cuts names that are too long', () => {
    const line = { times: Float64Array.of(Date.UTC(2021, 0)), values: Float64Array.of(125) };
    const lines = ['a', 'b', 'c', 'd'].map((letter, color) => ({ label: `${letter} ${'name of a forecast '.repeat(2)}`.trim(), line, color })); // prettier-ignore
    const chart = { ...monthly, valueLabel: 'S'.repeat(300) };
    const svg = pictureOf(chart, [], { ...PLAIN, lines });
    const names = [...lines.map(({ label }) => label), `${'S'.repeat(59)}…`, 'Forecast', '50%', '80%', '95%'];
    const bottoms = new Set<number>();
    for (const name of names) {
      const [, x, y] = new RegExp(`<text x="([\\d.]+)" y="([\\d.]+)"[^>]*>${name}</text>`).exec(svg) ?? [];
      assert.ok(Number(x) + 0.56 * 12 * name.length <= SIZE.width, name);
      bottoms.add(Number(y));
    }
    assert.equal(bottoms.size, 3);
    const top = Number(/<clipPath id="plot"><rect x="[^"]*" y="([^"]*)"/.exec(svg)![1]);
    assert.ok(Math.max(...bottoms) < top, 'the plot begins below them');
  });

  it('wraps the header within it, and cuts a text that is too long', () => {
    const long = 'Sales of all stores of the north '.repeat(12).trim();
    const chart = { ...monthly, title: long, summary: '売上'.repeat(80), detail: 'x'.repeat(2000), figures: [] };
    const svg = pictureOf(chart);
    assert.ok(isWellFormed(svg));
    assert.ok(svg.includes(`<title>${long}</title>`), 'the title of the document is whole');
    const rows = Array.from(svg.matchAll(/<text x="24" y="([\d.]+)"([^>]*)>([^<]*)<\/text>/g), ([, y, more = '', row = '']) => ({ y: Number(y), size: more.includes('font-size="18"') ? 18 : 12, row })); // prettier-ignore
    for (const { size, row } of rows) {
      const width = size * Array.from(row).reduce((sum, letter) => sum + (/[売上]/.test(letter) ? 1 : 0.56), 0);
      assert.ok(24 + width <= SIZE.width, row);
    }
    const title = rows.filter(({ size }) => size === 18).map(({ row }) => row);
    assert.equal(title.length, 3);
    assert.ok(long.startsWith(title.slice(0, 2).join(' ')) && title[2]!.endsWith('…'), title.join('/'));
    assert.equal(rows.filter(({ row }) => /[売上]/.test(row)).map(({ row }) => row).join(''), chart.summary); // prettier-ignore
    assert.equal(rows.filter(({ row }) => /^x+…?$/.test(row)).length, 3);
    const ys = rows.map(({ y }) => y);
    assert.deepEqual(
      ys,
      [...new Set(ys)].sort((a, b) => a - b),
      'none over another',
    );
    const top = Number(/<clipPath id="plot"><rect x="[^"]*" y="([^"]*)"/.exec(svg)![1]);
    assert.ok(Math.max(...ys) < top, 'the plot begins below them');
  });

  it('runs and loads nothing', () => {
    const hostile = '"><image href="https://evil.example/x"/><script>alert(1)</script><a xlink:href="javascript:x" onload="y">]]>'; // prettier-ignore
    const line = { times: Float64Array.of(Date.UTC(2021, 0)), values: Float64Array.of(125) };
    const chart = { ...monthly, title: hostile, summary: hostile, detail: hostile, valueLabel: hostile };
    const svg = pictureOf(chart, [], { ...PLAIN, lines: [{ label: hostile, line }] });
    assert.ok(isWellFormed(svg));
    const names = new Set(Array.from(svg.matchAll(/<(\w+)/g), ([, name]) => name));
    assert.deepEqual([...names].sort(), ['clipPath', 'g', 'path', 'rect', 'svg', 'text', 'title']); // prettier-ignore
    for (const [tag] of svg.matchAll(/<\w[^>]*>/g)) assert.doesNotMatch(tag, /\s(on\w+|style|(\w+:)?href|src)=/);
    assert.deepEqual(svg.match(/url\([^)]*\)/g), ['url(#plot)']);
  });

  it('is small for any number of points and gaps', () => {
    for (const missing of [2, 3, 1e6]) {
      const history = Array.from({ length: 100_000 }, (_, day) => [day * 86_400_000, day % missing === 1 ? NaN : Math.sin(day) * 1e6] as const); // prettier-ignore
      const { length } = pictureOf(chartOf({ frequency: 'P1D', history }));
      assert.ok(length < 100_000, `${String(length)} letters`);
    }
  });

  it('is small for any horizon', () => {
    const steps = 20_000;
    const forecast = Array.from({ length: steps }, (_, day) => [day * 86_400_000, Math.sin(day) * 1e6] as const);
    const intervals = [80, 95].map((level) => ({ level, lower: forecast.map(([, value]) => value - level * 1e4), upper: forecast.map(([, value]) => value + level * 1e4) })); // prettier-ignore
    const chart = chartOf({ frequency: 'P1D', history: [[-86_400_000, 0]], forecast, intervals });
    assert.ok(pictureOf(chart).length < 200_000, `${String(pictureOf(chart).length)} letters`);
  });

  it('escapes names', () => {
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
        intervals: [{ level: 80, lower: [-1.7e308], upper: [1.7e308] }],
      }),
    ];
    for (const chart of charts) {
      const svg = pictureOf(chart);
      assert.ok(isWellFormed(svg));
      assert.doesNotMatch(svg, /NaN|Infinity/);
    }
  });
});
