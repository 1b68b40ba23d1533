import type { ChartView, DataExport, ImageExport } from '../../editor/views/chart/protocol.ts';
import { h, icon } from '../shared/dom.ts';
import { menuButton } from '../shared/menu.ts';

const EXPORTS: readonly { kind: DataExport | ImageExport; label: string }[] = [
  { kind: 'csv', label: 'Save as CSV…' },
  { kind: 'json', label: 'Save as JSON…' },
  { kind: 'untitled', label: 'Open as Text' },
  { kind: 'png', label: 'Save Picture as PNG…' },
  { kind: 'svg', label: 'Save Picture as SVG…' },
  { kind: 'copy', label: 'Copy Values' },
];

interface RemarkLinks {
  readonly showLines: (first: number, last: number) => void;
  readonly act: (id: string) => void;
}

/** What was done with rows of the file, each with a link to them. */
function remarksOf({ remarks = [] }: ChartView, { showLines, act }: RemarkLinks): HTMLElement[] {
  return remarks.map(({ text, lines, action: way }) => {
    const links = lines.slice(0, MOST_LINKS).map(([first, last]) => {
      const label = first === last ? `line ${first}` : `lines ${first}–${last}`;
      const click = () => {
        showLines(first, last);
      };
      return h('button.link', { attributes: { type: 'button' }, on: { click } }, label);
    });
    const more = lines.length > MOST_LINKS ? [h('span', {}, '…')] : [];
    const click = () => {
      if (way) act(way.id);
    };
    const ways = way ? [h('button.link', { attributes: { type: 'button' }, on: { click } }, way.label)] : [];
    return h('p.remark', {}, h('span', {}, text), ...links, ...more, ...ways);
  });
}

/** More links of one remark would hide the others. */
const MOST_LINKS = 3;

/** The head of a chart's page: what it is, what was done, and how it can be saved. */
export function headerOf(
  chart: ChartView,
  save: (kind: DataExport | ImageExport) => void,
  links: RemarkLinks,
): HTMLElement {
  const exports = EXPORTS.map(({ kind, label }) => ({
    label,
    run: () => {
      save(kind);
    },
  }));
  const toolbar = h(
    'div.toolbar',
    { attributes: { role: 'group', 'aria-label': 'Actions' } },
    menuButton('Export', exports),
  );
  return h(
    'header',
    {},
    h('div.top', {}, h('h1', { attributes: { title: chart.title } }, chart.title), toolbar),
    h('p.summary', {}, chart.summary),
    ...(chart.detail === undefined ? [] : [h('p.summary', {}, chart.detail)]),
    ...remarksOf(chart, links),
    ...chart.warnings.map((warning) => h('p.warning', {}, icon('warning'), h('span', {}, warning))),
  );
}
