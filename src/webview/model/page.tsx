import * as l10n from '@vscode/l10n';
import { Fragment } from 'preact';
import { inDigits } from '../../calendar/digits.ts';
import { axesOf } from '../../chart/axes.ts';
import { type Trace, valueRange } from '../../chart/frame.ts';
import type { Curve, ModelIntent, ModelState, ModelView } from '../../editor/views/model/view.ts';
import { Picture } from '../shared/drawing.tsx';
import { ActionLink, Buttons, figureOf, Icon, Section, Table, Warning } from '../shared/elements.tsx';
import type { PageProps } from '../shared/show-page.tsx';

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
      {progress !== undefined && <progress value={progress} aria-label={l10n.t('Training')} />}
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
        <Section key={list.title} title={list.title}>
          <dl>
            {list.rows.map(({ name, values }) => (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd>
                  {values.map(({ text, id = '' }) =>
                    id === '' ? (
                      <span key={text}>{text}</span>
                    ) : (
                      <ActionLink key={id} {...{ act }} action={{ id, label: text }} />
                    ),
                  )}
                </dd>
              </Fragment>
            ))}
          </dl>
        </Section>
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
    const values = curves.map(({ digits }, index) => figureOf(at[index]!.get(epoch), digits));
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

/** Room for the labels of values, in pixels: curves beside each other have the same epochs. */
const GUTTER = 56;

/** An axis spans at least this share of its highest value, so that noise does not look like change. */
const LEAST_SPAN = 0.25;

export function LearningCurve({ curve, last, chosen }: { curve: Curve; last: number; chosen: number | undefined }) {
  const { name, title, points, digits } = curve;
  const heights = points.map(({ value }) => value);
  const hue = name === 'loss' ? 'history' : 'forecast';
  const marked = points.find(({ epoch }) => epoch === chosen);
  const dots = marked ? [marked] : points.length === 1 ? points : [];
  const traces: Trace[] = [
    { kind: 'line', line: pointsOf(points), hue, width: 2 },
    { kind: 'dots', points: pointsOf(dots), hue: marked ? 'history' : hue, radius: 4 },
  ];
  const below = [0, last].map((epoch) => ({ at: epoch, label: l10n.t('epoch {0}', inDigits(epoch)) }));
  const [min, max] = [Math.min(...heights), Math.max(...heights)];
  const values = valueRange({ min: Math.min(min, max - LEAST_SPAN * Math.abs(max)), max });
  const scene = { traces, range: { min: 0, max: last }, values, axes: axesOf({ below, gutter: GUTTER }) };
  const ends = [heights[0]!, heights.at(-1)!].map((value) => inDigits(value, digits)) as [string, string];
  const label = l10n.t('{0} by epoch: {1} at first, {2} at last', title, ...ends);
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <Picture label={label} scene={scene} />
    </figure>
  );
}

const pointsOf = (points: Curve['points']) => ({
  times: Float64Array.from(points, ({ epoch }) => epoch),
  values: Float64Array.from(points, ({ value }) => value),
});
