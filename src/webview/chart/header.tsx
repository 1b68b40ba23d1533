import * as l10n from '@vscode/l10n';
import type { ChartView, Figure, Notice } from '../../chart/types.ts';
import type { DataExport, ImageExport, Status } from '../../editor/views/chart/protocol.ts';
import { ActionLink, Buttons, Facts, factsOf, Icon, LineLinks, percentOf, Warning } from '../shared/elements.tsx';
import { type MenuItem, MenuButton } from '../shared/menu.tsx';
import type { ChartActions } from './actions.ts';

const EXPORTS: readonly (readonly [DataExport | ImageExport, string])[] = [
  ['csv', l10n.t('Save as CSV…')],
  ['xlsx', l10n.t('Save as Excel…')],
  ['json', l10n.t('Save as JSON…')],
  ['file', l10n.t('Save as Forecast File…')],
  ['untitled', l10n.t('Open as Text')],
  ['png', l10n.t('Save Image as PNG…')],
  ['svg', l10n.t('Save Image as SVG…')],
];

export const exportItems = (
  { save, copy, act }: ChartActions,
  { forecast, menu = [] }: Pick<ChartView, 'forecast' | 'menu'>,
): MenuItem[] => [
  { label: l10n.t('Copy Data'), run: () => save('copy') },
  { label: l10n.t('Copy Image'), run: copy },
  'separator',
  ...EXPORTS.filter(([kind]) => kind !== 'file' || forecast).map(([kind, label]) => ({ label, run: () => save(kind) })),
  ...(menu.length > 0 ? (['separator'] as const) : []),
  ...menu.map(({ id, label }) => ({ label, run: () => act(id) })),
];

export function Header({ chart, actions: own }: { readonly chart: ChartView; readonly actions: ChartActions }) {
  const { title, summary, reading = [], detail, figures, remarks = [], advice, warnings, actions = [] } = chart;
  const { act, send } = own;
  const facts = [...factsOf(summary), ...reading.map((action) => <ActionLink key={action.id} {...{ action, act }} />)];
  const about = figures.map((figure, index) => <FigureOf key={index} {...figure} id={`figure-${String(index)}`} />);
  const scores = [...factsOf(detail), ...about];
  const notices = [...(advice ? [advice] : []), ...warnings.map((sentence) => ({ sentence, actions: [] }))];
  return (
    <header>
      <div class="top">
        <h1 title={title}>{title}</h1>
        <div class="toolbar" role="group" aria-label={l10n.t('Actions')}>
          <Buttons actions={actions} act={act} />
          <MenuButton name={l10n.t('Export')} items={exportItems(own, chart)} />
        </div>
      </div>
      <Facts class="summary" facts={facts} />
      {scores.length > 0 && <Facts class="summary scores" facts={scores} />}
      {remarks.map(({ text, lines, action }) => (
        <p key={text} class="remark">
          <span>{text}</span>
          <LineLinks lines={lines} show={(first, last) => send({ type: 'lines', first, last })} />
          {action && <ActionLink {...{ action, act }} />}
        </p>
      ))}
      {notices.map((notice) => (
        <NoticeOf key={notice.sentence} notice={notice} act={act} />
      ))}
    </header>
  );
}

/** A figure of accuracy with its meaning on hover, and on click for people without a mouse. */
const FigureOf = ({ text, about, isPoor, id }: Figure & { readonly id: string }) => (
  <>
    <button type="button" class={isPoor ? 'figure poor' : 'figure'} title={about} popovertarget={id}>
      {isPoor && <Icon name="warning" />}
      {text}
    </button>
    <div class="about" id={id} popover="auto">
      {about}
    </div>
  </>
);

export const NoticeOf = ({ notice, act }: { readonly notice: Notice } & Pick<ChartActions, 'act'>) => (
  <Warning>
    <span>{notice.sentence}</span>
    {notice.actions.map((action) => (
      <ActionLink key={action.id} action={action} act={act} />
    ))}
  </Warning>
);

type StatusProps = Pick<ChartActions, 'act'> & Readonly<{ status: Status; title: string; isStrip: boolean }>;

/** Where a prediction stands: as a strip above a chart that is already there, else in the middle of an empty page. */
export function StatusOf({ status, title, isStrip, act }: StatusProps) {
  const { kind, actions = [] } = status;
  const hasFailed = kind === 'failed';
  const share = kind === 'running' ? status.progress : undefined;
  return (
    // what failed is read out at once, so that it is an element of its own
    <section key={kind} class={isStrip ? 'status strip' : 'status'} role={hasFailed ? 'alert' : 'status'}>
      {!isStrip && <h1>{title}</h1>}
      <p>{sentenceOf(status)}</p>
      {!hasFailed && kind !== 'other' && <progress value={share} aria-label={l10n.t('Progress')} />}
      {actions.length > 0 && (
        <div class="buttons">
          <Buttons actions={actions} act={act} primary={hasFailed ? 0 : -1} />
        </div>
      )}
    </section>
  );
}

export function sentenceOf(status: Status): string {
  if (status.sentence !== undefined) return status.sentence;
  if (status.kind === 'loading') return l10n.t('Loading…');
  if (status.kind === 'queued') return l10n.t('Waiting in the queue…');
  const progress = status.kind === 'running' ? status.progress : undefined;
  return progress === undefined ? l10n.t('Forecasting…') : l10n.t('Forecasting… {0}%', percentOf(progress));
}
