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
import {
  answerChoice,
  chooseSeries,
  onFile,
  openDocument,
  type OpenedDocument,
  openQuestions,
  openSettled,
  rememberChoice,
} from '../files/document.ts';
import { calendarFor, chooseCovariates, hasColumns } from '../request/covariates.ts';
import { chooseModel, type ModelItem } from '../request/pick-model.ts';
import { askText, pickAny, runSteps, type Step } from '../ui/steps.ts';
import { MOST_STEPS } from '../views/chart/controls.ts';
import { boundColumns, forecastSeries, MANY } from './forecast.ts';

const TITLE = vscode.l10n.t('Forecast');

interface Answers {
  readonly opened: OpenedDocument;
  readonly chosen: readonly ReadSeries[];
  readonly model: ModelItem;
  readonly horizon: number | undefined;
  readonly covariates: readonly string[] | undefined;
  readonly bounds: Bounds;
}

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
      bounds: before?.bounds ?? {},
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
      async (_state, place, { model: before }) => ({ model: await chooseModel(app, { session, place, before }) }),
      takesCovariates(offers, 'createPrediction') &&
        hasColumns(state.chosen, calendar) &&
        (async ({ chosen: series, model }, place, { covariates = before?.covariates }) => ({
          covariates: await chooseCovariates({ client, series, calendar, model: model.id, before: covariates }, place),
        })),
      ...(takes('bounds') && state.chosen.length < MANY ? boundSteps(state.bounds) : []),
      takes('prediction_length') && askHorizon,
    ]);
    const { opened, chosen, model, horizon, covariates } = answers;
    const bounds = Object.keys(answers.bounds).length > 0 ? answers.bounds : undefined;
    rememberChoice(app, opened, chosen, { covariates: covariates && [...covariates], bounds, sums: undefined });
    app.problems.show(opened);
    await forecastSeries(app, opened, chosen, { model: model.id, horizon, covariates, bounds, session });
  });
}

const askHorizon: Step<Answers> = async ({ chosen: [series], model, covariates = [], bounds }, place) => {
  const { frequency, times, timeZone } = series;
  const known = model.horizon ?? stepsKnown(series, [...covariates, ...boundColumns(bounds)]);
  const suggested = known ?? defaultHorizon(frequency, times.length);
  const value = String(suggested);
  const end = { last: times.at(-1) ?? NaN, frequency, zone: zoneOf(timeZone ?? 'UTC') };
  const prompt = frequency
    ? vscode.l10n.t(
        'How far ahead? Enter a number of steps, a duration such as 2 years, or an end such as until Dec 2027. {0} is {1}.',
        value,
        stepNoun(frequency, suggested),
      )
    : vscode.l10n.t('How far ahead? Enter a number of steps. {0} is {1}.', value, stepNoun(frequency, suggested));
  const check = (input: string) => horizonFault(parseHorizon(input, end), frequency !== undefined);
  const horizon = parseHorizon(await askText({ place, value, prompt, check }), end);
  return { horizon: 'steps' in horizon ? horizon.steps : suggested };
};

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

const boundSteps = ({ floor, capacity }: Bounds) => [
  pickBounds,
  floor != null && askBound('floor', vscode.l10n.t('The forecast is never below:')),
  capacity != null && askBound('capacity', vscode.l10n.t('The forecast is never above:')),
];

const pickBounds: Step<Answers> = async ({ chosen, bounds: first }, place, { bounds = first }) => {
  const usual = chosen.every(({ values }) => !values.some((value) => value < 0));
  const sign = usual ? vscode.l10n.t('as in the series so far') : vscode.l10n.t('the series has negative values');
  const description = vscode.l10n.t('a number or a column');
  const items = [
    { label: vscode.l10n.t('Not negative'), description: sign, isSet: bounds.not_negative ?? usual },
    { label: vscode.l10n.t('Whole numbers'), isSet: bounds.whole },
    { label: vscode.l10n.t('Floor…'), description, isSet: bounds.floor != null },
    { label: vscode.l10n.t('Capacity…'), description, isSet: bounds.capacity != null },
  ];
  const placeholder = vscode.l10n.t('Which bounds should the forecast have?');
  const picked = await pickAny({ place, placeholder, items, picked: ({ isSet }) => isSet === true });
  const [isPositive, isWhole, hasFloor, hasCapacity] = items.map((item) => picked.includes(item));
  return {
    bounds: {
      ...(hasFloor ? { floor: bounds.floor ?? '' } : {}),
      ...(hasCapacity ? { capacity: bounds.capacity ?? '' } : {}),
      ...(isWhole ? { whole: true } : {}),
      ...(isPositive === usual ? {} : { not_negative: isPositive }),
    },
  };
};

const askBound =
  (limit: 'floor' | 'capacity', prompt: string): Step<Answers> =>
  async ({ chosen: [series], bounds: first }, place, { bounds = first }) => {
    const columns = (series.beside?.columns ?? [])
      .filter(({ kind, name, isCalendar }) => kind === 'number' && !isCalendar && name !== series.valueColumn)
      .map(({ name }) => name);
    const floor = limit === 'capacity' ? bounds.floor : undefined;
    const read = (text: string): number | string | undefined => {
      const number = Number(text.replaceAll(/(?<=\d)[,\u202f\u00a0 ](?=\d{3}\b)/g, ''));
      return text !== '' && Number.isFinite(number) ? number : columns.find((name) => name === text);
    };
    const check = (input: string) => {
      const bound = read(input.trim());
      if (bound === undefined)
        return columns.length > 0
          ? vscode.l10n.t('Enter a number, or the name of a column.')
          : vscode.l10n.t('Enter a number.');
      return typeof bound === 'number' && typeof floor === 'number' && bound <= floor
        ? vscode.l10n.t('Enter a number above the floor, {0}.', floor)
        : undefined;
    };
    const named = columns.slice(0, 5).join(', ');
    const question = named === '' ? prompt : vscode.l10n.t('{0} a number, or a column ({1}).', prompt, named);
    const text = await askText({ place, prompt: question, value: String(bounds[limit] ?? ''), check });
    return { bounds: { ...bounds, [limit]: read(text) } };
  };
