import * as l10n from '@vscode/l10n';
import { inDigits } from '../../calendar/digits.ts';
import type {
  ModelIntent,
  ModelState,
  ModelView,
  Row,
  TrainingView,
  Verdict,
} from '../../editor/views/model/protocol.ts';
import { ActionLink, Buttons, Icon, Progress, Table, Warning } from '../shared/elements.tsx';
import type { PageProps } from '../shared/show-page.tsx';
import { LearningCurve } from './curve.tsx';

interface Acting {
  readonly act: (id: string) => void;
}

export function ModelPage({ state: { shown }, send }: PageProps<ModelState, ModelIntent>) {
  const act = (id: string) => send({ type: 'action', id });
  if (shown.type === 'show') return <Model model={shown.model} act={act} />;
  const { title, problem, actions } = shown;
  return (
    <>
      <h1>{title}</h1>
      {problem === undefined ? (
        <p class="line" role="status">
          {l10n.t('Loading…')}
        </p>
      ) : (
        <Problem problem={problem} />
      )}
      <Actions actions={actions} act={act} />
    </>
  );
}

const Problem = ({ problem }: { readonly problem: string }) => (
  <p class="problem" role="alert">
    {problem}
  </p>
);

function Model({ model, act }: { readonly model: ModelView } & Acting) {
  const { title, status, progress, verdict, problem, actions, training, lists, notes } = model;
  return (
    <>
      <h1>{title}</h1>
      <p class="line">{status}</p>
      {progress !== undefined && <Progress share={progress} label={l10n.t('Training')} />}
      {problem !== undefined && <Problem problem={problem} />}
      {verdict && <VerdictOf verdict={verdict} />}
      <Actions actions={actions} act={act} />
      {notes.map((note) => (
        <Warning key={note}>
          <span>{note}</span>
        </Warning>
      ))}
      {training && <Training training={training} />}
      {lists.map(({ title, rows }) => (
        <section key={title}>
          <h2>{title}</h2>
          <dl>
            {rows.map((row) => (
              <Entry key={row.name} {...row} act={act} />
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

function Training({ training: { curves, chosen, sentences } }: { readonly training: TrainingView }) {
  const at = curves.map(({ points }) => new Map(points.map(({ epoch, value }) => [epoch, value])));
  const epochs = [...new Set(at.flatMap((values) => [...values.keys()]))].sort((a, b) => a - b);
  const rows = epochs.map((epoch) => {
    const values = curves.map(({ digits }, index) => {
      const value = at[index]!.get(epoch);
      return value === undefined ? '–' : inDigits(value, digits);
    });
    return { key: epoch, class: epoch === chosen ? 'chosen' : '', cells: [epoch, ...values] };
  });
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
        <summary>{l10n.t('Epoch by epoch')}</summary>
        <Table
          label={l10n.t('Epoch by epoch')}
          columns={[l10n.t('Epoch'), ...curves.map(({ title }) => title)]}
          rows={rows}
        />
      </details>
    </>
  );
}

const Entry = ({ name, values, act }: Row & Acting) => (
  <>
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
  </>
);
