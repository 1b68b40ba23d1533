import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { Action, ChartView, Figure, Notice, ReadingRemark } from '../../chart/types.ts';
import type { DataExport, ImageExport, SentIntent, Status } from '../../editor/views/chart/protocol.ts';
import { Buttons, Icon, Link, percentOf, Progress, Warning } from '../shared/elements.tsx';
import { type MenuItem, MenuButton } from '../shared/menu.tsx';

const exportKinds = (): readonly (readonly [DataExport | ImageExport, string])[] => [
  ['csv', l10n.t('Save as CSV…')],
  ['xlsx', l10n.t('Save as Excel…')],
  ['json', l10n.t('Save as JSON…')],
  ['file', l10n.t('Save as Forecast File…')],
  ['untitled', l10n.t('Open as Text')],
  ['png', l10n.t('Save Picture as PNG…')],
  ['svg', l10n.t('Save Picture as SVG…')],
];

/** What the person can do with a chart, as its page does it. */
export interface ChartActions {
  readonly save: (kind: DataExport | ImageExport) => void;
  readonly copy: () => void;
  readonly act: (id: string) => void;
  readonly send: (intent: SentIntent) => void;
}

/** Entries of the Export menu and of the context menu. */
export function exportItems(
  { save, copy, act }: ChartActions,
  { forecast, menu = [] }: Pick<ChartView, 'forecast' | 'menu'>,
): MenuItem[] {
  const item = ([kind, label]: readonly [DataExport | ImageExport, string]): MenuItem => ({
    label,
    run: () => {
      save(kind);
    },
  });
  return [
    item(['copy', l10n.t('Copy Data')]),
    { label: l10n.t('Copy Picture'), run: copy },
    'separator',
    ...exportKinds()
      .filter(([kind]) => kind !== 'file' || forecast)
      .map(item),
    ...(menu.length > 0 ? (['separator'] as const) : []),
    ...menu.map(({ id, label }) => ({
      label,
      run: () => {
        act(id);
      },
    })),
  ];
}

/** The head of a chart's page: what it is, what was done, how good it is, and how it can be saved. */
export function Header({ chart, actions: own }: { readonly chart: ChartView; readonly actions: ChartActions }) {
  const { title, summary, reading = [], detail, figures, remarks = [], advice, warnings, actions = [] } = chart;
  const scores = [
    ...(detail ? detail.split(SEPARATOR) : []),
    ...figures.map((figure, index) => <FigureOf key={index} figure={figure} id={`figure-${String(index)}`} />),
  ];
  return (
    <header>
      <div class="top">
        <h1 title={title}>{title}</h1>
        <div class="toolbar" role="group" aria-label={l10n.t('Actions')}>
          <Buttons actions={actions} act={own.act} />
          <MenuButton name={l10n.t('Export')} items={exportItems(own, chart)} />
        </div>
      </div>
      <Facts
        class="summary"
        facts={[
          ...summary.split(SEPARATOR),
          ...reading.map((action) => <ActionLink key={action.id} action={action} act={own.act} />),
        ]}
      />
      {scores.length > 0 && <Facts class="summary scores" facts={scores} />}
      {remarks.map((remark) => (
        <Remark key={remark.text} remark={remark} actions={own} />
      ))}
      {advice && <NoticeOf notice={advice} act={own.act} />}
      {warnings.map((sentence) => (
        <NoticeOf key={sentence} notice={{ sentence, actions: [] }} act={own.act} />
      ))}
    </header>
  );
}

const SEPARATOR = ' · ';

/** Facts with separators between them, where a line is broken rather than within one. */
const Facts = ({ class: kind, facts }: { readonly class: string; readonly facts: readonly ComponentChildren[] }) => (
  <div class={kind}>
    {facts.map((fact, index) => (
      <span key={index} class="fact">
        {fact}
        {index < facts.length - 1 && <span>{SEPARATOR}</span>}
      </span>
    ))}
  </div>
);

/** How good the forecast is: a figure with its meaning on hover, and on a click for who has no mouse. */
const FigureOf = ({ figure: { text, about, isPoor }, id }: { readonly figure: Figure; readonly id: string }) => (
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

/** More links of one remark would hide the others. */
const MOST_LINKS = 3;

/** What was done with rows of the file, with links to them and what else can be done about it. */
function Remark({
  remark,
  actions: { send, act },
}: {
  readonly remark: ReadingRemark;
  readonly actions: ChartActions;
}) {
  const { text, lines, action } = remark;
  const link = ([first, last]: readonly [number, number]) => {
    const show = () => {
      send({ type: 'lines', first, last });
    };
    return (
      <Link key={first} run={show}>
        {first === last ? l10n.t('line {0}', first) : l10n.t('lines {0}–{1}', first, last)}
      </Link>
    );
  };
  return (
    <p class="remark">
      <span>{text}</span>
      {lines.slice(0, MOST_LINKS).map(link)}
      {lines.length > MOST_LINKS && <span>…</span>}
      {action && <ActionLink action={action} act={act} />}
    </p>
  );
}

const ActionLink = ({ action, act }: { readonly action: Action; readonly act: (id: string) => void }) => (
  <Link
    run={() => {
      act(action.id);
    }}
  >
    {action.label}
  </Link>
);

/** A sentence with what can be done about it. */
export const NoticeOf = ({ notice, act }: { readonly notice: Notice; readonly act: (id: string) => void }) => (
  <Warning>
    <span>{notice.sentence}</span>
    {notice.actions.map((action) => (
      <ActionLink key={action.id} action={action} act={act} />
    ))}
  </Warning>
);

interface StatusProps {
  readonly status: Status;
  readonly title: string;
  /** Above a chart that is already there, else in the middle of an empty page. */
  readonly isStrip: boolean;
  readonly act: (id: string) => void;
}

/** Where a prediction stands. */
export function StatusOf({ status, title, isStrip, act }: StatusProps) {
  const hasFailed = status.kind === 'failed';
  const isWaiting = status.kind === 'loading' || status.kind === 'queued' || status.kind === 'running';
  const { actions = [] } = status;
  return (
    // what failed is read out at once, so that it is an element of its own
    <section key={status.kind} class={isStrip ? 'status strip' : 'status'} role={hasFailed ? 'alert' : 'status'}>
      {!isStrip && <h1>{title}</h1>}
      <p>{sentenceOf(status)}</p>
      {isWaiting && (
        <Progress share={status.kind === 'running' ? status.progress : undefined} label={l10n.t('Progress')} />
      )}
      {actions.length > 0 && (
        <div class="buttons">
          <Buttons actions={actions} act={act} primary={hasFailed ? 0 : -1} />
        </div>
      )}
    </section>
  );
}

/** The sentence of a status: the one it carries, or the page's own. */
export function sentenceOf(status: Status): string {
  if (status.kind === 'failed' || status.kind === 'other') return status.sentence;
  if (status.sentence !== undefined) return status.sentence;
  if (status.kind === 'loading') return l10n.t('Loading…');
  if (status.kind === 'queued') return l10n.t('Waiting for its turn…');
  const progress = status.kind === 'running' ? status.progress : undefined;
  return progress === undefined ? l10n.t('Forecasting…') : l10n.t('Forecasting… {0} %', percentOf(progress));
}
