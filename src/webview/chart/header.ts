import * as l10n from '@vscode/l10n';
import type { ChartView, Figure, Notice } from '../../chart/types.ts';
import type { DataExport, ImageExport } from '../../editor/views/chart/protocol.ts';
import { h, icon } from '../shared/dom.ts';
import { type MenuItem, menuButton } from '../shared/menu.ts';

const exportKinds = (): readonly { kind: DataExport | ImageExport; label: string }[] => [
  { kind: 'csv', label: l10n.t('Save as CSV…') },
  { kind: 'xlsx', label: l10n.t('Save as Excel…') },
  { kind: 'json', label: l10n.t('Save as JSON…') },
  { kind: 'file', label: l10n.t('Save as Forecast File…') },
  { kind: 'untitled', label: l10n.t('Open as Text') },
  { kind: 'png', label: l10n.t('Save Picture as PNG…') },
  { kind: 'svg', label: l10n.t('Save Picture as SVG…') },
];

/** What the person can do with a chart. */
export interface ChartActions {
  save(kind: DataExport | ImageExport): void;
  copyPicture(): void;
  showLines(first: number, last: number): void;
  /** Of a notice or a remark. */
  act(id: string): void;
}

/** Entries of the Export menu and of the context menu. */
export function exportItems(
  { save, copyPicture }: Pick<ChartActions, 'save' | 'copyPicture'>,
  { forecast }: Pick<ChartView, 'forecast'>,
): MenuItem[] {
  const copyData = () => {
    save('copy');
  };
  const saving = exportKinds()
    .filter(({ kind }) => kind !== 'file' || forecast)
    .map(({ kind, label }) => ({
      label,
      run: () => {
        save(kind);
      },
    }));
  return [
    { label: l10n.t('Copy Data'), run: copyData },
    { label: l10n.t('Copy Picture'), run: copyPicture },
    'separator',
    ...saving,
  ];
}

/** What was done with rows of the file, each with a link to them and with what else can be done about it. */
function remarksOf({ remarks = [] }: ChartView, actions: ChartActions): HTMLElement[] {
  return remarks.map(({ text, lines, action: way }) => {
    const links = lines.slice(0, MOST_LINKS).map(([first, last]) => {
      const label = first === last ? l10n.t('line {0}', first) : l10n.t('lines {0}–{1}', first, last);
      const click = () => {
        actions.showLines(first, last);
      };
      return h('button.link', { attributes: { type: 'button' }, on: { click } }, label);
    });
    const more = lines.length > MOST_LINKS ? [h('span', {}, '…')] : [];
    const click = () => {
      if (way) actions.act(way.id);
    };
    const ways = way ? [h('button.link', { attributes: { type: 'button' }, on: { click } }, way.label)] : [];
    return h('p.remark', {}, h('span', {}, text), ...links, ...more, ...ways);
  });
}

/** More links of one remark would hide the others. */
const MOST_LINKS = 3;

/** How good the forecast is: each figure with its meaning on hover, and on a click for who has no mouse. */
function figureOf({ text, about, isPoor }: Figure, index: number): HTMLElement[] {
  const id = `figure-${String(index)}`;
  const button = h(
    isPoor ? 'button.figure.poor' : 'button.figure',
    { attributes: { type: 'button', title: about, popovertarget: id } },
    ...(isPoor ? [icon('warning')] : []),
    text,
  );
  return [button, h('div.about', { attributes: { id, popover: true } }, about)];
}

/** A sentence with what can be done about it. */
export function noticeOf({ sentence, actions }: Notice, act: (id: string) => void): HTMLElement {
  const buttons = actions.map(({ id, label }) => {
    const click = () => {
      act(id);
    };
    return h('button.link', { attributes: { type: 'button' }, on: { click } }, label);
  });
  return h('p.warning', {}, icon('warning'), h('span', {}, sentence), ...buttons);
}

/** The head of a chart's page: what it is, what was done, how good it is, and how it can be saved. */
export function headerOf(chart: ChartView, actions: ChartActions): HTMLElement {
  const toolbar = h(
    'div.toolbar',
    { attributes: { role: 'group', 'aria-label': l10n.t('Actions') } },
    ...(chart.actions ?? []).map(({ id, label }, index) => {
      const click = () => {
        actions.act(id);
      };
      return h(
        `button.button${index > 0 ? '.secondary' : ''}`,
        { attributes: { type: 'button' }, on: { click } },
        label,
      );
    }),
    menuButton(l10n.t('Export'), exportItems(actions, chart)),
  );
  const detail = chart.detail ? [h('span', {}, chart.detail)] : [];
  const figures = chart.figures.flatMap(figureOf);
  return h(
    'header',
    {},
    h('div.top', {}, h('h1', { attributes: { title: chart.title } }, chart.title), toolbar),
    h('p.summary', {}, chart.summary),
    ...(detail.length + figures.length > 0 ? [h('div.summary.scores', {}, ...detail, ...figures)] : []),
    ...remarksOf(chart, actions),
    ...(chart.advice
      ? [
          noticeOf(chart.advice, (id) => {
            actions.act(id);
          }),
        ]
      : []),
    ...chart.warnings.map((sentence) => noticeOf({ sentence, actions: [] }, () => undefined)),
  );
}
