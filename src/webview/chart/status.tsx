import * as l10n from '@vscode/l10n';
import type { Status } from '../../editor/views/chart/protocol.ts';
import { Buttons, percentOf, Progress } from '../shared/elements.tsx';

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
  if (status.sentence !== undefined) return status.sentence;
  switch (status.kind) {
    case 'loading':
      return l10n.t('Loading…');
    case 'queued':
      return l10n.t('Waiting for its turn…');
    case 'running':
      return status.progress === undefined
        ? l10n.t('Forecasting…')
        : l10n.t('Forecasting… {0} %', percentOf(status.progress));
    case 'failed':
    case 'other':
      return status.sentence;
  }
}
