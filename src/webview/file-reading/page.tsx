import * as l10n from '@vscode/l10n';
import { inDigits } from '../../calendar/digits.ts';
import { axesOf } from '../../chart/axes.ts';
import { type Line, timeFormat } from '../../chart/frame.ts';
import type { Scene } from '../../chart/scene.ts';
import type { Change, Control, ReadingIntent, ReadingState } from '../../editor/views/file-reading/view.ts';
import { Drawing, Sparkline } from '../shared/drawing.tsx';
import { Button, LineLinks, Link, Section, Select } from '../shared/elements.tsx';
import type { PageProps } from '../shared/show-page.tsx';

type PartProps<K extends keyof ReadingState> = { readonly [P in K]: NonNullable<ReadingState[P]> } & {
  readonly change: (change: Change) => void;
};

export function ReadingView({ state, send }: PageProps<ReadingState, ReadingIntent>) {
  const { cards, rows, controls, series, report, isReading } = state;
  const change = (what: Change) => send({ type: 'change', change: what });
  return (
    <div class={isReading ? 'reading busy' : 'reading'} aria-busy={isReading}>
      <Head state={state} send={send} />
      {cards.length > 1 && <Cards cards={cards} change={change} />}
      {series && <Series series={series} change={change} />}
      {controls.length > 0 && (
        <Section id="options" title={l10n.t('Steps and Values')}>
          <div class="options">
            {controls.map((control) => (
              <Question key={control.label} {...control} change={change} />
            ))}
          </div>
        </Section>
      )}
      {rows && <FirstRows rows={rows} change={change} />}
      {report.length > 0 && (
        <Section id="report" title={l10n.t('Left Out and Changed')}>
          <ul class="report">
            {report.map(({ text, lines }) => (
              <li key={text}>
                {text}
                <LineLinks lines={lines} show={(first, last) => send({ type: 'lines', first, last })} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
}

function Head({ state, send }: PageProps<ReadingState, ReadingIntent>) {
  const { fileName, isReading, isChanged, problem, purpose, series } = state;
  const isReady = !isReading && problem === null && series !== null;
  return (
    <header>
      <div class="top">
        <h1>{l10n.t('How {0} Is Read', fileName)}</h1>
        <div class="toolbar" role="group" aria-label={l10n.t('Actions')}>
          {isChanged && (
            <Button class="button secondary" run={() => send({ type: 'change', change: { type: 'reset' } })}>
              {l10n.t('Undo All Changes')}
            </Button>
          )}
          <Button class="button" disabled={!isReady} run={() => send({ type: 'accept' })}>
            {purpose}
          </Button>
        </div>
      </div>
      <p class="muted" role="status">
        {statusOf(state)}
      </p>
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
          <Link run={() => send({ type: 'retry' })}>{l10n.t('Try Again')}</Link>
        </p>
      )}
    </header>
  );
}

function statusOf({ isReading, isUncertain, series }: ReadingState): string | undefined {
  if (isReading) return l10n.t('Reading…');
  if (isUncertain) return l10n.t('This file can be read in more than one way. Choose the one that fits.');
  return series && series.count > 1 ? l10n.t('{0} series', inDigits(series.count)) : series?.summary;
}

const Cards = ({ cards, change }: PartProps<'cards'>) => (
  <Section id="readings" title={l10n.t('Interpretations')}>
    <ul class="cards">
      {cards.map(({ id, label, size, reasons, drawn, isTaken }) => (
        <li key={id}>
          <Button class="card" aria-pressed={isTaken} run={() => isTaken || change({ type: 'proposal', id })}>
            <strong>{label}</strong>
            <Sparkline of={drawn} sceneOf={sceneOf} />
            {[size, ...reasons].map((text) => (
              <span key={text} class="muted">
                {text}
              </span>
            ))}
          </Button>
        </li>
      ))}
    </ul>
  </Section>
);

const sceneOf = (line: Line): Scene => ({
  traces: [{ kind: 'line', line, hue: 'forecast', width: 1.4 }],
  range: { min: line.times[0] ?? 0, max: Math.max(line.times.at(-1) ?? 0, (line.times[0] ?? 0) + 1) },
});

function Series({ series: { summary, control, count, drawn, time }, change }: PartProps<'series'>) {
  const [first = 0, second = first] = drawn.times;
  const ends = [first, second, drawn.times.at(-1) ?? first];
  const below = timeFormat(ends, time.frequency, time.zone, time.isOfRows);
  return (
    <Section id="series" title={l10n.t('Series')}>
      {count > 1 && (
        <p class="option">
          <Question {...control} change={change} />
          <span class="muted">{summary}</span>
        </p>
      )}
      <div class="small chart">
        <Drawing label={summary} scene={{ ...sceneOf(drawn), axes: axesOf({ below }) }} />
      </div>
    </Section>
  );
}

const FirstRows = ({ rows: { columns, cells, more }, change }: PartProps<'rows'>) => (
  <Section id="rows" title={l10n.t('Columns')}>
    <div class="scroll" tabIndex={0} role="group" aria-label={l10n.t('First rows')}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, role, reason, control }) => (
              <th key={name} scope="col" class={role} title={reason ?? undefined}>
                <span class="name">{name}</span>
                <Question {...control} isLabelHidden change={change} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cells.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column} class={columns[column]?.role}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    {more > 0 && <p class="muted">{l10n.t('{0} more columns', inDigits(more))}</p>}
  </Section>
);

type QuestionProps = Control & { readonly isLabelHidden?: boolean; readonly change: (change: Change) => void };

const Question = ({ label, isLabelHidden = false, chosen, options, change }: QuestionProps) => (
  <label class="select">
    <span class={isLabelHidden ? 'sr-only' : undefined}>{label}</span>
    <Select
      value={String(chosen)}
      options={options.map((option, at) => [String(at), option.label])}
      choose={(at) => change(options[Number(at)]!.change)}
    />
  </label>
);
