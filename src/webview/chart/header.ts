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

/** The head of a chart's page: what it is, what was done, and how it can be saved. */
export function headerOf(chart: ChartView, save: (kind: DataExport | ImageExport) => void): HTMLElement {
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
  const missing = chart.forecast ? [] : ['The service says COMPLETED but sent no forecast.'];
  return h(
    'header',
    {},
    h('div.top', {}, h('h1', { attributes: { title: chart.title } }, chart.title), toolbar),
    h('p.summary', {}, chart.summary),
    ...(chart.detail === undefined ? [] : [h('p.summary', {}, chart.detail)]),
    ...[...missing, ...chart.warnings].map((warning) => h('p.warning', {}, icon('warning'), h('span', {}, warning))),
  );
}
