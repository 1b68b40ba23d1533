import type { Action, ChartModel, DataExport, ImageExport } from '../chart/protocol.ts';
import { h, icon } from './dom.ts';
import { menuButton } from './menu.ts';

/** What the buttons of the page do. */
export interface Commands {
  readonly action: (id: string) => void;
  readonly save: (kind: DataExport | ImageExport) => void;
}

const EXPORTS: readonly { kind: DataExport | ImageExport; label: string }[] = [
  { kind: 'csv', label: 'Save as CSV…' },
  { kind: 'json', label: 'Save as JSON…' },
  { kind: 'untitled', label: 'Open as Text' },
  { kind: 'png', label: 'Save Picture as PNG…' },
  { kind: 'svg', label: 'Save Picture as SVG…' },
  { kind: 'copy', label: 'Copy Values' },
];

/** The head of a chart's page: what it is, what was done, and what can be done with it. */
export function headerOf(chart: ChartModel, { action, save }: Commands): HTMLElement {
  const prominent = chart.actions.filter((candidate) => candidate.prominent);
  const others = chart.actions.filter((candidate) => !candidate.prominent);
  const run = ({ id, label }: Action) => ({
    label,
    run: () => {
      action(id);
    },
  });
  const exports = EXPORTS.map(({ kind, label }) => ({
    label,
    run: () => {
      save(kind);
    },
  }));
  const toolbar = h(
    'div.toolbar',
    { attributes: { role: 'group', 'aria-label': 'Actions' } },
    ...prominent.map((one) => buttonOf(one, action, 'button.tool')),
    menuButton('Export', 'Export', exports),
    ...(others.length > 0 ? [menuButton('More actions', undefined, others.map(run))] : []),
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

/** A button of an action. */
export function buttonOf(
  { id, label }: Action,
  action: Commands['action'],
  name: `button.${string}`,
): HTMLButtonElement {
  return h(
    name,
    {
      attributes: { type: 'button' },
      on: {
        click: () => {
          action(id);
        },
      },
    },
    label,
  );
}
