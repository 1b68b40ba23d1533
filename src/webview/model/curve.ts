import { inDigits } from '../../calendar/digits.ts';
import * as l10n from '@vscode/l10n';
import type { Curve } from '../../editor/views/model/protocol.ts';
import { valueTicks } from '../../chart/ticks.ts';
import { h } from '../shared/dom.ts';

const WIDTH = 340;
const HEIGHT = 180;
const MARGIN = { left: 52, right: 12, top: 12, bottom: 28 };
/** An axis spans at least this share of its highest value, lest a change of nothing look like one. */
const LEAST_SPAN = 0.25;

/** The value axis of a curve: round ends, from 0 where that is near. */
export function axisOf(values: readonly number[]): {
  readonly min: number;
  readonly max: number;
  readonly ticks: number[];
} {
  const high = Math.max(...values);
  const low = Math.min(...values);
  const base = low >= 0 && low < high / 2 ? 0 : Math.min(low, high - LEAST_SPAN * Math.abs(high));
  const top = high > base ? high : base + 1;
  const [first = base, second = top] = valueTicks(base, top, 4);
  const step = second - first || 1;
  const min = Math.min(base, Math.floor(base / step + 1e-9) * step);
  const max = Math.max(top, Math.ceil(top / step - 1e-9) * step);
  return { min, max, ticks: valueTicks(min, max, Math.round((max - min) / step)) };
}

/** Values by epoch as a line. @param last the last epoch of the axis @param chosen the epoch to mark */
export function curveOf({ name, title, points, digits }: Curve, last: number, chosen: number | undefined): HTMLElement {
  const { min, max, ticks } = axisOf(points.map(({ value }) => value));
  const bottom = HEIGHT - MARGIN.bottom;
  const right = WIDTH - MARGIN.right;
  const x = (epoch: number) => MARGIN.left + (epoch / last) * (right - MARGIN.left);
  const y = (value: number) => MARGIN.top + ((max - value) / (max - min)) * (bottom - MARGIN.top);
  const decimals = Math.min(digits, Math.max(0, ...ticks.map((tick) => (String(tick).split('.')[1] ?? '').length)));
  const dot = (kind: string, { epoch, value }: Curve['points'][number]) =>
    svg('circle', { class: kind, cx: x(epoch), cy: y(value), r: 4 });
  const marked = points.find(({ epoch }) => epoch === chosen);
  const line = points.map(({ epoch, value }) => `${x(epoch).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  const drawing = svg(
    'svg',
    {
      viewBox: `0 0 ${String(WIDTH)} ${String(HEIGHT)}`,
      role: 'img',
      'aria-label': spoken(title, points, digits, marked),
    },
    ...ticks.map((tick) => svg('line', { class: 'grid', x1: MARGIN.left, y1: y(tick), x2: right, y2: y(tick) })),
    ...ticks.map((tick) =>
      svg('text', { class: 'value', x: MARGIN.left - 8, y: y(tick) + 4 }, inDigits(tick, decimals)),
    ),
    svg('text', { class: 'epoch', x: MARGIN.left, y: HEIGHT - 8 }, l10n.t('epoch {0}', '0')),
    svg('text', { class: 'epoch end', x: right, y: HEIGHT - 8 }, l10n.t('epoch {0}', String(last))),
    svg('polyline', { class: name, points: line }),
    // a line of one point would not be seen
    ...(marked ? [dot('chosen', marked)] : points.length === 1 ? [dot(name, points[0]!)] : []),
  );
  const figure = h('figure', {}, h('figcaption', {}, title));
  figure.append(drawing);
  return figure;
}

function spoken(
  title: string,
  points: Curve['points'],
  digits: number,
  marked: Curve['points'][number] | undefined,
): string {
  const first = points[0]!;
  const end = points.at(-1)!;
  const at = ({ epoch, value }: Curve['points'][number], which = l10n.t('epoch {0}', String(epoch))) =>
    l10n.t('{0} at {1}', inDigits(value, digits), which);
  return [
    l10n.t('{0} by epoch: {1}', title, at(first)),
    ...(end === first ? [] : [at(end)]),
    ...(marked && marked !== end && marked !== first
      ? [at(marked, l10n.t('the chosen epoch {0}', String(marked.epoch)))]
      : []),
  ].join(', ');
}

function svg(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  ...children: (Node | string)[]
): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, typeof value === 'number' ? String(Number(value.toFixed(1))) : value);
  }
  element.append(...children);
  return element;
}
