import * as vscode from 'vscode';
import { takesCovariates } from '../../client/fit.ts';
import { lastPoints } from '../../reading/last-points.ts';
import { stepsKnown, toPoints } from '../../reading/points.ts';
import type { KnownColumn, ReadSeries } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { type SeriesCalendar, usualSteps } from './calendar.ts';
import { withPatience } from '../ui/progress.ts';
import { pickAny, type Place } from '../ui/steps.ts';
import { columnsOf, helpWords, howFar } from '../views/analysis/columns.ts';

interface ColumnItem extends vscode.QuickPickItem {
  readonly column: KnownColumn;
}

/** Whether there is anything to ask: a column of the file, or what the calendar says of its days. */
export const hasColumns = (series: readonly ReadSeries[], calendar: SeriesCalendar): boolean =>
  series.length > 0 && (columnsOf(series).length > 0 || calendar.tells(series[0]));

/** Whether the service in use makes use of what is known besides the values. */
export async function usesCovariates(app: App): Promise<boolean> {
  const { client } = await app.connection.ready();
  return takesCovariates(await client.capabilities(), 'createPrediction');
}

/**
 * Which columns the forecast may make use of. Those chosen before are ticked; else those that a quick test finds helpful.
 * @param before names that were chosen
 * @throws Cancelled, ServiceError
 */
export async function chooseCovariates(
  app: App,
  series: readonly ReadSeries[],
  calendar: SeriesCalendar,
  place: Place,
  asked: { readonly model?: string | undefined },
  before: readonly string[] | undefined,
): Promise<readonly string[]> {
  const [first, ...others] = series;
  const own = columnsOf(series).map(({ name }) => name);
  const full = await calendar.beside(lastPoints(first), stepsKnown(first, own) ?? usualSteps(first));
  const columns = columnsOf([full, ...others]);
  const tested = await test(app, full, columns, asked);
  const items = columns.map((column) => itemOf(column, full, tested?.get(column.name)));
  const isMeant = ({ column }: ColumnItem): boolean =>
    before ? before.includes(column.name) : tested ? tested.get(column.name) === true : column.ahead > 0;
  const chosen = await pickAny({
    place,
    placeholder: vscode.l10n.t('Which columns is the forecast to make use of?'),
    items,
    picked: items.filter(isMeant),
  });
  return chosen.map(({ column }) => column.name);
}

/** Which columns help on a backtest; undefined where the service does not test. */
async function test(
  app: App,
  series: ReadSeries,
  columns: readonly KnownColumn[],
  { model }: { readonly model?: string | undefined },
): Promise<ReadonlyMap<string, boolean> | undefined> {
  const { client } = await app.connection.ready();
  if (!(await client.capabilities()).has('testCovariates')) return undefined;
  const names = columns.map(({ name }) => name);
  return withPatience(vscode.l10n.t('Looking for columns that help'), async (signal) => {
    const request = { series: toPoints(series, names), ...(model ? { ai_model_id: model } : {}) };
    const { covariates } = await client.testCovariates(request, signal);
    return new Map(covariates.map(({ name, helps }) => [name, helps]));
  });
}

function itemOf(column: KnownColumn, series: ReadSeries, helps: boolean | undefined): ColumnItem {
  return {
    label: column.name,
    description: howFar(column, series),
    ...(helps === undefined ? {} : { detail: helpWords(helps) }),
    column,
  };
}
