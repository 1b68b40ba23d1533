import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import { defaultHorizon } from '../../calendar/frequency.ts';
import { type Horizon, parseHorizon } from '../../calendar/horizon.ts';
import { stepNoun } from '../../calendar/words.ts';
import { zoneOf } from '../../calendar/zone.ts';
import { takesCovariates } from '../../client/fit.ts';
import type { Bounds } from '../../contract/requests.ts';
import { stepsKnown } from '../../reading/points.ts';
import type { ReadSeries } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { answerChoice, chooseSeries, openQuestions, openSettled, rememberChoice } from '../files/choose-series.ts';
import { onFile, openDocument, type OpenedDocument, type Unreadable } from '../files/document.ts';
import { calendarFor, chooseCovariates, hasColumns } from '../request/covariates.ts';
import { chooseModel, type ModelItem } from '../request/pick-model.ts';
import { askText, Back, pickAny, type Place, Pressed, runSteps, type Step } from '../ui/steps.ts';
import { forecastSeries, MANY } from './forecast.ts';
import { boundColumns } from './forecaster.ts';

const TITLE = vscode.l10n.t('Forecast');

interface Answers {
  readonly opened: OpenedDocument;
  readonly chosen: readonly ReadSeries[];
  readonly model: ModelItem;
  readonly horizon: number | undefined;
  readonly covariates: readonly string[] | undefined;
  readonly bounds: Bounds | undefined;
}

/** Forecast with Options: how the file is read where it leaves that open, series, model and horizon, in one input with Back. */
export async function forecastWithOptions(app: App, uri: vscode.Uri): Promise<void> {
  await onFile(app, uri, (unreadable) => askAndForecast(app, uri, unreadable));
}

async function askAndForecast(app: App, uri: vscode.Uri, unreadable: Unreadable): Promise<void> {
  const found = await openDocument(app.reader, uri, { missing: unreadable });
  const isOpen = found.document.isUncertain || openQuestions(found).length > 1;
  // what was settled on the page that shows it is changed there
  const plain = isOpen ? await openSettled(app, uri, TITLE, { missing: unreadable }) : found;
  const before = app.choices.recall(uri, plain.document.shape);
  const offers = await (await app.connection.ready()).client.capabilities();
  const start: Answers = {
    opened: plain,
    chosen: plain.document.series,
    model: { label: '', id: undefined },
    horizon: undefined,
    covariates: undefined,
    bounds: before?.bounds,
  };
  const takesColumns = takesCovariates(offers, 'createPrediction');
  const calendar = await calendarFor(app, uri);
  const takesBounds = offers.takes('createPrediction', 'bounds');
  const takesHorizon = offers.takes('createPrediction', 'prediction_length');
  const answers = await runSteps<Answers>(vscode.l10n.t('Forecast {0}', plain.fileName), start, (state) => [
    ...openQuestions(plain).map((choice): Step<Answers> => async ({ opened }, place) => {
      const settled = await answerChoice(opened, choice, place, before?.layout);
      return { opened: settled, chosen: settled.document.series };
    }),
    state.opened.document.series.length > 1 &&
      (async ({ opened }, place) => ({ chosen: await chooseSeries(opened, place, 'forecast', before) })),
    async (_state, place, { model }) => ({
      model: await chooseModel(app, { place, placeholder: vscode.l10n.t('Which model?'), before: model }),
    }),
    takesColumns &&
      hasColumns(state.chosen, calendar) &&
      (async ({ chosen: series, model }, place, { covariates = before?.covariates }) => ({
        covariates: await chooseCovariates(app, { series, calendar, model: model.id, before: covariates }, place),
      })),
    takesHorizon &&
      (({ chosen, model, covariates = [], bounds }, place) =>
        horizonAndBounds(
          chosen,
          place,
          bounds,
          // forecasts of many are asked for of their dataset, which takes none
          takesBounds && chosen.length < MANY,
          (between) => model.horizon ?? stepsKnown(chosen[0], [...covariates, ...boundColumns(between)]),
        )),
  ]);
  const { opened, chosen, model, horizon, covariates, bounds } = answers;
  rememberChoice(app, opened, chosen, { covariates: covariates && [...covariates], bounds, sums: undefined });
  app.problems.show(opened);
  const change = { model: model.id, horizon, covariates, bounds };
  await forecastSeries(app, opened, chosen, { change, show: { opened: 0 } });
}

/** Asks how far ahead, with a button for the bounds, which then come first. @throws Cancelled, Back */
async function horizonAndBounds(
  chosen: readonly ReadSeries[],
  place: Place,
  before: Bounds | undefined,
  takesBounds: boolean,
  suggested: (bounds: Bounds | undefined) => number | undefined,
): Promise<Pick<Answers, 'horizon' | 'bounds'>> {
  let bounds = before;
  for (;;) {
    const iconPath = new vscode.ThemeIcon('arrow-both');
    const words = boundsInWords(bounds, chosen);
    const button = takesBounds ? { iconPath, tooltip: words } : undefined;
    const about = takesBounds ? vscode.l10n.t('{0}; change this with the button above.', words) : undefined;
    try {
      return { horizon: await askHorizon(chosen[0], place, suggested(bounds), button, about), bounds };
    } catch (error) {
      if (!(error instanceof Pressed)) throw error;
    }
    try {
      bounds = await chooseBounds(chosen, { ...place, step: place.step + 1, totalSteps: place.totalSteps + 1 }, bounds);
    } catch (error) {
      // back to the horizon
      if (!(error instanceof Back)) throw error;
    }
  }
}

/** Longer forecasts are refused by the local service. */
const MOST_STEPS = 10_000;

/** Asks how far ahead: steps, a span or a date. @param about what the button is for @throws Cancelled, Pressed */
export async function askHorizon(
  series: ReadSeries,
  place: Parameters<typeof askText>[0]['place'],
  suggested?: number,
  button?: vscode.QuickInputButton,
  about = '',
): Promise<number> {
  const { frequency, times, timeZone } = series;
  const value = String(suggested ?? defaultHorizon(frequency, times.length));
  const end = { last: times.at(-1) ?? NaN, frequency, zone: zoneOf(timeZone ?? 'UTC') };
  const hasSpans = frequency !== undefined;
  const inWords = stepNoun(frequency, Number(value));
  const prompt = hasSpans
    ? vscode.l10n.t(
        'How far ahead? Enter a number of steps, a duration such as 2 years, or an end such as until Dec 2027. {0} is {1}.',
        value,
        inWords,
      )
    : vscode.l10n.t('How far ahead? Enter a number of steps. {0} is {1}.', value, inWords);
  const text = await askText({
    place,
    value,
    button,
    prompt: `${prompt} ${about}`.trim(),
    check: (input) => horizonFault(parseHorizon(input, end), hasSpans),
  });
  const horizon = parseHorizon(text, end);
  return 'steps' in horizon ? horizon.steps : Number(value);
}

function horizonFault(horizon: Horizon, hasSpans: boolean): string | undefined {
  const most = inDigits(MOST_STEPS);
  if ('steps' in horizon) {
    return horizon.steps <= MOST_STEPS
      ? undefined
      : vscode.l10n.t('That is {0} steps; the maximum is {1}.', inDigits(horizon.steps), most);
  }
  switch (horizon.problem) {
    case 'none':
      return hasSpans
        ? vscode.l10n.t(
            'Enter a number of steps from 1 to {0}, a duration such as 2 years, or an end such as until Dec 2027.',
            most,
          )
        : vscode.l10n.t('Enter a number of steps from 1 to {0}.', most);
    case 'past':
      return vscode.l10n.t('That does not reach past the end of the series. Enter a longer horizon.');
    case 'irregular':
      return vscode.l10n.t('The series has no regular step, so enter a number of steps.');
  }
}

const isNotNegative = (series: readonly ReadSeries[]): boolean =>
  series.every(({ values }) => !values.some((value) => value < 0));

const isSaid = (bound: Bounds['floor']): bound is number | string => bound !== undefined && bound !== null;

/** The columns beside a series that a bound may be. */
const columnsOf = ([series]: readonly ReadSeries[]): string[] =>
  (series?.beside?.columns ?? [])
    .filter(({ kind, name, isCalendar }) => kind === 'number' && !isCalendar && name !== series?.valueColumn)
    .map(({ name }) => name);

/** The bounds of forecasts of these series in a few words, for a button. */
export function boundsInWords(bounds: Bounds | undefined, series: readonly ReadSeries[]): string {
  const { floor, capacity, whole, not_negative: asked } = bounds ?? {};
  const parts = [
    isSaid(floor) && vscode.l10n.t('at least {0}', floor),
    isSaid(capacity) && vscode.l10n.t('at most {0}', capacity),
    (asked ?? isNotNegative(series)) && vscode.l10n.t('not negative'),
    whole && vscode.l10n.t('whole numbers'),
  ].filter(Boolean);
  return parts.length > 0 ? vscode.l10n.t('Bounds: {0}', parts.join(', ')) : vscode.l10n.t('Bounds: none');
}

/**
 * Asks between what forecasts of these series are to lie.
 * @returns undefined where that is as without a word
 * @throws Cancelled, Back
 */
export async function chooseBounds(
  series: readonly ReadSeries[],
  place: Place,
  before: Bounds | undefined,
): Promise<Bounds | undefined> {
  const usual = isNotNegative(series);
  const columns = columnsOf(series);
  const { floor, capacity, whole = false, not_negative: asked } = before ?? {};
  const sign = usual ? vscode.l10n.t('as in the series so far') : vscode.l10n.t('the series has negative values');
  const description = vscode.l10n.t('a number or a column');
  const items = [
    { label: vscode.l10n.t('Not negative'), description: sign, isSet: asked ?? usual },
    { label: vscode.l10n.t('Whole numbers'), isSet: whole },
    { label: vscode.l10n.t('Floor…'), description, isSet: isSaid(floor) },
    { label: vscode.l10n.t('Capacity…'), description, isSet: isSaid(capacity) },
  ];
  const placeholder = vscode.l10n.t('Which bounds should the forecast have?');
  const chosen = await pickAny({ place, placeholder, items, picked: items.filter(({ isSet }) => isSet) });
  const [isPositive, isWhole, hasFloor, hasCapacity] = items.map((item) => chosen.includes(item));
  const deeper = { ...place, step: place.step + 1, totalSteps: place.totalSteps + 1 };
  const least = hasFloor
    ? await askBound(vscode.l10n.t('The forecast is never below:'), deeper, floor, columns)
    : undefined;
  const most = hasCapacity
    ? await askBound(vscode.l10n.t('The forecast is never above:'), deeper, capacity, columns, least)
    : undefined;
  const bounds: Bounds = {
    ...(least === undefined ? {} : { floor: least }),
    ...(most === undefined ? {} : { capacity: most }),
    ...(isWhole ? { whole: true } : {}),
    ...(isPositive === usual ? {} : { not_negative: isPositive }),
  };
  return Object.keys(bounds).length > 0 ? bounds : undefined;
}

/** Asks for a number or for a column that says it. @param floor which it must be above */
async function askBound(
  prompt: string,
  place: Place,
  before: number | string | null | undefined,
  columns: readonly string[],
  floor?: number | string,
): Promise<number | string> {
  const named = columns.slice(0, 5).join(', ');
  const read = (text: string): number | string | undefined => {
    const number = Number(text.replaceAll(/(?<=\d)[,\u202f\u00a0 ](?=\d{3}\b)/g, ''));
    return text !== '' && Number.isFinite(number) ? number : columns.find((name) => name === text);
  };
  const text = await askText({
    place,
    prompt: columns.length > 0 ? vscode.l10n.t('{0} a number, or a column ({1}).', prompt, named) : prompt,
    value: String(before ?? ''),
    check: (input) => {
      const bound = read(input.trim());
      if (bound === undefined) {
        return columns.length > 0
          ? vscode.l10n.t('Enter a number, or the name of a column.')
          : vscode.l10n.t('Enter a number.');
      }
      return typeof bound === 'number' && typeof floor === 'number' && bound <= floor
        ? vscode.l10n.t('Enter a number above the floor, {0}.', floor)
        : undefined;
    },
  });
  return read(text) ?? text;
}
