import * as vscode from 'vscode';
import { takesCovariates } from '../../client/fit.ts';
import { stepNoun } from '../../calendar/words.ts';
import { stepsKnown, toPoints } from '../../reading/points.ts';
import type { ReadSeries } from '../../reading/types.ts';
import type { App } from '../app.ts';
import type { Note } from '../connection/memory.ts';
import type { RequestOptions } from '../request/request.ts';
import { columnsOf } from '../views/analysis/columns.ts';

/** Columns that a forecast makes use of without being asked to. */
export interface HelpingColumns {
  readonly names: readonly string[];
  /** How far ahead a forecast goes for which nobody said how far: as far as the file says them. */
  readonly steps: number;
  readonly remark: NonNullable<Note['remarks']>[number];
}

/**
 * The columns of a file that are known further ahead than the values and that help on a backtest, for a person who chose
 * none. @throws ServiceError
 */
export async function columnsThatHelp(
  app: App,
  series: ReadSeries,
  { ai_model_id: model, prediction_length: horizon }: RequestOptions,
  signal: AbortSignal,
): Promise<HelpingColumns | undefined> {
  const all = columnsOf([series])
    .filter(({ isCalendar }) => isCalendar !== true)
    .map(({ name }) => name);
  if (all.length === 0) return undefined;
  const { client } = await app.connection.ready();
  const offers = await client.capabilities();
  if (!offers.has('testCovariates') || !takesCovariates(offers, 'createPrediction')) return undefined;
  const request = { series: toPoints(series, all), ...(model ? { ai_model_id: model } : {}) };
  const { covariates } = await client.testCovariates(request, signal);
  const names = covariates.filter(({ helps }) => helps).map(({ name }) => name);
  const steps = stepsKnown(series, names);
  if (steps === undefined) return undefined;
  const [listed, known] = [new Intl.ListFormat(vscode.env.language).format(names), stepNoun(series.frequency, steps)];
  const text = vscode.l10n.t(
    'With {0}, as that helped on a backtest, for {1}: as far as the file says it',
    listed,
    known,
  );
  return { names, steps: horizon ?? steps, remark: { kind: 'columns', rows: 0, text, lines: [] } };
}
