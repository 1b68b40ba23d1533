import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { inDigits } from '../../../calendar/digits.ts';
import { formatDuration, approximateStep, type Frequency } from '../../../calendar/frequency.ts';
import { describeFrequency, describeOpenTime } from '../../../calendar/format.ts';
import { lastPoints } from '../../../reading/points.ts';
import {
  type Choice,
  type ColumnRole,
  type LayoutChoice,
  MOST_POINTS,
  type ReadingProposal,
  type ReadSeries,
  type Resampling,
  type SeriesDocument,
} from '../../../reading/types.ts';
import { setting, COMMANDS } from '../../names.ts';
import { Resampling as Aggregate } from '../../../agents/source.ts';
import {
  answerIn,
  Layout,
  openQuestions,
  chosenSeries,
  fileNameOf,
  openDocument,
  openLines,
  type OpenedDocument,
  rememberChoice,
} from '../../files/document.ts';
import { memo } from '../shared/memo.ts';
import type { App } from '../../app.ts';
import { Cancelled, sentenceOf } from '../../ui/say.ts';
import { type Owner, Page, PageHost } from '../shared/page-host.ts';
import type { Handlers } from '../shared/protocol.ts';

const ROLES = ['time', 'value', 'key', 'covariate', 'left-out'] as const;
type Role = (typeof ROLES)[number];

export const ReadingRef = z.object({ uri: z.string(), tried: z.optional(Layout) });
export type ReadingRef = z.infer<typeof ReadingRef>;

const Change = z.discriminatedUnion('type', [
  z.object({ type: z.literal('role'), column: z.string(), role: z.enum(ROLES) }),
  z.object({ type: z.literal('proposal'), id: z.string() }),
  z.object({ type: z.literal('layout'), layout: Layout }),
  /** A step, or how its values are combined; the other one stays as it is when this arrives. */
  z.object({ type: z.literal('aggregate'), ...z.partial(Aggregate).shape }),
  z.object({ type: z.literal('series'), id: z.string() }),
  z.object({ type: z.literal('reset') }),
]);
export type Change = z.infer<typeof Change>;

export const ReadingIntent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('change'), change: Change }),
  z.object({ type: z.literal('retry') }),
  z.object({ type: z.literal('lines'), first: z.number(), last: z.number() }),
  z.object({ type: z.literal('accept') }),
]);
export type ReadingIntent = z.infer<typeof ReadingIntent>;

export interface Reading {
  readonly layout: LayoutChoice;
  readonly document?: SeriesDocument | undefined;
  readonly roles: readonly ColumnRole[];
  readonly questions: readonly Choice[];
  readonly rowStep?: Frequency | undefined;
  readonly drawn?: string | undefined;
  readonly isReading: boolean;
  readonly problem?: string | undefined;
}

export type ReadingEvent =
  | Change
  | { readonly type: 'read'; readonly document: SeriesDocument; readonly layout: LayoutChoice }
  | { readonly type: 'failed'; readonly problem: string };

export const startOf = (layout: LayoutChoice): Reading => ({ layout, roles: [], questions: [], isReading: true });

const SHOWN_OTHERWISE: readonly Choice['kind'][] = ['value-columns', 'time-column', 'aggregate', 'reading'];

/** If the layout is another object afterwards, the file must be read again. */
export function reduce(reading: Reading, event: ReadingEvent): Reading {
  const { document } = reading;
  switch (event.type) {
    case 'role':
      return withRole(reading, event.column, event.role);
    case 'proposal': {
      const proposal = document?.proposals.find(({ id }) => id === event.id);
      if (!proposal) return reading;
      return { ...reading, layout: { ...proposal.layout, reading: proposal.id }, questions: [], drawn: undefined };
    }
    case 'layout':
      return { ...reading, layout: { ...reading.layout, ...event.layout } };
    case 'aggregate': {
      const { step = resamplingOf(reading)?.step, by = aggregateOf(reading) } = event;
      return step ? { ...reading, layout: { ...reading.layout, aggregate: { step, by } } } : reading;
    }
    case 'series':
      return { ...reading, drawn: event.id };
    case 'reset':
      return { ...startOf({}), document, roles: reading.roles };
    case 'failed':
      return { ...reading, isReading: false, problem: event.problem };
    case 'read':
      return withDocument(reading, event.document, event.layout);
  }
}

function withDocument(reading: Reading, document: SeriesDocument, layout: LayoutChoice): Reading {
  const { choices, roles, series } = document;
  const asked = choices.filter(({ kind }) => !SHOWN_OTHERWISE.includes(kind));
  const answered = reading.questions.filter((one) => asked.every(({ kind }) => kind !== one.kind));
  const [first] = series;
  return {
    ...reading,
    layout,
    document,
    roles,
    questions: [...answered, ...asked],
    rowStep: first?.aggregate ? reading.rowStep : first?.frequency,
    isReading: false,
    problem: undefined,
  };
}

/** A layout with all answers of the accepted page, so that nothing is asked again. */
export function acceptedLayout(reading: Reading): LayoutChoice {
  const { document, layout } = reading;
  const [taken] = document?.proposals ?? [];
  const open = document ? openQuestions({ document }) : [];
  const answers = open.map((choice) => choice.options[answerIn(layout, choice)]?.layout);
  const certain = document?.isUncertain && taken ? { ...taken.layout, reading: taken.id } : {};
  return Object.assign({}, certain, ...answers, layout) as LayoutChoice;
}

const resamplingOf = ({ layout, document }: Reading): Resampling | undefined =>
  layout.aggregate === undefined ? document?.series[0]?.aggregate : (layout.aggregate ?? undefined);

/** How values within a step are combined; by default the mean, as in Excel's Forecast Sheet. */
function aggregateOf({ layout, document }: Reading): Resampling['by'] {
  const choice = document?.choices.find(({ kind }) => kind === 'aggregate');
  const suggested = choice?.options[choice.suggested]?.layout.aggregate ?? document?.series[0]?.aggregate;
  return (layout.aggregate ?? suggested)?.by ?? 'mean';
}

const LAYOUT_OF: Readonly<Record<Role, (columns: readonly string[]) => LayoutChoice>> = {
  time: ([timeColumn = null]) => ({ timeColumn }),
  value: (valueColumns) => ({ valueColumns }),
  key: (idColumns) => ({ idColumns }),
  covariate: (covariates) => ({ covariates }),
  'left-out': () => ({}),
};

/** There is one time column. Until values are chosen, a new time column replaces the found values. */
function withRole(reading: Reading, column: string, role: Role): Reading {
  const former = reading.roles.find((one) => one.column === column)?.role;
  if (former === undefined || former === role) return reading;
  const values = reading.roles.filter((one) => one.role === 'value');
  const givesWay =
    role === 'time' || (role === 'value' && values.length === 1 && reading.layout.valueColumns === undefined);
  const roles = reading.roles.map((one): ColumnRole => {
    if (one.column === column) return { column, role };
    return givesWay && one.role === role ? { column: one.column, role: 'left-out' } : one;
  });
  const named = (wanted: Role) => roles.flatMap((one) => (one.role === wanted ? [one.column] : []));
  const isLeftOut = roles.some((one, at) => one.role === 'left-out' && reading.roles[at]?.role !== 'left-out');
  const touched: readonly Role[] = isLeftOut ? [former, role, 'covariate'] : [former, role];
  const parts = touched.map((wanted) => LAYOUT_OF[wanted](named(wanted)));
  return { ...reading, roles, drawn: undefined, layout: Object.assign({}, reading.layout, ...parts) as LayoutChoice };
}

const UNITS = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;

/** The steps that rows can be combined to, shortest first: longer than their own, with at least two and not too many points. */
export function stepsFor(reading: Reading): Frequency[] {
  const [first] = reading.document?.series ?? [];
  if (!first || first.timeKind === 'row') return [];
  const span = (first.times.at(-1) ?? 0) - (first.times[0] ?? 0);
  const shortest = Math.max(reading.rowStep ? approximateStep(reading.rowStep) : 0, span / MOST_POINTS);
  const longer = UNITS.map((unit): Frequency => ({ unit, count: 1 })).filter((step) => {
    const length = approximateStep(step);
    return length > shortest && span >= length;
  });
  const taken = resamplingOf(reading)?.step;
  const isListed = !taken || longer.some((step) => formatDuration(step) === formatDuration(taken));
  return isListed ? longer : [...longer, taken].sort((a, b) => approximateStep(a) - approximateStep(b));
}

const MOST_COLUMNS = 40;
const MOST_ROWS = 8;
const MOST_NAMES = 200;
const MOST_LINES = 12;

export interface ReadingState extends ReturnType<ReturnType<typeof readingViewer>> {
  readonly ref: ReadingRef;
  readonly title: string;
  readonly fileName: string;
  readonly purpose: string;
}

/** What a page shows of a reading. Parts whose inputs are the same keep their identity, and are not sent again. */
export function readingViewer() {
  const parts = { rows: memo(rowsOf), cards: memo(cardsOf), series: memo(seriesOf), report: memo(reportOf) };
  return (reading: Reading) => {
    const { document, roles, layout, drawn, problem, isReading } = reading;
    const series = document?.series.find(({ id }) => id === drawn) ?? document?.series[0];
    return {
      isReading,
      isUncertain: document?.isUncertain ?? false,
      isChanged: Object.keys(layout).length > 0,
      problem: problem ?? null,
      rows: document ? parts.rows(roles, document.preview) : null,
      cards: parts.cards(document?.proposals),
      controls: controlsOf(reading, series),
      series: document && series ? parts.series(document, series) : null,
      report: parts.report(document),
    };
  };
}

export interface Control {
  readonly label: string;
  readonly chosen: number;
  readonly options: readonly { readonly label: string; readonly change: Change }[];
}

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  time: vscode.l10n.t('Time'),
  value: vscode.l10n.t('Value'),
  key: vscode.l10n.t('Key'),
  covariate: vscode.l10n.t('Future Covariate'),
  'left-out': vscode.l10n.t('Leave Out'),
};

function rowsOf(roles: Reading['roles'], preview: SeriesDocument['preview']) {
  const columns = roles.slice(0, MOST_COLUMNS).map(({ column, role: taken, reason }) => {
    const control: Control = {
      label: vscode.l10n.t('Role of {0}', column),
      chosen: ROLES.indexOf(taken),
      options: ROLES.map((role) => ({ label: ROLE_WORDS[role], change: { type: 'role', column, role } })),
    };
    return { name: column, role: taken, reason: reason ?? null, control };
  });
  const cells = preview.slice(0, MOST_ROWS).map((row) => columns.map((_, at) => row[at] ?? ''));
  return { columns, cells, more: roles.length - columns.length };
}

const cardsOf = (proposals: readonly ReadingProposal[] = []) =>
  proposals.map(({ id, label, reasons, series, points, times, values }, at) => {
    const size = vscode.l10n.t('{0} series · {1} points', inDigits(series), inDigits(points));
    return { id, label, size, reasons, drawn: { times, values }, isTaken: at === 0 };
  });

const AGGREGATES: readonly (readonly [Resampling['by'], string])[] = [
  ['sum', vscode.l10n.t('Sum')],
  ['count', vscode.l10n.t('Count')],
  ['mean', vscode.l10n.t('Average')],
  ['last', vscode.l10n.t('Last')],
  ['min', vscode.l10n.t('Lowest')],
  ['max', vscode.l10n.t('Highest')],
];

function controlsOf(reading: Reading, series: ReadSeries | undefined): Control[] {
  const { rowStep, layout, questions } = reading;
  const option = (label: string, part: LayoutChoice) => ({ label, change: { type: 'layout', layout: part } as const });
  const controls = questions.map((choice) => ({
    label: choice.question,
    chosen: answerIn(layout, choice),
    options: choice.options.map(({ label, detail, layout: part }) =>
      option(detail === undefined ? label : `${label} (${detail})`, part),
    ),
  }));
  if (!series) return controls;
  const { step: taken, by: combined } = resamplingOf(reading) ?? {};
  const steps = stepsFor(reading);
  const own = rowStep && describeFrequency(rowStep);
  const asTheyAre = own ? vscode.l10n.t('Rows as They Are ({0})', own) : vscode.l10n.t('Rows as They Are');
  const step = {
    label: vscode.l10n.t('Step'),
    chosen: 1 + steps.findIndex((one) => taken && formatDuration(one) === formatDuration(taken)),
    options: [
      option(asTheyAre, { aggregate: null }),
      ...steps.map((one) => ({
        label: describeFrequency(one),
        change: { type: 'aggregate', step: { unit: one.unit, count: one.count } } as const,
      })),
    ],
  };
  const value = taken && {
    label: vscode.l10n.t('Value per Step'),
    chosen: AGGREGATES.findIndex(([by]) => by === combined),
    options: AGGREGATES.map(([by, label]) => ({ label, change: { type: 'aggregate', by } as const })),
  };
  const open = series.frequency?.open && describeOpenTime(series.frequency.open);
  const isClosed = layout.closed !== false;
  const closed = {
    label: vscode.l10n.t('Closed days and hours'),
    chosen: isClosed ? 0 : 1,
    options: [
      option(open ? vscode.l10n.t('Leave Out (open: {0})', open) : vscode.l10n.t('Leave Out'), { closed: true }),
      option(vscode.l10n.t('Treat as Missing'), { closed: false }),
    ],
  };
  return [
    ...(steps.length > 0 ? [step] : []),
    ...(value ? [value] : []),
    ...(open || !isClosed ? [closed] : []),
    ...controls,
  ];
}

const GAP = 1.5;

function seriesOf({ series }: SeriesDocument, shown: ReadSeries) {
  const { id, name, summary, frequency, timeZone, timeKind } = shown;
  const zone = setting('timeZone');
  const { times, values } = lastPoints(shown);
  const control: Control = {
    label: vscode.l10n.t('Series shown (of {0})', inDigits(series.length)),
    chosen: series.indexOf(shown),
    options: series.slice(0, MOST_NAMES).map((one) => ({ label: one.name, change: { type: 'series', id: one.id } })),
  };
  const gap = frequency && !frequency.open ? GAP * approximateStep(frequency) : undefined;
  return {
    id,
    name,
    summary,
    // copies, as a message takes the whole buffer of what is a part of one
    drawn: { times: times.slice(), values: values.slice(), gap },
    time: {
      frequency,
      zone: zone === 'file' ? (timeZone ?? 'UTC') : zone,
      isOfRows: timeKind === 'row',
    },
    count: series.length,
    control,
  };
}

type ReportLine = Pick<ReadSeries['remarks'][number], 'text' | 'lines'>;

function reportOf(document: SeriesDocument | undefined): ReportLine[] {
  if (!document) return [];
  const { roles, series, problems, problemCount } = document;
  const columns = roles.flatMap(({ column, role, reason }) =>
    role === 'left-out' && reason !== undefined ? [{ text: vscode.l10n.t('{0}: {1}', column, reason), lines: [] }] : [],
  );
  const remarks = new Map<string, ReportLine>();
  for (const { text, lines } of series.flatMap((one) => one.remarks))
    if (!remarks.has(text)) remarks.set(text, { text, lines });
  const faults = problems
    .filter(({ severity }) => severity !== 'info')
    .map(({ message, line }): ReportLine => ({ text: message, lines: [[line, line]] }));
  const all = [...columns, ...remarks.values(), ...faults];
  const more = all.length - MOST_LINES + (problemCount - problems.length);
  const shown = all.slice(0, MOST_LINES);
  return more > 0 ? [...shown, { text: vscode.l10n.t('{0} more', inDigits(more)), lines: [] }] : shown;
}

const DEBOUNCE = 150;

/** The page "How This File Is Read": each change is read at once; what is accepted is remembered for the file and its header. */
class ReadingPage extends Page<ReadingState, ReadingIntent> {
  readonly #uri: vscode.Uri;
  readonly #viewOf: ReturnType<typeof readingViewer>;
  #waiting: PromiseWithResolvers<LayoutChoice> | undefined;
  #reading: Reading;

  constructor(owner: Owner, ref: ReadingRef) {
    const uri = vscode.Uri.parse(ref.uri);
    const fileName = fileNameOf(uri);
    const [viewOf, reading] = [readingViewer(), startOf(ref.tried ?? {})];
    const title = vscode.l10n.t('Interpretation: {0}', fileName);
    super(owner, { ref, fileName, title, purpose: vscode.l10n.t('Forecast'), ...viewOf(reading) });
    [this.#uri, this.#viewOf, this.#reading] = [uri, viewOf, reading];
    const following = this.app.files.subscribe(uri, {
      onRead: ({ document, layout }) => this.#follow(() => this.#take({ type: 'read', document, layout })),
      onFailure: (error) => this.#follow(() => this.#fail(error)),
    });
    this.disposables.push(following, new vscode.Disposable(() => this.#waiting?.reject(new Cancelled())));
  }

  readonly intents: Handlers<ReadingIntent> = {
    change: ({ change }) => this.#take(change),
    retry: () => this.start(() => this.#read()),
    lines: (lines) => this.start(() => openLines(this.#uri, lines, { viewColumn: vscode.ViewColumn.Beside })),
    accept: () => this.#accept(),
  };

  /** Waits until the person accepts the reading. @throws Cancelled if the page is closed, or someone else waits */
  settle(purpose: string): Promise<LayoutChoice> {
    this.#waiting?.reject(new Cancelled());
    this.#waiting = Promise.withResolvers();
    this.set({ purpose });
    return this.#waiting.promise;
  }

  /** Takes up how the file was read as it changed, or reads it as the person tries it. */
  #follow(take: () => void): void {
    if (this.state.ref.tried) this.start(() => this.#read());
    else take();
  }

  #take(event: ReadingEvent): void {
    const before = this.#reading;
    this.#reading = reduce(before, event);
    if (this.#reading === before) return;
    const isNew = event.type !== 'read' && this.#reading.layout !== before.layout;
    if (isNew) this.#reading = { ...this.#reading, isReading: true };
    this.set(this.#viewOf(this.#reading));
    if (!isNew) return;
    this.set({ ref: { ...this.state.ref, tried: this.#reading.layout } });
    this.later('loading', () => this.#read(), DEBOUNCE);
  }

  #fail(error: unknown): void {
    this.#take({ type: 'failed', problem: sentenceOf(error) });
  }

  #read(): Promise<void> {
    const { layout } = this.#reading;
    const read = async (signal: AbortSignal) => {
      const { document } = await openDocument(this.app.reader, this.#uri, { layout, missing: 'report' }, signal);
      if (!signal.aborted) this.#take({ type: 'read', document, layout });
    };
    return this.latest('loading', read, (error) => this.#fail(error));
  }

  #accept(): void {
    const { document, isReading, problem } = this.#reading;
    if (!document || isReading || problem !== undefined) return;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.set({ ref: { uri: this.state.ref.uri } });
    const [uri, accepted] = [this.#uri, acceptedLayout(this.#reading)];
    const before = chosenSeries({ document }, this.app.choices.recall(uri, document.shape));
    rememberChoice(this.app, { uri, document, layout: accepted }, before);
    if (waiting) waiting.resolve(accepted);
    else this.start(() => vscode.commands.executeCommand(COMMANDS.forecast, this.#uri));
  }
}

export class ReadingPages extends PageHost<ReadingRef, ReadingIntent, undefined, ReadingPage> {
  constructor(app: () => App) {
    const keyOf = ({ uri }: ReadingRef) => uri;
    const kind = { viewType: 'forecasts.reading', bundle: 'reading', ref: ReadingRef, intent: ReadingIntent } as const;
    super({ ...kind, keyOf, page: ReadingPage }, app);
  }

  /** Lets the person check how a document is read. @param purpose label of the button @throws Cancelled if the page is closed; SeriesError */
  async settle(opened: OpenedDocument, purpose: string): Promise<OpenedDocument> {
    const ref = { uri: opened.uri.toString() };
    const layout = await this.open(ref).settle(purpose);
    this.close(ref);
    return opened.again({ layout });
  }
}
