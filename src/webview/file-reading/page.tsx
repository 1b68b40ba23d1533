import * as l10n from '@vscode/l10n';
import { inDigits } from '../../calendar/digits.ts';
import { timeFormat } from '../../chart/format.ts';
import { drawScene, type Scene } from '../../chart/scene.ts';
import type {
  Card,
  Change,
  Drawn,
  Grid,
  Question,
  ReadingIntent,
  ReadingState,
  ReportLine,
  Role,
  Rows,
  SeriesView,
} from '../../editor/views/file-reading/protocol.ts';
import { Drawing } from '../shared/drawing.tsx';
import { Link } from '../shared/elements.tsx';
import type { PageProps } from '../shared/show-page.tsx';
import { Sparkline } from '../shared/sparkline.tsx';

type Send = (change: Change) => void;

/** The page "How This File Is Read". */
export function ReadingView({ state, send }: PageProps<ReadingState, ReadingIntent>) {
  const { cards, rows, grid, series, questions, report, isReading } = state;
  const change = (what: Change) => {
    send({ type: 'change', change: what });
  };
  return (
    <div class={isReading ? 'reading busy' : 'reading'} aria-busy={isReading}>
      <Head state={state} send={send} />
      {cards.length > 1 && <Cards cards={cards} send={change} />}
      {series && <Series series={series} send={change} />}
      {(hasOptions(grid) || questions.length > 0) && <Options grid={grid} questions={questions} send={change} />}
      {rows && <FirstRows rows={rows} send={change} />}
      {report.length > 0 && <Report report={report} send={send} />}
    </div>
  );
}

function Head({ state, send }: PageProps<ReadingState, ReadingIntent>) {
  const { fileName, isReading, isChanged, problem, purpose, series } = state;
  const does = (intent: ReadingIntent) => () => {
    send(intent);
  };
  return (
    <header>
      <div class="top">
        <h1>{l10n.t('How {0} Is Read', fileName)}</h1>
        <div class="toolbar" role="group" aria-label={l10n.t('Actions')}>
          {isChanged && (
            <button
              type="button"
              class="button secondary"
              onClick={does({ type: 'change', change: { type: 'reset' } })}
            >
              {l10n.t('Undo All Changes')}
            </button>
          )}
          <button
            type="button"
            class="button"
            disabled={isReading || problem !== null || series === null}
            onClick={does({ type: 'accept' })}
          >
            {purpose}
          </button>
        </div>
      </div>
      <p class="muted" role="status">
        {statusOf(state)}
      </p>
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
          <Link run={does({ type: 'retry' })}>{l10n.t('Try Again')}</Link>
        </p>
      )}
    </header>
  );
}

function statusOf({ isReading, isUncertain, series }: ReadingState): string | undefined {
  if (isReading) return l10n.t('Reading…');
  if (isUncertain) return l10n.t('This file can be read in more than one way. Choose the one that fits.');
  if (!series || series.count === 1) return series?.summary;
  return l10n.t('{0} series', inDigits(series.count));
}

function Cards({ cards, send }: { readonly cards: readonly Card[]; readonly send: Send }) {
  return (
    <section aria-labelledby="readings">
      <h2 id="readings">{l10n.t('Readings')}</h2>
      <ul class="cards">
        {cards.map(({ id, label, size, reasons, drawn, isTaken }) => (
          <li key={id}>
            <button
              type="button"
              class="card"
              aria-pressed={isTaken}
              onClick={() => {
                if (!isTaken) send({ type: 'proposal', id });
              }}
            >
              <strong>{label}</strong>
              <Sparkline of={drawn} sceneOf={sceneOf} />
              <span class="muted">{size}</span>
              {reasons.map((reason) => (
                <span key={reason} class="muted">
                  {reason}
                </span>
              ))}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The line of a series over all of its time. */
const sceneOf = (line: Drawn): Scene => ({
  traces: [{ kind: 'line', line, hue: 'forecast', width: 1.4 }],
  range: { min: line.times[0] ?? 0, max: Math.max(line.times.at(-1) ?? 0, (line.times[0] ?? 0) + 1) },
});

/** The series with its axes. */
function SeriesChart({ series: { drawn, time, summary } }: { readonly series: SeriesView }) {
  const { times } = drawn;
  const [first = 0, second = first] = times;
  const below = timeFormat(
    [first, second, times.at(-1) ?? first],
    time.frequency ?? undefined,
    time.zone,
    time.isOfRows,
  );
  return (
    <div class="small chart">
      <Drawing
        label={summary}
        paint={(pen, place, colors) => {
          drawScene(pen, { ...sceneOf(drawn), axes: { below } }, place, colors);
        }}
      />
    </div>
  );
}

function Series({ series, send }: { readonly series: SeriesView; readonly send: Send }) {
  const { id, summary, names, count } = series;
  const options = names.map((one) => [one.id, one.name] as const);
  return (
    <section aria-labelledby="series">
      <h2 id="series">{l10n.t('Series')}</h2>
      {count > 1 && (
        <p class="option">
          <Select
            label={l10n.t('Shown of {0}', inDigits(count))}
            value={id}
            options={options}
            choose={(chosen) => {
              send({ type: 'series', id: chosen });
            }}
          />
          <span class="muted">{summary}</span>
        </p>
      )}
      <SeriesChart series={series} />
    </section>
  );
}

const aggregateNames = (): Readonly<Record<Grid['by'], string>> => ({
  sum: l10n.t('Sum'),
  count: l10n.t('Count'),
  mean: l10n.t('Average'),
  last: l10n.t('Last'),
  min: l10n.t('Lowest'),
  max: l10n.t('Highest'),
});

const hasOptions = (grid: Grid | null): boolean =>
  grid !== null && (grid.steps.length > 0 || grid.open !== null || !grid.closed);

/** Stands for rows as they are. */
const AS_THEY_ARE = 'rows';

function Options({
  grid,
  questions,
  send,
}: {
  readonly grid: Grid | null;
  readonly questions: readonly Question[];
  readonly send: Send;
}) {
  return (
    <section aria-labelledby="options">
      <h2 id="options">{l10n.t('Steps and Values')}</h2>
      <div class="options">
        {grid && <Steps grid={grid} send={send} />}
        {questions.map(({ kind, text, options, answer }) => (
          <Select
            key={kind}
            label={text}
            value={String(answer)}
            options={options.map((option, at) => [String(at), option] as const)}
            choose={(chosen) => {
              send({ type: 'answer', kind, option: Number(chosen) });
            }}
          />
        ))}
      </div>
    </section>
  );
}

function Steps({ grid, send }: { readonly grid: Grid; readonly send: Send }) {
  const { pace, steps, step, by, open, closed } = grid;
  const asTheyAre = pace === null ? l10n.t('Rows as They Are') : l10n.t('Rows as They Are ({0})', pace);
  const options = [[AS_THEY_ARE, asTheyAre] as const, ...steps.map(({ code, label }) => [code, label] as const)];
  return (
    <>
      {steps.length > 0 && (
        <Select
          label={l10n.t('Step')}
          value={step ?? AS_THEY_ARE}
          options={options}
          choose={(chosen) => {
            send({ type: 'step', step: chosen === AS_THEY_ARE ? null : chosen });
          }}
        />
      )}
      {step !== null && (
        <Select
          label={l10n.t('Value of a Step')}
          value={by}
          options={Object.entries(aggregateNames()) as [Grid['by'], string][]}
          choose={(chosen) => {
            send({ type: 'by', by: chosen });
          }}
        />
      )}
      {(open !== null || !closed) && (
        <label class="check">
          <input
            type="checkbox"
            checked={closed}
            onChange={() => {
              send({ type: 'closed', closed: !closed });
            }}
          />
          {open === null
            ? l10n.t('Leave out closed days and hours')
            : l10n.t('Leave out closed days and hours (open: {0})', open)}
        </label>
      )}
    </>
  );
}

const roleNames = (): readonly (readonly [Role, string])[] => [
  ['time', l10n.t('Time')],
  ['value', l10n.t('Value')],
  ['key', l10n.t('Key')],
  ['covariate', l10n.t('Future Covariate')],
  ['left-out', l10n.t('Leave Out')],
];

function FirstRows({ rows: { columns, cells, more }, send }: { readonly rows: Rows; readonly send: Send }) {
  return (
    <section aria-labelledby="rows">
      <h2 id="rows">{l10n.t('Columns')}</h2>
      <div class="scroll" tabIndex={0} role="group" aria-label={l10n.t('First rows')}>
        <table>
          <thead>
            <tr>
              {columns.map(({ name, role, reason }) => (
                <th key={name} scope="col" class={role} title={reason ?? undefined}>
                  <span class="name">{name}</span>
                  <Select
                    label={l10n.t('Role of {0}', name)}
                    isLabelHidden
                    value={role}
                    options={roleNames()}
                    choose={(chosen) => {
                      send({ type: 'role', column: name, role: chosen });
                    }}
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
    </section>
  );
}

function Report({
  report,
  send,
}: {
  readonly report: readonly ReportLine[];
  readonly send: (intent: ReadingIntent) => void;
}) {
  return (
    <section aria-labelledby="report">
      <h2 id="report">{l10n.t('Left Out and Changed')}</h2>
      <ul class="report">
        {report.map(({ text, lines }) => (
          <li key={text}>
            {text}
            {lines.slice(0, 3).map(([first, last]) => (
              <Link
                key={first}
                run={() => {
                  send({ type: 'lines', first, last });
                }}
              >
                {first === last ? l10n.t('line {0}', first) : l10n.t('lines {0}–{1}', first, last)}
              </Link>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A list with its label. */
function Select<V extends string>({
  label,
  value,
  options,
  choose,
  isLabelHidden = false,
}: {
  readonly label: string;
  readonly value: V;
  readonly options: readonly (readonly [V, string])[];
  readonly choose: (value: V) => void;
  readonly isLabelHidden?: boolean;
}) {
  return (
    <label class="select">
      <span class={isLabelHidden ? 'sr-only' : undefined}>{label}</span>
      <select
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = options[currentTarget.selectedIndex]?.[0];
          // the list goes on showing what the page is told until that is another
          currentTarget.value = value;
          if (chosen !== undefined && chosen !== value) choose(chosen);
        }}
      >
        {options.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
