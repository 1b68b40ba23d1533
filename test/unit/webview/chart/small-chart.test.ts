import assert from 'node:assert/strict';
import { frameOf } from '../../../../src/chart/frame.ts';
import { type SmallChart, smallChart } from '../../../../src/webview/chart/small-chart.ts';
import { createDrawing, lookTab } from '../../../../src/webview/chart/look-tab.ts';
import { createDockedReadout, swatch } from '../../../../src/webview/chart/docked.ts';
import { useBrowser } from '../browser.ts';
import { monthly } from '../../chart/charts.ts';
import { find } from '../dom.ts';

const frame = frameOf(monthly);
const points = (...values: number[]) => ({ times: frame.times.slice(0, values.length), values: Float64Array.from(values) }); // prettier-ignore
const range = { min: frame.times[0]!, max: frame.times.at(-1)! };
const chart = (more: Partial<SmallChart> = {}): SmallChart => ({ label: 'Trend', height: 120, range, lines: [{ points: points(10, 20, 30), look: 'history' }], ...more }); // prettier-ignore

describe('a small chart', () => {
  useBrowser();

  function draw(what: SmallChart, width = 600) {
    const svg = smallChart(frame, what, width);
    document.body.replaceChildren(svg);
    const numbers = [...svg.querySelectorAll('[d]')].flatMap((one) => one.getAttribute('d')!.match(/-?\d+(\.\d+)?/g)?.map(Number) ?? []); // prettier-ignore
    const texts = [...svg.querySelectorAll('text')].map(({ textContent }) => textContent);
    return { svg, numbers, texts };
  }

  it('is a picture with a name, as wide as it is asked for', () => {
    const { svg } = draw(chart());
    assert.deepEqual([svg.getAttribute('role'), svg.getAttribute('aria-label'), svg.getAttribute('width')], ['img', 'Trend', '600']); // prettier-ignore
  });

  it('has labels of time below, or none where another chart below has them', () => {
    assert.ok(draw(chart()).texts.some((text) => /2020|2021|Oct|Nov/.test(text)));
    const { texts } = draw(chart({ isBare: true }));
    assert.ok(texts.length > 0 && texts.every((text) => /^[−\d.,]+$/.test(text)), texts.join()); // prettier-ignore
  });

  it('has the labels that it is given, such as steps ahead', () => {
    const { texts } = draw(chart({ range: { min: 0.5, max: 3.5 }, lines: [], ticks: [{ at: 1, label: 'one' }, { at: 3, label: 'three' }] })); // prettier-ignore
    assert.ok(texts.includes('one') && texts.includes('three'));
  });

  it('leaves labels out that would lie over each other', () => {
    const ticks = Array.from({ length: 40 }, (_, index) => ({ at: index, label: `label ${index}` }));
    const { texts } = draw(chart({ range: { min: 0, max: 39 }, lines: [], ticks }), 300);
    assert.ok(texts.filter((text) => text.startsWith('label')).length < 12);
  });

  it('fits its values to what is in sight, and has a line at zero where that is meant', () => {
    const far = { points: { times: Float64Array.of(0, range.max), values: Float64Array.of(1e6, 30) }, look: 'naive' as const }; // prettier-ignore
    assert.ok(!draw(chart({ lines: [...chart().lines, far] })).texts.some((text) => text.includes('000')));
    const axes = () => draw(chart({ isBare: true, isZeroShown: true, lines: [{ points: points(-5, 5, 0), look: 'part' }] })).svg.querySelectorAll('.axis').length; // prettier-ignore
    assert.equal(axes(), 1);
    assert.equal(draw(chart({ isBare: true })).svg.querySelectorAll('.axis').length, 0);
  });

  it('has its areas and its dashed lines where they belong', () => {
    const area = { times: frame.times.slice(0, 2), lower: Float64Array.of(12, 14), upper: Float64Array.of(18, 25) };
    const { svg, numbers } = draw(chart({ areas: [area], rules: [frame.times[1]!] }));
    const [first] = svg.querySelectorAll('.area');
    assert.equal(first!.getAttribute('d')!.match(/[ML]/g)?.length, 4, 'up one way and back the other');
    assert.equal(svg.querySelectorAll('.rule').length, 1);
    assert.ok(numbers.every(Number.isFinite));
  });

  it('draws nothing wrong of nothing', () => {
    const { svg, texts } = draw(chart({ lines: [{ points: points(NaN, NaN), look: 'history' }] }));
    assert.ok(!svg.outerHTML.includes('NaN'), svg.outerHTML);
    assert.ok(!texts.includes('NaN'));
    assert.ok(!draw(chart({ lines: [] }), 20).svg.outerHTML.includes('NaN'), 'in a very narrow panel');
  });

  it('breaks its line where observations are far apart', () => {
    const line = { points: points(1, 2, 3, 4), look: 'history' as const };
    const moves = (gap?: number) => draw(chart({ lines: [{ ...line, ...(gap === undefined ? {} : { gap }) }] })).svg.querySelector('.line')!.getAttribute('d')!.match(/M/g)!.length; // prettier-ignore
    assert.equal(moves(), 1);
    assert.ok(moves(30.5 * 86_400_000) > 1);
  });
});

describe('the drawings of a tab', () => {
  const browser = useBrowser();

  it('are drawn at the width of the panel, and again only where that is another one', () => {
    const drawing = createDrawing(frame);
    const place = drawing.add(chart());
    document.body.append(place);
    drawing.draw();
    assert.equal(find('svg').getAttribute('width'), '640', 'a usual width while nobody knows');
    browser.sizes.set('small', { width: 320, height: 100 });
    drawing.draw();
    const now = find('svg');
    assert.equal(now.getAttribute('width'), '320');
    drawing.draw();
    assert.equal(find('svg'), now);
    drawing.clear();
    browser.sizes.set('small', { width: 500, height: 100 });
    drawing.draw();
    assert.equal(find('svg'), now, 'what is gone is not drawn');
  });

  it('are asked for once, and again after a failure; what comes unasked is shown', () => {
    let asked = 0;
    const tab = lookTab<string>('odd', createDrawing(frame), () => asked++, (view) => [Object.assign(document.createElement('p'), { textContent: view })]); // prettier-ignore
    tab.show('unasked');
    tab.open();
    assert.deepEqual([asked, tab.element.textContent], [0, 'unasked']);
    tab.fail('It is away.');
    assert.equal(tab.element.querySelector('[role=alert]')?.textContent, 'It is away.');
    tab.open();
    assert.deepEqual([asked, tab.element.textContent], [1, 'Being computed…']);
    tab.show('at last');
    tab.open();
    assert.deepEqual([asked, tab.element.textContent], [1, 'at last']);
  });

  it('of a tab that is not seen wait until it is', () => {
    const drawing = createDrawing(frame);
    const tab = lookTab<string>('parts', drawing, () => undefined, () => [drawing.add(chart())]); // prettier-ignore
    document.body.append(tab.element);
    tab.element.hidden = true;
    tab.show('');
    assert.equal(document.querySelector('svg'), null);
    tab.element.hidden = false;
    tab.open();
    assert.ok(document.querySelector('svg'));
  });
});

describe('the line of values above the chart', () => {
  useBrowser();
  const entry = (label: string) => ({ kind: 'other', label, value: '1', color: 1 }) as const;

  it('is as high as it had to be once, so that the chart does not jump under the mouse', () => {
    const { element, show } = createDockedReadout();
    show({ time: 'Jan', entries: ['a', 'b'].map(entry) }, true);
    assert.ok(!element.classList.contains('two-lines'));
    show({ time: 'Feb', entries: ['a', 'b', 'c', 'd', 'e'].map(entry) }, true);
    show({ time: 'Mar', entries: [] }, false);
    assert.deepEqual([element.classList.contains('two-lines'), element.classList.contains('resting')], [true, true]);
    assert.equal(element.textContent, 'Mar');
  });

  it('has a mark for each value, in its colour, that nobody reads out', () => {
    assert.deepEqual([swatch('other', 1, 2).className, swatch('history').className], ['swatch other other-2', 'swatch history']); // prettier-ignore
    assert.ok(Number(swatch('band', 3).style.getPropertyValue('--strength')) > Number(swatch('band', 1).style.getPropertyValue('--strength'))); // prettier-ignore
    assert.equal(createDockedReadout().element.getAttribute('aria-hidden'), 'true');
  });
});
