import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import { defaultHorizon } from '../../calendar/frequency.ts';
import { type Horizon, parseHorizon } from '../../calendar/horizon.ts';
import { stepNoun } from '../../calendar/words.ts';
import { zoneOf } from '../../calendar/zone.ts';
import { takesCovariates } from '../../client/fit.ts';
import type { Bounds } from '../../contract/resources.ts';
import { stepsKnown } from '../../reading/points.ts';
import type { ReadSeries } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { answerChoice, chooseSeries, openQuestions, openSettled, rememberChoice } from '../files/choose-series.ts';
import { onFile, openDocument, type OpenedDocument, type Unreadable } from '../files/document.ts';
import { calendarFor, chooseCovariates, hasColumns } from '../request/covariates.ts';
import { chooseModel, type ModelItem } from '../request/pick-model.ts';
import { askText, Back, pickAny, type Place, Pressed, runSteps, type Step } from '../ui/steps.ts';
import { MOST_STEPS } from '../views/chart/controls.ts';
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

/** Forecast with Options: asks for layout, series, model, covariates, horizon and bounds, with Back. */
export async function forecastWithOptions(app: App, uri: vscode.Uri): Promise<void> {
  await onFile(app, uri, (unreadable) => askAndForecast(app, uri, unreadable));
}

async function askAndForecast(app: App, uri: vscode.Uri, unreadable: Unreadable): Promise<void> {
  const found = await openDocument(app.reader, uri, { missing: unreadable });
  const isOpen = found.document.isUncertain || openQuestions(found).length > 1;
  // a layout that was settled on its page is changed there
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
    // forecasts of many series are requested of their dataset, which takes no bounds
    takesHorizon &&
      ((answered, place) => horizonAndBounds(answered, place, takesBounds && answered.chosen.length < MANY)),
  ]);
  const { opened, chosen, model, horizon, covariates, bounds } = answers;
  rememberChoice(app, opened, chosen, { covariates: covariates && [...covariates], bounds, sums: undefined });
  app.problems.show(opened);
  const change = { model: model.id, horizon, covariates, bounds };
  await forecastSeries(app, opened, chosen, { change, show: { opened: 0 } });
}

const after = (place: Place): Place => ({ ...place, step: place.step + 1, totalSteps: place.totalSteps + 1 });

/** Asks for the horizon, with a button for the bounds. @throws Cancelled, Back */
async function horizonAndBounds(
  { chosen, model, covariates = [], bounds: before }: Answers,
  place: Place,
  takesBounds: boolean,
): Promise<Pick<Answers, 'horizon' | 'bounds'>> {
  let bounds = before;
  for (;;) {
    const words = boundsInWords(bounds, chosen);
    const suggested = model.horizon ?? stepsKnown(chosen[0], [...covariates, ...boundColumns(bounds)]);
    try {
      return { horizon: await askHorizon(chosen[0], place, suggested, takesBounds ? words : undefined), bounds };
    } catch (error) {
      if (!(error instanceof Pressed)) throw error;
    }
    try {
      bounds = await chooseBounds(chosen, after(place), bounds);
    } catch (error) {
      if (!(error instanceof Back)) throw error;
    }
  }
}

/** Asks for steps, a duration or an end. @param bounds what the button says @throws Cancelled, Pressed */
async function askHorizon(
  { frequency, times, timeZone }: ReadSeries,
  place: Place,
  suggested = defaultHorizon(frequency, times.length),
  bounds?: string,
): Promise<number> {
  const value = String(suggested);
  const end = { last: times.at(-1) ?? NaN, frequency, zone: zoneOf(timeZone ?? 'UTC') };
  const hasSpans = frequency !== undefined;
  const inWords = stepNoun(frequency, suggested);
  const prompt = hasSpans
    ? vscode.l10n.t(
        'How far ahead? Enter a number of steps, a duration such as 2 years, or an end such as until Dec 2027. {0} is {1}.',
        value,
        inWords,
      )
    : vscode.l10n.t('How far ahead? Enter a number of steps. {0} is {1}.', value, inWords);
  const about = bounds === undefined ? '' : vscode.l10n.t('{0}; change this with the button above.', bounds);
  const text = await askText({
    place,
    value,
    button: bounds === undefined ? undefined : { iconPath: new vscode.ThemeIcon('arrow-both'), tooltip: bounds },
    prompt: `${prompt} ${about}`.trim(),
    check: (input) => horizonFault(parseHorizon(input, end), hasSpans),
  });
  const horizon = parseHorizon(text, end);
  return 'steps' in horizon ? horizon.steps : suggested;
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

type Bound = number | string;

const isNotNegative = (series: readonly ReadSeries[]): boolean =>
  series.every(({ values }) => !values.some((value) => value < 0));

const boundCandidates = ([series]: readonly ReadSeries[]): string[] =>
  (series?.beside?.columns ?? [])
    .filter(({ kind, name, isCalendar }) => kind === 'number' && !isCalendar && name !== series?.valueColumn)
    .map(({ name }) => name);

function boundsInWords(bounds: Bounds | undefined, series: readonly ReadSeries[]): string {
  const { floor, capacity, whole, not_negative: isPositive = isNotNegative(series) } = bounds ?? {};
  const words = [
    floor != null && vscode.l10n.t('at least {0}', floor),
    capacity != null && vscode.l10n.t('at most {0}', capacity),
    isPositive && vscode.l10n.t('not negative'),
    whole && vscode.l10n.t('whole numbers'),
  ].filter(Boolean);
  return words.length > 0 ? vscode.l10n.t('Bounds: {0}', words.join(', ')) : vscode.l10n.t('Bounds: none');
}

/** Asks for the bounds of forecasts of these series; undefined if they are the default. @throws Cancelled, Back */
async function chooseBounds(series: readonly ReadSeries[], place: Place, before: Bounds | undefined) {
  const usual = isNotNegative(series);
  const columns = boundCandidates(series);
  const { floor, capacity, whole = false, not_negative: isPositiveBefore = usual } = before ?? {};
  const sign = usual ? vscode.l10n.t('as in the series so far') : vscode.l10n.t('the series has negative values');
  const description = vscode.l10n.t('a number or a column');
  const items = [
    { label: vscode.l10n.t('Not negative'), description: sign, isSet: isPositiveBefore },
    { label: vscode.l10n.t('Whole numbers'), isSet: whole },
    { label: vscode.l10n.t('Floor…'), description, isSet: floor != null },
    { label: vscode.l10n.t('Capacity…'), description, isSet: capacity != null },
  ];
  const placeholder = vscode.l10n.t('Which bounds should the forecast have?');
  const chosen = await pickAny({ place, placeholder, items, picked: items.filter(({ isSet }) => isSet) });
  const [isPositive, isWhole, hasFloor, hasCapacity] = items.map((item) => chosen.includes(item));
  const ask = async (isAsked: boolean, prompt: string, value: Bound | null | undefined, above?: Bound) =>
    isAsked ? askBound(prompt, after(place), { value, columns, above }) : undefined;
  const least = await ask(hasFloor, vscode.l10n.t('The forecast is never below:'), floor);
  const most = await ask(hasCapacity, vscode.l10n.t('The forecast is never above:'), capacity, least);
  const bounds: Bounds = {
    ...(least === undefined ? {} : { floor: least }),
    ...(most === undefined ? {} : { capacity: most }),
    ...(isWhole ? { whole: true } : {}),
    ...(isPositive === usual ? {} : { not_negative: isPositive }),
  };
  return Object.keys(bounds).length > 0 ? bounds : undefined;
}

interface BoundQuestion {
  readonly value: Bound | null | undefined;
  readonly columns: readonly string[];
  readonly above: Bound | undefined;
}

async function askBound(prompt: string, place: Place, { value, columns, above }: BoundQuestion): Promise<Bound> {
  const named = columns.slice(0, 5).join(', ');
  const read = (text: string): Bound | undefined => {
    const number = Number(text.replaceAll(/(?<=\d)[,\u202f\u00a0 ](?=\d{3}\b)/g, ''));
    return text !== '' && Number.isFinite(number) ? number : columns.find((name) => name === text);
  };
  const text = await askText({
    place,
    prompt: columns.length > 0 ? vscode.l10n.t('{0} a number, or a column ({1}).', prompt, named) : prompt,
    value: String(value ?? ''),
    check: (input) => {
      const bound = read(input.trim());
      if (bound === undefined) {
        return columns.length > 0
          ? vscode.l10n.t('Enter a number, or the name of a column.')
          : vscode.l10n.t('Enter a number.');
      }
      return typeof bound === 'number' && typeof above === 'number' && bound <= above
        ? vscode.l10n.t('Enter a number above the floor, {0}.', above)
        : undefined;
    },
  });
  return read(text) ?? text;
}
