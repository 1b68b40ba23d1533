import * as vscode from 'vscode';
import type { LocalCreatePrediction } from '../../contract/requests.ts';
import type { Note, Source } from '../connection/memory.ts';
import { stepsKnown, toPoints } from '../../reading/points.ts';
import { type ReadSeries, SeriesError } from '../../reading/types.ts';
import type { App } from '../app.ts';
import type { Chosen } from '../files/choices.ts';
import {
  answerChoice,
  chooseSeries,
  openQuestions,
  rememberChoice,
  seriesAsBefore,
  settleLayout,
  settleSheet,
} from '../files/choose-series.ts';
import { askForFiles } from '../files/ask-for-files.ts';
import { fileNameOf, openAsBefore, openDocument, type OpenedDocument } from '../files/document.ts';
import { fingerprintOf } from '../files/fingerprint.ts';
import { Cancelled, showFileFailure } from '../ui/failure.ts';
import { lastPoints } from '../../reading/last-points.ts';
import { takesCovariates } from '../../client/fit.ts';
import { chooseCovariates, columnsOf, usesCovariates } from './covariates.ts';
import { type Charts, createPrediction, MOST_LETTERS } from './create.ts';
import { fingerprint, levelsOf, withDefaults } from './request.ts';
import { readPredictions } from '../../client/poller.ts';
import { forecastAll, forecastMany } from '../many-series/forecast-all.ts';
import { setOf } from '../many-series/sources.ts';
import { askHorizon } from './horizon.ts';
import { chooseModel, type ModelItem, modelWay } from './pick-model.ts';
import { isPassing } from '../../client/errors.ts';
import { withPatience } from '../ui/progress.ts';
import { alone, type Place, runSteps, type Step } from '../ui/steps.ts';
import { inBackground } from '../ui/background.ts';

/** What the person set; everything absent is left to the service. */
export interface ForecastOptions {
  readonly model?: string | undefined;
  readonly horizon?: number | undefined;
  /** In per cent. */
  readonly bands?: readonly number[] | undefined;
  /** Columns that it may make use of; absent: those that were chosen for this file before. */
  readonly covariates?: readonly string[] | undefined;
  /** Whether it is made once more though there is one of the same data. */
  readonly isAnew?: boolean | undefined;
}

const TITLE = vscode.l10n.t('Forecast');
/** Forecasts files, one after another. Asks nothing where a file leaves no choice. A file that fails does not stop the others. */
export async function forecastFiles(
  app: App,
  uris: readonly vscode.Uri[],
  options: ForecastOptions = {},
): Promise<void> {
  if (uris.length >= MANY) {
    await forecastAll(app, uris, { ai_model_id: options.model, prediction_length: options.horizon });
    return;
  }
  const charts: Charts = { opened: 0 };
  const failures: Promise<void>[] = [];
  try {
    for (const uri of uris) await forecastFile(app, uri, options, charts, 'error', failures);
  } finally {
    await Promise.all(failures);
  }
}

async function forecastFile(
  app: App,
  uri: vscode.Uri,
  options: ForecastOptions,
  charts: Charts,
  missing: 'error' | 'treat-as-missing',
  failures: Promise<void>[] = [],
): Promise<void> {
  try {
    const { opened, chosen } = await openAsBefore(app, uri, missing);
    await forecastDocument(app, opened, chosen, options, charts);
  } catch (error) {
    if (error instanceof Cancelled) throw error;
    const repairable = error instanceof SeriesError && error.canBePassedOver && missing === 'error';
    if (repairable) inBackground(app.log, app.problems.showFaults(uri, app.choices.latest(uri)?.layout));
    const repair = {
      label: vscode.l10n.t('Treat as Missing'),
      go: () => forecastFile(app, uri, options, charts, 'treat-as-missing'),
    };
    const again = { label: vscode.l10n.t('Try Again'), go: () => forecastFiles(app, [uri], options) };
    const { model: _, ...others } = options;
    const way = isPassing(error) ? again : modelWay(app, error, () => forecastFiles(app, [uri], others));
    // the other files do not wait until the person has read this
    failures.push(showFileFailure(app, uri, error, repairable ? repair : way));
  }
}

/**
 * Forecasts a document that was read: what it leaves open is asked, unless it was chosen before.
 * @throws Cancelled, SeriesError, ServiceError
 */
export async function forecastDocument(
  app: App,
  opened: OpenedDocument,
  before: Chosen | undefined,
  options: ForecastOptions = {},
  charts: Charts = { opened: 0 },
): Promise<void> {
  const settled = await settleLayout(opened, TITLE);
  const series = seriesAsBefore(settled, before) ?? (await chooseSeries(settled, alone(TITLE), 'forecast', before));
  await rememberChoice(app, settled, series);
  app.problems.show(settled);
  await forecastSeries(app, settled, series, options, charts);
}

/** Forecasts a file anew with its rows of totals, and from then on. */
export async function takeTotals(app: App, uri: vscode.Uri): Promise<void> {
  const { opened, chosen } = await openAsBefore(app, uri);
  const taken = await opened.again({ layout: { ...opened.layout, totals: 'take' } });
  await forecastDocument(app, taken, chosen);
}

/** Forecasts files that the person chooses, with this model. */
export async function forecastWithModel(app: App, model: string): Promise<void> {
  await forecastFiles(app, await askForFiles(vscode.l10n.t('Choose a File to Forecast with this Model')), { model });
}

interface Answers {
  readonly opened: OpenedDocument;
  readonly chosen: readonly ReadSeries[];
  readonly model: ModelItem;
  readonly horizon: number | undefined;
  readonly covariates: readonly string[] | undefined;
}

/** Forecast with Options: how the file is read where it leaves that open, series, model and horizon, in one input with Back. */
export async function forecastWithOptions(
  app: App,
  uri: vscode.Uri,
  missing: 'error' | 'treat-as-missing' = 'error',
): Promise<void> {
  try {
    const plain = await settleSheet(await openDocument(app.reader, uri, { missing }), TITLE);
    const before = app.choices.recall(uri, plain.document.shape);
    const offers = await (await app.connection.ready()).client.capabilities();
    const start: Answers = {
      opened: plain,
      chosen: plain.document.series,
      model: { label: '', id: undefined },
      horizon: undefined,
      covariates: undefined,
    };
    const takesColumns = takesCovariates(offers, 'createPrediction');
    const takesHorizon = offers.takes('createPrediction', 'prediction_length');
    const answers = await runSteps<Answers>(vscode.l10n.t('Forecast {0}', plain.fileName), start, (state) => [
      ...openQuestions(plain).map((choice): Step<Answers> => async ({ opened }, place) => {
        const settled = await answerChoice(opened, choice, place, before?.layout);
        return { opened: settled, chosen: settled.document.series };
      }),
      ...(state.opened.document.series.length > 1
        ? [
            async ({ opened }: Answers, place: Place) => ({
              chosen: await chooseSeries(opened, place, 'forecast', before),
            }),
          ]
        : []),
      async (_state, place, before) => ({
        model: await chooseModel(app, place, vscode.l10n.t('Which model?'), before.model),
      }),
      ...(takesColumns && state.chosen.length < MANY && columnsOf(state.chosen).length > 0
        ? [
            async ({ chosen, model }: Answers, place: Place, { covariates }: Partial<Answers>) => ({
              covariates: await chooseCovariates(
                app,
                chosen,
                place,
                { model: model.id },
                covariates ?? before?.covariates,
              ),
            }),
          ]
        : []),
      ...(takesHorizon
        ? [
            async ({ chosen: [series], model, covariates }: Answers, place: Place) => ({
              horizon: await askHorizon(series, place, model.horizon ?? stepsKnown(series, covariates)),
            }),
          ]
        : []),
    ]);
    const { opened, chosen, model, horizon, covariates } = answers;
    await rememberChoice(app, opened, chosen, covariates);
    app.problems.show(opened);
    await forecastSeries(app, opened, chosen, { model: model.id, horizon, covariates }, { opened: 0 });
  } catch (error) {
    if (error instanceof Cancelled) throw error;
    const repairable = error instanceof SeriesError && error.canBePassedOver && missing === 'error';
    const repair = {
      label: vscode.l10n.t('Treat as Missing'),
      go: () => forecastWithOptions(app, uri, 'treat-as-missing'),
    };
    await showFileFailure(app, uri, error, repairable ? repair : undefined);
  }
}

/** From so many series on they are shown as a list, not as a chart each. */
const MANY = 5;

/**
 * Forecasts series of a document: a chart each of a few, a list of many. What was forecast before in the same way is
 * shown again. @throws Cancelled, ServiceError
 */
export async function forecastSeries(
  app: App,
  opened: OpenedDocument,
  chosen: readonly ReadSeries[],
  { model, horizon, bands, covariates: wanted, isAnew = false }: ForecastOptions,
  charts: Charts,
): Promise<void> {
  const { fileName, document } = opened;
  const asked = { ai_model_id: model, prediction_length: horizon, quantile_levels: bands && levelsOf(bands) };
  if (chosen.length >= MANY) {
    await forecastMany(app, setOf(opened, chosen), asked);
    return;
  }
  const isOnly = document.series.length === 1;
  const options = await withDefaults(app, asked);
  const names = wanted ?? app.choices.recall(opened.uri, document.shape)?.covariates ?? [];
  const covariates = names.length > 0 && (await usesCovariates(app)) ? names : [];
  await withPatience(vscode.l10n.t('Forecasting {0}', fileName), async (signal, report) => {
    for (const [index, series] of chosen.entries()) {
      signal.throwIfAborted();
      if (chosen.length > 1) report(vscode.l10n.t('{0} ({1} of {2})', series.name, index + 1, chosen.length));
      const label = isOnly ? fileName : `${fileName} · ${series.name}`;
      const recent = lastPoints(series);
      const points = toPoints(recent, covariates);
      const known = covariates.length > 0 ? { covariates: points.map(({ metadata }) => metadata?.covariates) } : {};
      const key = fingerprint([recent], { ...options, label, ...known });
      if (!isAnew && (await isShownAgain(app, key, charts, signal))) continue;
      const request: LocalCreatePrediction = {
        ...options,
        series: points,
        name: label.slice(0, MOST_LETTERS),
      };
      const valueLabel = series.valueColumn ?? series.name;
      const { holidays } = series;
      const note = { label, valueLabel, remarks: remarksOf(series), holidays, key, source: sourceOf(opened, series) };
      await createPrediction(app, request, note, charts, signal);
    }
  });
}

/** Shows the chart of the same request made before, where it is still there and did not fail. */
async function isShownAgain(app: App, key: string, charts: Charts, signal: AbortSignal): Promise<boolean> {
  const { client, info } = await app.connection.ready();
  const id = app.memory.find(info.id, key);
  if (id === undefined) return false;
  const { jobs } = await readPredictions(client, new Set([id]), signal);
  const [known] = jobs;
  if (!known || known.status === 'FAILED') return false;
  charts.opened++;
  app.panels.open({ serviceId: info.id, predictionId: id }, known, false, charts.former);
  return true;
}

/** What was done with its rows, to be kept with the forecast. */
export const remarksOf = ({ remarks }: ReadSeries): NonNullable<Note['remarks']> =>
  remarks.map(({ lines, ...rest }) => ({ ...rest, lines: lines.map(([first, last]) => [first, last]) }));

/** What is needed to write the forecast in the file's own shape. */
export const sourceOf = (
  { uri, document, isPart }: Pick<OpenedDocument, 'uri' | 'document' | 'isPart'>,
  series: ReadSeries,
): Source => ({
  fileName: fileNameOf(uri),
  uri: uri.toString(),
  format: document.format,
  id: series.id,
  valueColumn: series.valueColumn,
  timeColumn: series.timeColumn,
  idColumn: series.idColumn,
  timeKind: series.timeKind,
  timeZone: series.timeZone,
  fingerprint: fingerprintOf(series),
  isPart,
});
