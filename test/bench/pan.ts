/**
 * `npm run bench:pan`: the chart's page with a long series in Chromium, panned by a wheel once a frame: how long a frame
 * takes to draw, and how long it is from one to the next, over the whole series and zoomed in.
 *
 *     npm run bench:pan [-- POINTS]
 */
import { build } from 'esbuild';
import { openPage } from '../harness/page.ts';
import { ensureBrowser } from '../harness/setup.ts';
import { numberOf, readArguments } from './arguments.ts';

const [count = '1000000'] = readArguments({ allowPositionals: true }).positionals;
const points = numberOf(count, 'POINTS');
const FRAMES = 180;
/** How often the wheel is turned to zoom in from the whole series before it is panned; each time to 61 %. */
const VIEWS = [['nearly all of it', 1], ['a tenth of it', 5], ['zoomed in', 12]] as const; // prettier-ignore

const { outputFiles } = await build({
  entryPoints: { chart: 'src/webview/chart/main.tsx' },
  bundle: true,
  minify: true,
  write: false,
  outdir: 'out',
  format: 'iife',
  target: 'es2022',
});
const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';

// what runs in the page is text: its names are none of this program's
const EDITOR = 'window.acquireVsCodeApi = () => ({ postMessage() {}, getState() {}, setState() {} });';
const SHOW = `{
  const length = ${points};
  const times = Float64Array.from({ length }, (_, row) => row * 60_000);
  const values = times.map((_, row) => 500 + 80 * Math.sin(row / 230) + ((row * 7919) % 997) / 50);
  const ahead = Float64Array.from({ length: 240 }, (_, step) => (length + step) * 60_000);
  const forecast = { times: ahead, values: ahead.map(() => 500), intervals: [] };
  const words = { title: 'long.csv', summary: '', figures: [], warnings: [], timeZone: 'UTC', valueLabel: 'load' };
  const chart = { ...words, frequency: 'PT1M', history: { times, values }, forecast };
  const nothing = { standing: null, notice: null, actuals: null, controls: null, compared: null, analyses: {} };
  const parts = { ...nothing, ref: 'p', title: '', shown: { key: 'p', chart } };
  window.dispatchEvent(new MessageEvent('message', { data: { type: 'state', parts } }));
}`;
const panned = (turns: number) => `(async () => {
  const over = document.querySelector('.plot');
  const { left, top, width, height } = over.getBoundingClientRect();
  const at = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, cancelable: true };
  const wheel = (deltaY, shiftKey) => over.dispatchEvent(new WheelEvent('wheel', { deltaY, shiftKey, ...at }));
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let turn = 0; turn < 40; turn++) wheel(200, false);
  await frame();
  for (let turn = 0; turn < ${turns}; turn++) wheel(-200, false);
  await frame();
  const drawn = [];
  const between = [];
  let before = await frame();
  for (let index = 0; index < ${FRAMES}; index++) {
    const start = performance.now();
    wheel(index % 60 < 30 ? -8 : 8, true);
    // the page renders in a microtask, and draws as it does
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    drawn.push(performance.now() - start);
    const now = await frame();
    between.push(now - before);
    before = now;
  }
  return { drawn, between };
})()`;

const quantile = (values: readonly number[], level: number) =>
  (values.toSorted((a, b) => a - b)[Math.floor(level * (values.length - 1))] ?? NaN).toFixed(1);
const reported = (values: readonly number[]) => [0.5, 0.95, 1].map((level) => quantile(values, level)).join(' / ');

const { page, close } = await openPage({ browser: await ensureBrowser(), url: 'about:blank' });
await page.setContent(`<style>${textOf('.css')}</style><main id="app"></main>`);
await page.evaluate(`${EDITOR} ${textOf('.js')}`);
await page.evaluate(SHOW);
await page.locator('canvas').first().waitFor();
console.log(`${points.toLocaleString('en')} points, ${FRAMES} frames; milliseconds: median / 95 % / longest`);
for (const [name, turns] of VIEWS) {
  const { drawn, between } = await page.evaluate<{ drawn: number[]; between: number[] }>(panned(turns));
  console.log(`${name.padEnd(18)} drawing ${reported(drawn).padEnd(20)} frame to frame ${reported(between)}`);
}
await close();
