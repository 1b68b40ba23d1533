import * as vscode from 'vscode';
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

/** What the series are for, as a question. Storing and learning take all at first, a forecast takes one. */
const QUESTIONS = {
  forecast: (file: string) => vscode.l10n.t('Which series of {0} do you want to forecast?', file),
  plot: (file: string) => vscode.l10n.t('Which series of {0} do you want to plot?', file),
  store: (file: string) => vscode.l10n.t('Which series of {0} do you want to store?', file),
  learn: (file: string) => vscode.l10n.t('Which series of {0} do you want to train on?', file),
  /** For a service that takes no more than one. */
  'learn-one': (file: string) =>
    vscode.l10n.t(
      'Which series of {0} do you want to train on? This service trains on one series, or on its own datasets.',
      file,
    ),
};

/**
 * The series of a document to work on; asked for only where there are several.
 * @param before what was chosen before, to begin with
 * @throws Cancelled
 */
export async function chooseSeries(
  { fileName, document: { series, choices } }: OpenedDocument,
  place: Place,
  purpose: keyof typeof QUESTIONS,
  before?: Pick<Chosen, 'series'>,
): Promise<readonly ReadSeries[]> {
  if (series.length === 1) return series;
  const placeholder = QUESTIONS[purpose](fileName);
  const choice = choices.find(({ kind }) => kind === 'value-columns');
  const column = choice?.options[choice.suggested]?.layout.valueColumns?.[0];
  const isMeant = ({ valueColumn, name }: ReadSeries) => valueColumn === column && !isTotalWord(name);
  const meant = series.find(isMeant) ?? series.find(({ name }) => !isTotalWord(name)) ?? series[0];
  // the one that is offered stands where it is seen
  const items = [meant, ...series.filter((each) => each !== meant)].map(seriesItem);
  const known = items.filter((item) => before?.series?.includes(item.series.id));
  const isNew = known.length === 0;
  if (purpose === 'learn-one')
    return [(await pickOne({ place, placeholder, items, picked: isNew ? [items[0]] : known })).series];
  const takesAll = purpose === 'store' || purpose === 'learn';
  const picked = isNew ? (takesAll ? items : [items[0]]) : known;
  const suggested = isNew && !takesAll ? items[0] : undefined;
  const chosen = await pickMany({ place, placeholder, items, picked, suggested });
  return chosen.map((item) => item.series);
}

/** What the file leaves open about how it is to be read; which of its series is asked for by {@link chooseSeries}. */
export const openQuestions = ({ document }: OpenedDocument): readonly Choice[] =>
  document.choices.filter(({ kind }) => kind !== 'value-columns');

/** Questions with a good default answer: asked only if the person wants to choose. */
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
 * @param further what else was chosen of it
 */
export function rememberChoice(
  { choices }: Pick<App, 'choices'>,
  { uri, document, layout }: OpenedDocument,
  chosen: readonly ReadSeries[],
  further: Partial<Omit<Chosen, 'shape'>> = {},
): void {
  const series = document.series.length > 1 ? chosen.map(({ id }) => id) : undefined;
  choices.change(uri, document.shape, { ...further, series, layout: keptLayout(layout) });
}

/** A layout as it is stored. The step of the rows is always inferred again. */
function keptLayout({ frequency: _, valueColumns, idColumns, covariates, ...rest }: LayoutChoice): Chosen['layout'] {
  return {
    ...rest,
    ...(valueColumns ? { valueColumns: [...valueColumns] } : {}),
    ...(idColumns ? { idColumns: [...idColumns] } : {}),
    ...(covariates ? { covariates: [...covariates] } : {}),
  };
}

/** Keeps how a file is read; what else was chosen of it stays, but for series that it has no more. */
export function rememberLayout(
  { choices }: Pick<App, 'choices'>,
  uri: vscode.Uri,
  { shape, series: all }: SeriesDocument,
  layout: LayoutChoice,
): void {
  const before = choices.recall(uri, shape)?.series;
  const series = before?.every((id) => all.some((one) => one.id === id)) ? before : undefined;
  choices.change(uri, shape, { series, layout: keptLayout(layout) });
}
