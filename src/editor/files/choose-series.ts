import * as vscode from 'vscode';
import type { Bounds } from '../../contract/requests.ts';
import { formatInstant } from '../../calendar/format.ts';
import { zoneOf } from '../../calendar/zone.ts';
import type { Choice, LayoutChoice, ReadSeries, SeriesDocument } from '../../reading/types.ts';
import { isTotalWord } from '../../reading/values/totals.ts';
import type { App } from '../app.ts';
import type { Chosen } from './choices.ts';
import type { OpenedDocument } from './document.ts';
import { alone, pickMany, pickOne, type Place } from '../ui/steps.ts';
import { inSignificant } from '../../calendar/digits.ts';

interface SeriesItem extends vscode.QuickPickItem {
  readonly series: ReadSeries;
}

/** The first rows of a series as they were read, so that a wrong reading is seen before it is used. */
function firstRows(series: ReadSeries): string {
  const shown = Math.min(4, series.times.length);
  const zone = zoneOf(series.timeZone ?? 'UTC');
  const rows = Array.from({ length: shown }, (_, row) => {
    const value = series.values[row];
    const time =
      series.timeKind === 'row'
        ? vscode.l10n.t('row {0}', row + 1)
        : formatInstant(series.times[row], series.frequency, zone);
    return `${time}: ${Number.isNaN(value) ? vscode.l10n.t('missing') : value}`;
  });
  return `${rows.join('  ')}${shown < series.times.length ? '  …' : ''}`;
}

/** The name once, then from when to when, and the last value. */
function seriesItem(series: ReadSeries): SeriesItem {
  const summary = series.summary.startsWith(`${series.name} · `)
    ? series.summary.slice(series.name.length + 3)
    : series.summary;
  const last = series.values.findLast((value) => !Number.isNaN(value));
  const detail = last === undefined ? '' : vscode.l10n.t('last value {0}', inSignificant(last, 6));
  return { label: series.name, description: detail, detail: summary, series };
}

/** The series of a document that were chosen before; `undefined` where one of them is gone, or nothing was chosen. */
export function seriesAsBefore(opened: OpenedDocument, chosen: Chosen | undefined): readonly ReadSeries[] | undefined {
  const { series } = opened.document;
  if (series.length === 1) return series;
  const wanted = chosen?.series?.map((id) => series.find((each) => each.id === id));
  return wanted?.every((each) => each !== undefined) ? wanted : undefined;
}

/** What the series are for, and which are offered at first: storing and learning take all, a forecast takes one. */
const PURPOSES = {
  forecast: {
    question: (file: string) => vscode.l10n.t('Which series of {0} to forecast?', file),
    all: false,
  },
  store: {
    question: (file: string) => vscode.l10n.t('Which series of {0} to store?', file),
    all: true,
  },
  learn: {
    question: (file: string) => vscode.l10n.t('Which series of {0} to learn from?', file),
    all: true,
  },
  plot: { question: (file: string) => vscode.l10n.t('Which series of {0} to plot?', file), all: false },
  /** For a service that takes no more than one. */
  'learn-one': {
    question: (file: string) =>
      vscode.l10n.t('Which series of {0} to learn from? This service learns from one, or from its own datasets.', file),
    all: false,
  },
};

/**
 * The series of a document to work on; asked for only where there are several.
 * @param before what was chosen before, to begin with
 * @throws Cancelled
 */
export async function chooseSeries(
  { fileName, document: { series, choices } }: OpenedDocument,
  place: Place,
  purpose: keyof typeof PURPOSES,
  before?: Pick<Chosen, 'series'>,
): Promise<readonly ReadSeries[]> {
  if (series.length === 1) return series;
  const { question, all } = PURPOSES[purpose];
  const placeholder = question(fileName);
  const choice = choices.find(({ kind }) => kind === 'value-columns');
  const column = choice?.options[choice.suggested]?.layout.valueColumns?.[0];
  const isMeant = ({ valueColumn, name }: ReadSeries) => valueColumn === column && !isTotalWord(name);
  const meant = series.find(isMeant) ?? series.find(({ name }) => !isTotalWord(name)) ?? series[0];
  // the one that is offered stands where it is seen
  const items = [meant, ...series.filter((each) => each !== meant)].map(seriesItem);
  const known = items.filter((item) => before?.series?.includes(item.series.id));
  if (purpose === 'learn-one') {
    return [(await pickOne({ place, placeholder, items, picked: known.length > 0 ? known : [items[0]] })).series];
  }
  const isSuggested = known.length === 0 && !all;
  const chosen = await pickMany({
    place,
    placeholder,
    items,
    picked: known.length > 0 ? known : all ? items : [items[0]],
    suggested: isSuggested ? items[0] : undefined,
  });
  return chosen.map((item) => item.series);
}

/** What the file leaves open about how it is to be read; which of its series is asked for by {@link chooseSeries}. */
export const openQuestions = ({ document }: OpenedDocument): readonly Choice[] =>
  document.choices.filter(({ kind }) => kind !== 'value-columns');

/** Questions that have a good answer: put only to a person who wants to be asked. */
const isSettled = ({ kind }: Choice): boolean => kind === 'totals';

/**
 * Settles what the file leaves open about how it is to be read: a single question is a quick pick; several, or readings of
 * which none stands out, are the page that shows what each gives. Nothing is asked where the file leaves nothing.
 * @param title what is done with the file next
 * @throws Cancelled, SeriesError
 */
export async function settleLayout(
  { readings }: Pick<App, 'readings'>,
  opened: OpenedDocument,
  title: string,
): Promise<OpenedDocument> {
  let settled = opened;
  // an answer can be what the next question depends on, as the sheet of a workbook is
  const asked = new Set<Choice['kind']>();
  for (;;) {
    const open = openQuestions(settled).filter((choice) => !isSettled(choice) && !asked.has(choice.kind));
    if (settled.document.isUncertain || open.length > 1) return readings.settle(settled, title);
    const [choice] = open;
    if (!choice) return settled;
    asked.add(choice.kind);
    settled = await answerChoice(settled, choice, alone(title));
  }
}

/** Larger documents are not read once more for each answer only to show what it would give. */
const MOST_PREVIEWED = 200_000;

/**
 * Asks one question about how to read the document, each answer with the first rows that it gives.
 * @param before the layout to begin with
 * @throws Cancelled, SeriesError
 */
export async function answerChoice(
  opened: OpenedDocument,
  { question, options, suggested }: Choice,
  place: Place,
  before: LayoutChoice = {},
): Promise<OpenedDocument> {
  const points = opened.document.series.reduce((sum, { times }) => sum + times.length, 0);
  const items = await Promise.all(
    options.map(async ({ label, detail, layout }) => {
      const merged = { ...opened.layout, ...layout };
      const read = points > MOST_PREVIEWED ? undefined : await opened.again({ layout: merged, missing: 'report' });
      const [series] = read?.document.series ?? [];
      return { label, description: detail, detail: series && firstRows(series), layout: merged };
    }),
  );
  const known = options.findIndex(({ layout }) => isPartOf(layout, before));
  const answer = await pickOne({
    place,
    placeholder: `${opened.fileName}: ${question}`,
    items,
    picked: [items[known >= 0 ? known : suggested]],
  });
  return opened.again({ layout: answer.layout });
}

function isPartOf(part: LayoutChoice, whole: LayoutChoice): boolean {
  return Object.entries(part).every(
    ([name, value]) => JSON.stringify(whole[name as keyof LayoutChoice]) === JSON.stringify(value),
  );
}

/**
 * Keeps what was answered about a document, to be used silently the next time.
 * @param wanted columns that forecasts make use of; as before where absent
 */
export async function rememberChoice(
  app: Pick<App, 'choices'>,
  { uri, document, layout }: OpenedDocument,
  chosen: readonly ReadSeries[],
  wanted?: readonly string[],
  asked?: Bounds | null,
): Promise<void> {
  const before = app.choices.recall(uri, document.shape);
  const covariates = wanted ?? before?.covariates;
  const bounds = asked === null ? undefined : (asked ?? before?.bounds);
  const sums = before?.sums;
  const isOpen = document.series.length > 1;
  const isUsual = !covariates && !bounds && !before?.bounds && sums === undefined;
  if (!isOpen && isUsual && Object.keys(layout).length === 0) return;
  await app.choices.remember(uri, {
    shape: document.shape,
    layout: keptLayout(layout),
    ...(isOpen ? { series: chosen.map(({ id }) => id) } : {}),
    ...(covariates ? { covariates: [...covariates] } : {}),
    ...(bounds ? { bounds } : {}),
    ...(sums === undefined ? {} : { sums }),
  });
}

/** A layout as it is kept: the step of the rows is always found anew. */
function keptLayout({ frequency: _, valueColumns, idColumns, covariates, ...rest }: LayoutChoice): Chosen['layout'] {
  return {
    ...rest,
    ...(valueColumns ? { valueColumns: [...valueColumns] } : {}),
    ...(idColumns ? { idColumns: [...idColumns] } : {}),
    ...(covariates ? { covariates: [...covariates] } : {}),
  };
}

/** Keeps how a file is read; what else was chosen of it stays, but for series that it has no more. */
export async function rememberLayout(
  { choices }: Pick<App, 'choices'>,
  uri: vscode.Uri,
  { shape, series }: SeriesDocument,
  layout: LayoutChoice,
): Promise<void> {
  const { series: chosen, ...before } = choices.recall(uri, shape) ?? { series: undefined };
  const isThere = chosen?.every((id) => series.some((one) => one.id === id)) ?? false;
  const kept = isThere && chosen ? { series: chosen } : {};
  await choices.remember(uri, { ...before, ...kept, shape, layout: keptLayout(layout) });
}

/** Keeps the columns that forecasts of a file make use of; what else was chosen of it stays. */
export async function rememberColumns(
  { choices }: Pick<App, 'choices'>,
  { uri, document }: OpenedDocument,
  covariates: readonly string[],
): Promise<void> {
  const { shape } = document;
  await choices.remember(uri, { layout: {}, ...choices.recall(uri, shape), shape, covariates: [...covariates] });
}
