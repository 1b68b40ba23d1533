import * as vscode from 'vscode';
import { takesCovariates } from '../../client/fit.ts';
import { lastPoints } from '../../reading/last-points.ts';
import { stepsKnown, toPoints } from '../../reading/points.ts';
import type { KnownColumn, ReadSeries } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { type SeriesCalendar, usualSteps } from './calendar.ts';
import { withPatience } from '../ui/progress.ts';
import { pickAny, type Place } from '../ui/steps.ts';
import { columnsOf, helpWords, howFar } from '../views/chart/controls.ts';

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

interface ColumnsQuestion {
  readonly series: readonly ReadSeries[];
  readonly calendar: SeriesCalendar;
  readonly model?: string | undefined;
  /** Names that were chosen. */
  readonly before?: readonly string[] | undefined;
}

/**
 * Which columns the forecast may make use of. Those chosen before are ticked; else those that a quick test finds helpful.
 * @throws Cancelled, ServiceError
 */
export async function chooseCovariates(app: App, question: ColumnsQuestion, place: Place): Promise<readonly string[]> {
  const { series, calendar, model, before } = question;
  const [first, ...others] = series;
  const own = columnsOf(series).map(({ name }) => name);
  const full = await calendar.beside(lastPoints(first), stepsKnown(first, own) ?? usualSteps(first));
  const columns = columnsOf([full, ...others]);
  const tested = await test(app, [full, ...sampleOf(others)], columns, model);
  const items = columns.map((column) => itemOf(column, full, tested?.get(column.name)));
  const isMeant = ({ column }: ColumnItem): boolean =>
    before ? before.includes(column.name) : tested ? isHelpful(tested.get(column.name)) : column.ahead > 0;
  const placeholder =
    series.length > 1
      ? vscode.l10n.t('Which columns are the forecasts to make use of? They are not forecast themselves.')
      : vscode.l10n.t('Which columns is the forecast to make use of?');
  const chosen = await pickAny({ place, placeholder, items, picked: items.filter(isMeant) });
  return chosen.map(({ column }) => column.name);
}

/** Of very many series so many more are tested. */
const MOST_TESTED = 4;

/** Some series from all over a list. */
const sampleOf = (series: readonly ReadSeries[]): readonly ReadSeries[] =>
  series.length <= MOST_TESTED
    ? series
    : Array.from({ length: MOST_TESTED }, (_, i) => series[Math.floor(((i + 1) * (series.length - 1)) / MOST_TESTED)]);

/** Of how many series that were tested a column helped. */
interface Help {
  readonly helped: number;
  readonly tested: number;
}

const isHelpful = (help: Help | undefined): boolean =>
  help !== undefined && 2 * help.helped >= help.tested && help.helped > 0;

/** Which columns help on a backtest of some series; undefined where the service does not test. */
async function test(
  app: App,
  sample: readonly ReadSeries[],
  columns: readonly KnownColumn[],
  model: string | undefined,
): Promise<ReadonlyMap<string, Help> | undefined> {
  const { client } = await app.connection.ready();
  if (!(await client.capabilities()).has('testCovariates')) return undefined;
  const names = columns.map(({ name }) => name);
  return withPatience(vscode.l10n.t('Looking for columns that help'), async (signal) => {
    const found = new Map<string, Help>();
    for (const one of sample) {
      const request = { series: toPoints(lastPoints(one), names), ...(model ? { ai_model_id: model } : {}) };
      const { covariates } = await client.do('testCovariates', { body: request, signal });
      for (const { name, helps } of covariates) {
        const { helped, tested } = found.get(name) ?? { helped: 0, tested: 0 };
        found.set(name, { helped: helped + (helps ? 1 : 0), tested: tested + 1 });
      }
    }
    return found;
  });
}

function itemOf(column: KnownColumn, series: ReadSeries, help: Help | undefined): ColumnItem {
  return {
    label: column.name,
    description: howFar(column, series),
    ...(help === undefined ? {} : { detail: wordsOf(help) }),
    column,
  };
}

const wordsOf = ({ helped, tested }: Help): string =>
  tested === 1 ? helpWords(helped > 0) : vscode.l10n.t('Helped on a backtest of {0} of {1} series', helped, tested);
