import * as l10n from '@vscode/l10n';
import { inDigits } from '../../calendar/digits.ts';
import { axesOf } from '../../chart/axes.ts';
import { timeFormat } from '../../chart/format.ts';
import type { Line } from '../../chart/frame.ts';
import type { Scene } from '../../chart/scene.ts';
import type { Change, ReadingIntent, Role } from '../../editor/views/file-reading/view.ts';
import type { ReadingState } from '../../editor/views/file-reading/view.ts';
import { Drawing, Sparkline } from '../shared/drawing.tsx';
import { Button, LineLinks, Link, type Option, Section, Select } from '../shared/elements.tsx';
import type { PageProps } from '../shared/show-page.tsx';

type PartProps<K extends keyof ReadingState> = { readonly [P in K]: NonNullable<ReadingState[P]> } & {
  readonly change: (change: Change) => void;
};

export function ReadingView({ state, send }: PageProps<ReadingState, ReadingIntent>) {
  const { cards, rows, grid, series, questions, report, isReading } = state;
  const change = (what: Change) => send({ type: 'change', change: what });
  const hasOptions = grid !== null && (grid.steps.length > 0 || grid.open !== null || !grid.closed);
  return (
    <div class={isReading ? 'reading busy' : 'reading'} aria-busy={isReading}>
      <Head state={state} send={send} />
      {cards.length > 1 && <Cards cards={cards} change={change} />}
      {series && <Series series={series} change={change} />}
      {(hasOptions || questions.length > 0) && (
        <Section id="options" title={l10n.t('Steps and Values')}>
          <div class="options">
            {grid && <Steps grid={grid} change={change} />}
            {questions.map(({ kind, text, options, answer }) => (
              <Labeled
                key={kind}
                label={text}
                value={String(answer)}
                options={options.map((option, at) => [String(at), option])}
                choose={(chosen) => change({ type: 'answer', kind, option: Number(chosen) })}
              />
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

function Series({ series: { id, summary, names, count, drawn, time }, change }: PartProps<'series'>) {
  const [first = 0, second = first] = drawn.times;
  const ends = [first, second, drawn.times.at(-1) ?? first];
  const below = timeFormat(ends, time.frequency, time.zone, time.isOfRows);
  return (
    <Section id="series" title={l10n.t('Series')}>
      {count > 1 && (
        <p class="option">
          <Labeled
            label={l10n.t('Series shown (of {0})', inDigits(count))}
            value={id}
            options={names.map((one) => [one.id, one.name])}
            choose={(chosen) => change({ type: 'series', id: chosen })}
          />
          <span class="muted">{summary}</span>
        </p>
      )}
      <div class="small chart">
        <Drawing label={summary} scene={{ ...sceneOf(drawn), axes: axesOf({ below }) }} />
      </div>
    </Section>
  );
}

const AGGREGATES: readonly Option<NonNullable<ReadingState['grid']>['by']>[] = [
  ['sum', l10n.t('Sum')],
  ['count', l10n.t('Count')],
  ['mean', l10n.t('Average')],
  ['last', l10n.t('Last')],
  ['min', l10n.t('Lowest')],
  ['max', l10n.t('Highest')],
];

const AS_THEY_ARE = 'rows';

function Steps({ grid: { rowStep, steps, step, by, open, closed }, change }: PartProps<'grid'>) {
  const asTheyAre = rowStep === null ? l10n.t('Rows as They Are') : l10n.t('Rows as They Are ({0})', rowStep);
  return (
    <>
      {steps.length > 0 && (
        <Labeled
          label={l10n.t('Step')}
          value={step ?? AS_THEY_ARE}
          options={[[AS_THEY_ARE, asTheyAre], ...steps.map(({ code, label }) => [code, label] as const)]}
          choose={(chosen) => change({ type: 'step', step: chosen === AS_THEY_ARE ? null : chosen })}
        />
      )}
      {step !== null && (
        <Labeled
          label={l10n.t('Value per Step')}
          value={by}
          options={AGGREGATES}
          choose={(chosen) => change({ type: 'by', by: chosen })}
        />
      )}
      {(open !== null || !closed) && (
        <label class="check">
          <input type="checkbox" checked={closed} onChange={() => change({ type: 'closed', closed: !closed })} />
          {open === null
            ? l10n.t('Leave out closed days and hours')
            : l10n.t('Leave out closed days and hours (open: {0})', open)}
        </label>
      )}
    </>
  );
}

const ROLES: readonly Option<Role>[] = [
  ['time', l10n.t('Time')],
  ['value', l10n.t('Value')],
  ['key', l10n.t('Key')],
  ['covariate', l10n.t('Future Covariate')],
  ['left-out', l10n.t('Leave Out')],
];

const FirstRows = ({ rows: { columns, cells, more }, change }: PartProps<'rows'>) => (
  <Section id="rows" title={l10n.t('Columns')}>
    <div class="scroll" tabIndex={0} role="group" aria-label={l10n.t('First rows')}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, role, reason }) => (
              <th key={name} scope="col" class={role} title={reason ?? undefined}>
                <span class="name">{name}</span>
                <Labeled
                  label={l10n.t('Role of {0}', name)}
                  isLabelHidden
                  value={role}
                  options={ROLES}
                  choose={(chosen) => change({ type: 'role', column: name, role: chosen })}
                />
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

type LabeledProps<V extends string> = Pick<Parameters<typeof Select<V>>[0], 'value' | 'options' | 'choose'> & {
  readonly label: string;
  readonly isLabelHidden?: boolean;
};

const Labeled = <V extends string>({ label, isLabelHidden = false, ...select }: LabeledProps<V>) => (
  <label class="select">
    <span class={isLabelHidden ? 'sr-only' : undefined}>{label}</span>
    <Select {...select} />
  </label>
);
