import * as l10n from '@vscode/l10n';
import { Fragment } from 'preact';
import { inDigits } from '../../calendar/digits.ts';
import type { ModelIntent } from '../../editor/views/model/protocol.ts';
import type { ModelState, ModelView } from '../../editor/views/model/view.ts';
import { ActionLink, Buttons, Icon, Progress, Table, Warning } from '../shared/elements.tsx';
import type { PageProps } from '../shared/show-page.tsx';
import { LearningCurve } from './curve.tsx';

export function ModelPage({ state: { title, model }, send }: PageProps<ModelState, ModelIntent>) {
  const { status, progress, verdict, problem, actions, training, lists, notes } = model;
  const act = (id: string) => send({ type: 'action', id });
  const isLoading = status === undefined && problem === undefined;
  return (
    <>
      <h1>{title}</h1>
      {(isLoading || status !== undefined) && (
        <p key={isLoading ? 'loading' : 'status'} class="line" role={isLoading ? 'status' : undefined}>
          {status ?? l10n.t('Loading…')}
        </p>
      )}
      {progress !== undefined && <Progress share={progress} label={l10n.t('Training')} />}
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {verdict && <Verdict {...verdict} />}
      {actions.length > 0 && (
        <div class="buttons">
          <Buttons actions={actions} act={act} />
        </div>
      )}
      {notes.map((note) => (
        <Warning key={note}>
          <span>{note}</span>
        </Warning>
      ))}
      {training && <Training {...training} />}
      {lists.map((list) => (
        <section key={list.title}>
          <h2>{list.title}</h2>
          <dl>
            {list.rows.map(({ name, values }) => (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd>
                  {values.map(({ text, id }) =>
                    id === undefined ? (
                      <span key={text}>{text}</span>
                    ) : (
                      <ActionLink key={id} action={{ id, label: text }} act={act} />
                    ),
                  )}
                </dd>
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
    </>
  );
}

const Verdict = ({ kind, headline, sentences }: NonNullable<ModelView['verdict']>) => (
  <section class={`verdict ${kind}`} aria-label={l10n.t('Result')}>
    <p class="headline">
      {kind === 'worse' && <Icon name="warning" />}
      <strong>{headline}</strong>
    </p>
    {sentences.map((sentence) => (
      <p key={sentence}>{sentence}</p>
    ))}
  </section>
);

function Training({ curves, chosen, sentences }: NonNullable<ModelView['training']>) {
  const at = curves.map(({ points }) => new Map(points.map(({ epoch, value }) => [epoch, value])));
  const epochs = [...new Set(at.flatMap((values) => [...values.keys()]))].sort((a, b) => a - b);
  const rows = epochs.map((epoch) => {
    const values = curves.map(({ digits }, index) => {
      const value = at[index]!.get(epoch);
      return value === undefined ? '–' : inDigits(value, digits);
    });
    return { key: epoch, class: epoch === chosen ? 'chosen' : '', cells: [epoch, ...values] };
  });
  const byEpoch = l10n.t('Epoch by epoch');
  return (
    <>
      <h2>{l10n.t('Training')}</h2>
      <div class="charts">
        {curves.map((curve) => (
          <LearningCurve key={curve.name} curve={curve} last={Math.max(1, ...epochs)} chosen={chosen} />
        ))}
      </div>
      {sentences.map((sentence) => (
        <p key={sentence} class="note">
          {sentence}
        </p>
      ))}
      <details>
        <summary>{byEpoch}</summary>
        <Table label={byEpoch} columns={[l10n.t('Epoch'), ...curves.map(({ title }) => title)]} rows={rows} />
      </details>
    </>
  );
}
