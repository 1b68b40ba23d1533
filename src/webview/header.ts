import type { Action, ChartModel, DataExport, ImageExport, Status } from '../chart/protocol.ts';
import { h, icon, setAttribute } from './dom.ts';
import { menuButton } from './menu.ts';

/** What the buttons of the page do. */
export interface Commands {
  readonly action: (id: string) => void;
  readonly save: (kind: DataExport | ImageExport) => void;
}

const EXPORTS: readonly { kind: DataExport | ImageExport; label: string }[] = [
  { kind: 'csv', label: 'Save as CSV…' },
  { kind: 'json', label: 'Save as JSON…' },
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

/** Where a prediction stands, in the middle of an empty page, or as a strip above a chart that is already there. */
export function statusOf(status: Status, title: string, action: Commands['action'], strip: boolean): HTMLElement {
  const failed = status.kind === 'failed';
  const waiting = status.kind === 'loading' || status.kind === 'queued' || status.kind === 'running';
  const buttons = (status.actions ?? []).map((one, index) =>
    buttonOf(one, action, index === 0 && failed ? 'button.button' : 'button.button.secondary'),
  );
  return h(
    strip ? 'section.status.strip' : 'section.status',
    { attributes: { role: failed ? 'alert' : 'status' } },
    ...(strip ? [] : [h('h1', {}, title)]),
    h('p', {}, sentenceOf(status)),
    ...(waiting ? [progressBar(status.kind === 'running' ? status.progress : undefined)] : []),
    ...(buttons.length > 0 ? [h('div.buttons', {}, ...buttons)] : []),
  );
}

/** The sentence of a status: the one it carries, or the page's own. */
export function sentenceOf(status: Status): string {
  if (status.sentence !== undefined) return status.sentence;
  switch (status.kind) {
    case 'loading':
      return 'Loading…';
    case 'queued':
      return 'Waiting for its turn…';
    case 'running':
      return status.progress === undefined ? 'Forecasting…' : `Forecasting… ${percent(status.progress)} %`;
    case 'failed':
    case 'other':
      return status.sentence;
  }
}

const percent = (share: number) => String(Math.round(Math.min(1, Math.max(0, share)) * 100));

function progressBar(share: number | undefined): HTMLElement {
  const value = h('div.value');
  const bar = h('div.progress', { attributes: { role: 'progressbar', 'aria-label': 'Progress' } }, value);
  if (share === undefined) bar.classList.add('endless');
  else {
    setAttribute(bar, 'aria-valuenow', percent(share));
    value.style.width = `${percent(share)}%`;
  }
  return bar;
}

function buttonOf({ id, label }: Action, action: Commands['action'], name: `button.${string}`): HTMLButtonElement {
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
