import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import { inDigits } from '../../calendar/digits.ts';
import type {
  ModelIntent,
  ModelState,
  ModelView,
  Row,
  TrainingView,
  Verdict,
} from '../../editor/views/model/protocol.ts';
import { Buttons, Icon, Link, Progress, Warning } from '../shared/elements.tsx';
import type { PageProps } from '../shared/show-page.tsx';
import { LearningCurve } from './curve.tsx';

interface Acting {
  readonly act: (id: string) => void;
}

/** The page of a fine-tuned model. */
export function ModelPage({ state: { shown }, send }: PageProps<ModelState, ModelIntent>) {
  const act = (id: string) => {
    send({ type: 'action', id });
  };
  const [areEpochsOpen, openEpochs] = useState(false);
  if (shown.type === 'show') return <Model model={shown.model} {...{ act, areEpochsOpen, openEpochs }} />;
  const { title, problem, actions } = shown;
  return (
    <>
      <h1>{title}</h1>
      {problem === undefined ? (
        <p class="line" role="status">
          {l10n.t('Loading…')}
        </p>
      ) : (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <Actions actions={actions} act={act} />
    </>
  );
}

interface Epochs {
  readonly areEpochsOpen: boolean;
  readonly openEpochs: (isOpen: boolean) => void;
}

function Model({ model, act, ...epochs }: { readonly model: ModelView; readonly act: (id: string) => void } & Epochs) {
  const { title, status, progress, verdict, problem, actions, training, lists, notes } = model;
  return (
    <>
      <h1>{title}</h1>
      <p class="line">{status}</p>
      {progress !== undefined && <Progress share={progress} label={l10n.t('Training')} />}
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {verdict && <VerdictOf verdict={verdict} />}
      <Actions actions={actions} act={act} />
      {notes.map((note) => (
        <Warning key={note}>
          <span>{note}</span>
        </Warning>
      ))}
      {training && <Training training={training} {...epochs} />}
      {lists.map(({ title, rows }) => (
        <section key={title}>
          <h2>{title}</h2>
          <dl>
            {rows.map((row) => (
              <Entry key={row.name} row={row} act={act} />
            ))}
          </dl>
        </section>
      ))}
    </>
  );
}

const Actions = ({ actions, act }: Pick<ModelView, 'actions'> & Acting) =>
  actions.length > 0 ? (
    <div class="buttons" key="actions">
      <Buttons actions={actions} act={act} />
    </div>
  ) : null;

const VerdictOf = ({ verdict: { kind, headline, sentences } }: { readonly verdict: Verdict }) => (
  <section class={`verdict ${kind}`} aria-label={l10n.t('Verdict')}>
    <p class="headline">
      {kind === 'worse' && <Icon name="warning" />}
      <strong>{headline}</strong>
    </p>
    {sentences.map((sentence) => (
      <p key={sentence}>{sentence}</p>
    ))}
  </section>
);

function Training({ training, areEpochsOpen, openEpochs }: { readonly training: TrainingView } & Epochs) {
  const { curves, chosen, sentences } = training;
  const at = curves.map(({ points }) => new Map(points.map(({ epoch, value }) => [epoch, value])));
  const epochs = [...new Set(at.flatMap((values) => [...values.keys()]))].sort((a, b) => a - b);
  const last = Math.max(1, ...epochs);
  return (
    <>
      <h2>{l10n.t('Training')}</h2>
      <div class="charts">
        {curves.map((curve) => (
          <LearningCurve key={curve.name} curve={curve} last={last} chosen={chosen} />
        ))}
      </div>
      {sentences.map((sentence) => (
        <p key={sentence} class="note">
          {sentence}
        </p>
      ))}
      <details
        open={areEpochsOpen}
        onToggle={({ currentTarget }) => {
          openEpochs(currentTarget.open);
        }}
      >
        <summary>{l10n.t('Epoch by epoch')}</summary>
        <table>
          <thead>
            <tr>
              {[l10n.t('Epoch'), ...curves.map(({ title }) => title)].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {epochs.map((epoch) => (
              <tr key={epoch} class={epoch === chosen ? 'chosen' : ''}>
                <th scope="row">{epoch}</th>
                {curves.map(({ name, digits }, index) => {
                  const value = at[index]!.get(epoch);
                  return <td key={name}>{value === undefined ? '–' : inDigits(value, digits)}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

const Entry = ({ row: { name, values }, act }: { readonly row: Row } & Acting) => (
  <>
    <dt>{name}</dt>
    <dd>
      {values.map(({ text, id }) =>
        id === undefined ? (
          <span key={text}>{text}</span>
        ) : (
          <Link
            key={id}
            run={() => {
              act(id);
            }}
          >
            {text}
          </Link>
        ),
      )}
    </dd>
  </>
);
