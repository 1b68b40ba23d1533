import * as vscode from 'vscode';
import { formatInstant } from '../../calendar/format.ts';
import { zoneOf } from '../../calendar/zone.ts';
import type { Choice, LayoutChoice, ReadSeries } from '../../reading/types.ts';
import { isTotalWord } from '../../reading/values/totals.ts';
import type { App } from '../app.ts';
import type { Chosen } from './choices.ts';
import { openAsBefore, type OpenedDocument, type Reading } from './document.ts';
import { alone, pickMany, pickOne, type Place } from '../ui/steps.ts';
import { inSignificant } from '../../calendar/digits.ts';

function firstRows({ times, values, timeKind, frequency, timeZone = 'UTC' }: ReadSeries): string {
  const rows = Array.from(times.subarray(0, 4), (time, row) => {
    const isRow = timeKind === 'row';
    const at = isRow ? vscode.l10n.t('row {0}', row + 1) : formatInstant(time, frequency, zoneOf(timeZone));
    return `${at}: ${Number.isNaN(values[row]) ? vscode.l10n.t('missing') : values[row]}`;
  });
  return `${rows.join('  ')}${rows.length < times.length ? '  …' : ''}`;
}

function seriesItem(series: ReadSeries) {
  const { name, summary } = series;
  const detail = summary.startsWith(`${name} · `) ? summary.slice(name.length + 3) : summary;
  const last = series.values.findLast((value) => !Number.isNaN(value));
  const description = last === undefined ? '' : vscode.l10n.t('last value {0}', inSignificant(last, 6));
  return { label: name, description, detail, series };
}

/** The series that were chosen before; `undefined` if one of them is gone, or nothing was chosen. */
export function chosenSeries({ document: { series } }: Pick<OpenedDocument, 'document'>, chosen: Chosen | undefined) {
  if (series.length === 1) return series;
  const wanted = chosen?.series?.map((id) => series.find((each) => each.id === id));
  return wanted?.every((each) => each !== undefined) ? wanted : undefined;
}

type Purpose = 'forecast' | 'plot' | 'store' | 'train' | 'train-one';

/** The series chosen for a file before, else those the person chooses, which is remembered. @throws Cancelled */
export async function seriesAsBefore(
  app: Pick<App, 'choices'>,
  opened: OpenedDocument,
  title: string,
  purpose: Purpose,
): Promise<readonly ReadSeries[]> {
  const before = app.choices.recall(opened.uri, opened.document.shape);
  const series = chosenSeries(opened, before) ?? (await chooseSeries(opened, alone(title), purpose, before));
  rememberChoice(app, opened, series);
  return series;
}

/** Asks for the series to work on if there are several. @param before the choice to begin with @throws Cancelled */
export async function chooseSeries(
  { fileName, document: { series, choices } }: OpenedDocument,
  place: Place,
  purpose: Purpose,
  before?: Pick<Chosen, 'series'>,
): Promise<readonly ReadSeries[]> {
  if (series.length === 1) return series;
  const question = vscode.l10n.t('Which series of {0}?', fileName);
  const limit = vscode.l10n.t('This service trains on one series, or on its own datasets.');
  const placeholder = purpose === 'train-one' ? `${question} ${limit}` : question;
  const choice = choices.find(({ kind }) => kind === 'value-columns');
  const column = choice?.options[choice.suggested]?.layout.valueColumns?.[0];
  const isMeant = ({ valueColumn, name }: ReadSeries) => valueColumn === column && !isTotalWord(name);
  const meant = series.find(isMeant) ?? series.find(({ name }) => !isTotalWord(name)) ?? series[0];
  const items = [meant, ...series.filter((each) => each !== meant)].map(seriesItem);
  const known = items.filter((item) => before?.series?.includes(item.series.id));
  const isNew = known.length === 0;
  if (purpose === 'train-one')
    return [(await pickOne({ place, placeholder, items, picked: isNew ? [items[0]] : known })).series];
  const takesAll = purpose === 'store' || purpose === 'train';
  const picked = isNew ? (takesAll ? items : [items[0]]) : known;
  const suggested = isNew && !takesAll ? items[0] : undefined;
  const chosen = await pickMany({ place, placeholder, items, picked, suggested });
  return chosen.map((item) => item.series);
}

/** The option of a question that a layout has, else the suggested one. */
export function answerIn(layout: LayoutChoice, { options, suggested }: Choice): number {
  const isIn = ([name, value]: [string, unknown]) =>
    JSON.stringify(layout[name as keyof LayoutChoice]) === JSON.stringify(value);
  const taken = options.findIndex((option) => Object.entries(option.layout).every(isIn));
  return taken >= 0 ? taken : suggested;
}

export const openQuestions = ({ document }: Pick<OpenedDocument, 'document'>): readonly Choice[] =>
  document.choices.filter(({ kind }) => kind !== 'value-columns');

/** Reads a file with the layout chosen before, and asks what is still open. @throws Cancelled, SeriesError */
export const openSettled = async (
  app: Pick<App, 'readings' | 'reader' | 'choices'>,
  uri: vscode.Uri,
  title: string,
  { missing, signal }: { readonly missing?: Reading['missing']; readonly signal?: AbortSignal } = {},
): Promise<OpenedDocument> => settleLayout(app, await openAsBefore(app, uri, missing, signal), title);

/** Asks how a file is read: one question by a quick pick, several or competing readings by a page. @throws Cancelled, SeriesError */
export async function settleLayout({ readings }: Pick<App, 'readings'>, opened: OpenedDocument, title: string) {
  let settled = opened;
  // an answer can raise the next question, as the sheet of a workbook does
  const asked = new Set<Choice['kind']>();
  for (;;) {
    // totals have a good default; they are asked only if the person wants to choose
    const open = openQuestions(settled).filter(({ kind }) => kind !== 'totals' && !asked.has(kind));
    if (settled.document.isUncertain || open.length > 1) return readings.settle(settled, title);
    const [choice] = open;
    if (!choice) return settled;
    asked.add(choice.kind);
    settled = await answerChoice(settled, choice, alone(title));
  }
}

const MOST_PREVIEWED = 200_000;

/** Asks one question about how to read a document, with the first rows of each answer. @throws Cancelled, SeriesError */
export async function answerChoice(
  opened: OpenedDocument,
  choice: Choice,
  place: Place,
  before: LayoutChoice = {},
): Promise<OpenedDocument> {
  const { question, options } = choice;
  const points = opened.document.series.reduce((sum, { times }) => sum + times.length, 0);
  const items = await Promise.all(
    options.map(async ({ label, detail, layout }) => {
      const merged = { ...opened.layout, ...layout };
      const read = points > MOST_PREVIEWED ? undefined : await opened.again({ layout: merged, missing: 'report' });
      const [series] = read?.document.series ?? [];
      return { label, description: detail, detail: series && firstRows(series), layout: merged };
    }),
  );
  const answer = await pickOne({
    place,
    placeholder: `${opened.fileName}: ${question}`,
    items,
    picked: [items[answerIn(before, choice)]],
  });
  return opened.again({ layout: answer.layout });
}

/** @param chosen absent: not asked yet, or gone */
export function rememberChoice(
  app: Pick<App, 'choices'>,
  { uri, document, layout }: Pick<OpenedDocument, 'uri' | 'document' | 'layout'>,
  chosen: readonly ReadSeries[] | undefined,
  further: Partial<Omit<Chosen, 'shape'>> = {},
): void {
  const series = document.series.length > 1 ? chosen?.map(({ id }) => id) : undefined;
  app.choices.change(uri, document.shape, { ...further, series, layout });
}
