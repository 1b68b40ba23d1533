import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import { defaultHorizon } from '../../calendar/frequency.ts';
import { type Horizon, parseHorizon } from '../../calendar/horizon.ts';
import { stepNoun } from '../../calendar/format.ts';
import { zoneOf } from '../../calendar/zone.ts';
import { takesCovariates } from '../../client/fit.ts';
import type { Bounds } from '../../contract/resources.ts';
import { stepsKnown } from '../../reading/points.ts';
import type { ReadSeries } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { answerChoice, chooseSeries, openQuestions, openSettled, rememberChoice } from '../files/choose-series.ts';
import { onFile, openDocument, type OpenedDocument } from '../files/document.ts';
import { calendarFor, chooseCovariates, hasColumns } from '../request/covariates.ts';
import { chooseModel, type ModelItem } from '../request/pick-model.ts';
import { after, askText, Back, pickAny, type Place, Pressed, runSteps, type Step } from '../ui/steps.ts';
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
  await onFile(app, uri, async (unreadable) => {
    const session = await app.connection.ready();
    const { client } = session;
    const found = await openDocument(app.reader, uri, { missing: unreadable });
    const isOpen = found.document.isUncertain || openQuestions(found).length > 1;
    // a layout that was settled on its page is changed there
    const plain = isOpen ? await openSettled(app, uri, TITLE, { missing: unreadable }) : found;
    const before = app.choices.recall(uri, plain.document.shape);
    const offers = await client.capabilities();
    const start: Answers = {
      opened: plain,
      chosen: plain.document.series,
      model: { label: '', id: undefined },
      horizon: undefined,
      covariates: undefined,
      bounds: before?.bounds,
    };
    const calendar = await calendarFor(app, uri);
    const takes = (field: string) => offers.takes('createPrediction', field);
    const answers = await runSteps<Answers>(vscode.l10n.t('Forecast {0}', plain.fileName), start, (state) => [
      ...openQuestions(plain).map((choice): Step<Answers> => async ({ opened }, place) => {
        const settled = await answerChoice(opened, choice, place, before?.layout);
        return { opened: settled, chosen: settled.document.series };
      }),
      state.opened.document.series.length > 1 &&
        (async ({ opened }, place) => ({ chosen: await chooseSeries(opened, place, 'forecast', before) })),
      async (_state, place, { model }) => ({
        model: await chooseModel(app, { session, place, placeholder: vscode.l10n.t('Which model?'), before: model }),
      }),
      takesCovariates(offers, 'createPrediction') &&
        hasColumns(state.chosen, calendar) &&
        (async ({ chosen: series, model }, place, { covariates = before?.covariates }) => ({
          covariates: await chooseCovariates({ client, series, calendar, model: model.id, before: covariates }, place),
        })),
      // forecasts of many series are requested of their dataset, which takes no bounds
      takes('prediction_length') &&
        ((answered, place) => horizonAndBounds(answered, place, takes('bounds') && answered.chosen.length < MANY)),
    ]);
    const { opened, chosen, model, horizon, covariates, bounds } = answers;
    rememberChoice(app, opened, chosen, { covariates: covariates && [...covariates], bounds, sums: undefined });
    app.problems.show(opened);
    await forecastSeries(app, opened, chosen, { model: model.id, horizon, covariates, bounds, session });
  });
}

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
  const prompt = frequency
    ? vscode.l10n.t(
        'How far ahead? Enter a number of steps, a duration such as 2 years, or an end such as until Dec 2027. {0} is {1}.',
        value,
        stepNoun(frequency, suggested),
      )
    : vscode.l10n.t('How far ahead? Enter a number of steps. {0} is {1}.', value, stepNoun(frequency, suggested));
  const about = bounds === undefined ? '' : vscode.l10n.t('{0}; change this with the button above.', bounds);
  const text = await askText({
    place,
    value,
    button: bounds === undefined ? undefined : { iconPath: new vscode.ThemeIcon('arrow-both'), tooltip: bounds },
    prompt: `${prompt} ${about}`.trim(),
    check: (input) => horizonFault(parseHorizon(input, end), frequency !== undefined),
  });
  const horizon = parseHorizon(text, end);
  return 'steps' in horizon ? horizon.steps : suggested;
}

function horizonFault(horizon: Horizon, hasSpans: boolean): string | undefined {
  const most = inDigits(MOST_STEPS);
  if ('steps' in horizon) {
    if (horizon.steps <= MOST_STEPS) return undefined;
    return vscode.l10n.t('That is {0} steps; the maximum is {1}.', inDigits(horizon.steps), most);
  }
  if (horizon.problem === 'past')
    return vscode.l10n.t('That does not reach past the end of the series. Enter a longer horizon.');
  if (horizon.problem === 'irregular')
    return vscode.l10n.t('The series has no regular step, so enter a number of steps.');
  return hasSpans
    ? vscode.l10n.t(
        'Enter a number of steps from 1 to {0}, a duration such as 2 years, or an end such as until Dec 2027.',
        most,
      )
    : vscode.l10n.t('Enter a number of steps from 1 to {0}.', most);
}

type Bound = number | string;

const isNotNegative = (series: readonly ReadSeries[]): boolean =>
  series.every(({ values }) => !values.some((value) => value < 0));

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
  const columns = (series[0]?.beside?.columns ?? [])
    .filter(({ kind, name, isCalendar }) => kind === 'number' && !isCalendar && name !== series[0]?.valueColumn)
    .map(({ name }) => name);
  const ask = (prompt: string, value: Bound | null | undefined, above?: Bound) =>
    askBound(prompt, after(place), { value: String(value ?? ''), columns, above });
  const least = hasFloor ? await ask(vscode.l10n.t('The forecast is never below:'), floor) : undefined;
  const most = hasCapacity ? await ask(vscode.l10n.t('The forecast is never above:'), capacity, least) : undefined;
  const bounds: Bounds = {
    ...(least === undefined ? {} : { floor: least }),
    ...(most === undefined ? {} : { capacity: most }),
    ...(isWhole ? { whole: true } : {}),
    ...(isPositive === usual ? {} : { not_negative: isPositive }),
  };
  return Object.keys(bounds).length > 0 ? bounds : undefined;
}

async function askBound(
  prompt: string,
  place: Place,
  {
    value,
    columns,
    above,
  }: { readonly value: string; readonly columns: readonly string[]; readonly above?: Bound | undefined },
): Promise<Bound> {
  const hasColumns = columns.length > 0;
  const read = (text: string): Bound | undefined => {
    const number = Number(text.replaceAll(/(?<=\d)[,\u202f\u00a0 ](?=\d{3}\b)/g, ''));
    return text !== '' && Number.isFinite(number) ? number : columns.find((name) => name === text);
  };
  const check = (input: string) => {
    const bound = read(input.trim());
    if (bound === undefined && hasColumns) return vscode.l10n.t('Enter a number, or the name of a column.');
    if (bound === undefined) return vscode.l10n.t('Enter a number.');
    return typeof bound === 'number' && typeof above === 'number' && bound <= above
      ? vscode.l10n.t('Enter a number above the floor, {0}.', above)
      : undefined;
  };
  const named = columns.slice(0, 5).join(', ');
  const question = hasColumns ? vscode.l10n.t('{0} a number, or a column ({1}).', prompt, named) : prompt;
  const text = await askText({ place, prompt: question, value, check });
  return read(text) ?? text;
}
