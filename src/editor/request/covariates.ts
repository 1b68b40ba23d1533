import * as vscode from 'vscode';
import { civilOf } from '../../calendar/civil.ts';
import { defaultHorizon } from '../../calendar/frequency.ts';
import { takesCovariates } from '../../client/fit.ts';
import {
  type DaySet,
  hasDays,
  holidaySets,
  weekendOf,
  withDays,
  withEveryStep,
} from '../../reading/holidays/day-columns.ts';
import { isEventsHeader, readEvents } from '../../reading/holidays/events.ts';
import { lastPoints } from '../../reading/last-points.ts';
import { stepsKnown, toPoints } from '../../reading/points.ts';
import { type KnownColumn, type ReadSeries, SeriesError } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { setting } from '../connection/settings.ts';
import { fileNameOf } from '../files/document.ts';
import { withPatience } from '../ui/progress.ts';
import { pickAny, type Place } from '../ui/steps.ts';
import { columnsOf, helpWords, howFar } from '../views/chart/controls.ts';
import type { PredictionRef } from '../views/chart/protocol.ts';
import type { RequestOptions } from './request.ts';

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
      ? vscode.l10n.t('Which columns should the forecasts use? They are not forecast themselves.')
      : vscode.l10n.t('Which columns should the forecast use?');
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
  return withPatience(vscode.l10n.t('Testing which columns help'), async (signal) => {
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
  tested === 1 ? helpWords(helped > 0) : vscode.l10n.t('Helped in a backtest of {0} of {1} series', helped, tested);

/** A file of events is no larger. */
const MOST_BYTES = 1_000_000;
const EVENTS = 'events.csv';

/** What the calendar says of series: holidays of the country that the settings name, and a person's own events. */
export interface SeriesCalendar {
  /** Whether it could explain anything in a series. */
  readonly tells: (series: ReadSeries) => boolean;
  /** The columns of a series, known over so many steps after its last value, beside those that it has. */
  readonly beside: (series: ReadSeries, steps: number) => Promise<ReadSeries>;
}

/**
 * The calendar for the series of a file.
 * @throws SeriesError where the file of events that the settings name cannot be read
 */
export async function calendarFor(app: App, uri: vscode.Uri): Promise<SeriesCalendar> {
  const country = setting('holidayCountry').trim().toUpperCase();
  const events = await eventsFor(uri);
  const isEmpty = country === '' && events.length === 0;
  const tells = (series: ReadSeries): boolean => !isEmpty && hasDays(series);
  return {
    tells,
    beside: async (series, steps) => {
      if (!tells(series)) return series;
      const holidays = country === '' ? [] : await holidaysFor(app, series, steps, country);
      return withDays(series, steps, [...holidays, ...events]);
    },
  };
}

/** The series of a prediction with the columns of the calendar, known over so many steps after its last value. */
export async function withCalendarOf(
  app: App,
  { serviceId, predictionId }: PredictionRef,
  series: ReadSeries,
  steps: number,
): Promise<ReadSeries> {
  const uri = app.memory.recall(serviceId, predictionId)?.source?.uri;
  if (uri === undefined) return series;
  return (await calendarFor(app, vscode.Uri.parse(uri))).beside(lastPoints(series), steps);
}

/** Default number of steps if no column is known ahead. */
export const usualSteps = ({ frequency, times }: ReadSeries): number => defaultHorizon(frequency, times.length);

/**
 * A series with the columns of the calendar that a forecast makes use of, as far ahead as it goes.
 * @param names of all columns that it makes use of
 * @returns `steps` where the calendar says anything, as the service may be asked for no others then
 * @throws SeriesError, ServiceError
 */
export async function withCalendar(
  app: App,
  uri: vscode.Uri,
  series: ReadSeries,
  {
    names,
    asked,
    signal,
  }: { readonly names: readonly string[]; readonly asked: RequestOptions; readonly signal: AbortSignal },
): Promise<{ readonly full: ReadSeries; readonly steps?: number }> {
  const { ai_model_id: model, prediction_length: horizon } = asked;
  const own = series.beside?.columns ?? [];
  if (names.every((name) => own.some((column) => column.name === name))) return { full: series };
  const calendar = await calendarFor(app, uri);
  if (!calendar.tells(series)) return { full: series };
  const steps = horizon ?? stepsKnown(series, names) ?? (await tunedSteps(app, model, signal)) ?? usualSteps(series);
  const full = await calendar.beside(series, steps);
  return full === series ? { full } : { full, steps };
}

async function tunedSteps(app: App, model: string | undefined, signal: AbortSignal): Promise<number | undefined> {
  if (model === undefined) return undefined;
  const { client } = await app.connection.ready();
  const { jobs } = await client.findModels(new Set([model]), signal);
  return jobs[0]?.horizon ?? jobs[0]?.config?.prediction_length;
}

async function holidaysFor({ reader }: App, series: ReadSeries, steps: number, country: string): Promise<DaySet[]> {
  const { times, beside } = withEveryStep(series, steps);
  const year = (time: number): number => civilOf(time).year;
  const last = beside?.futureTimes.at(-1) ?? times.at(-1) ?? 0;
  // a day of the zone may be one of the year before or after
  const days = await reader.holidays(country, [year(times[0] ?? 0) - 1, year(last) + 1]);
  return holidaySets(days, weekendOf(country.slice(0, 2)), {
    holiday: vscode.l10n.t('holiday ({0})', country),
    bridge: vscode.l10n.t('bridge day ({0})', country),
  });
}

/** The events of the file that the settings name, else of the file of events beside the series' own. */
async function eventsFor(uri: vscode.Uri): Promise<DaySet[]> {
  const named = setting('eventsFile').trim();
  if (named === '' && uri.scheme === 'untitled') return [];
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri ?? vscode.Uri.joinPath(uri, '..');
  // reading from another machine would send the person's credentials there
  if (/^[\\/]{2}/.test(named)) {
    const text = vscode.l10n.t(
      'The event file {0} is on another machine. Set {1} to a file on this machine.',
      named,
      'forecasts.holidays.events',
    );
    throw new SeriesError('unreadable', text);
  }
  const isAbsolute = /^(?:\/|[A-Za-z]:[\\/])/.test(named);
  const file =
    named === ''
      ? vscode.Uri.joinPath(uri, '..', EVENTS)
      : isAbsolute
        ? vscode.Uri.file(named)
        : vscode.Uri.joinPath(folder, named);
  if (file.toString() === uri.toString()) return [];
  const text = await textOf(file);
  if (text === undefined) {
    if (named === '') return [];
    throw new SeriesError(
      'unreadable',
      vscode.l10n.t('Cannot read the event file {0}. Fix the setting {1}.', named, 'forecasts.holidays.events'),
    );
  }
  return named === '' && !isEventsHeader(text) ? [] : readEvents(text, fileNameOf(file));
}

/** Undefined where there is no such file, or it is no small one. */
async function textOf(file: vscode.Uri): Promise<string | undefined> {
  try {
    const { size } = await vscode.workspace.fs.stat(file);
    if (size > MOST_BYTES) return undefined;
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
