import * as vscode from 'vscode';
import { stepsKnown } from '../../reading/points.ts';
import { type ReadSeries, SeriesError } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { answerChoice, chooseSeries, openQuestions, rememberChoice, settleSheet } from '../files/choose-series.ts';
import { openDocument, type OpenedDocument } from '../files/document.ts';
import { Cancelled, showFileFailure } from '../ui/failure.ts';
import { takesCovariates } from '../../client/fit.ts';
import { calendarFor } from './calendar.ts';
import { chooseCovariates, hasColumns } from './covariates.ts';
import { askHorizon } from './horizon.ts';
import { chooseModel, type ModelItem } from './pick-model.ts';
import { type Place, runSteps, type Step } from '../ui/steps.ts';
import { forgetSums } from '../many-series/add-up.ts';
import { forecastSeries, MANY } from './forecast-series.ts';

const TITLE = vscode.l10n.t('Forecast');

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
    const calendar = await calendarFor(app, uri);
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
      ...(takesColumns && state.chosen.length < MANY && hasColumns(state.chosen, calendar)
        ? [
            async ({ chosen, model }: Answers, place: Place, { covariates }: Partial<Answers>) => ({
              covariates: await chooseCovariates(
                app,
                chosen,
                calendar,
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
    await forgetSums(app, opened);
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
