import * as vscode from 'vscode';
import { defaultHorizon } from '../../calendar/frequency.ts';
import { civilOf } from '../../calendar/civil.ts';
import { type DaySet, hasDays, withDays, withEveryStep } from '../../reading/holidays/day-columns.ts';
import { isEventsHeader, readEvents } from '../../reading/holidays/events.ts';
import { holidaySets, weekendOf } from '../../reading/holidays/holiday-sets.ts';
import { SeriesError, type ReadSeries } from '../../reading/types.ts';
import { stepsKnown } from '../../reading/points.ts';
import type { App } from '../app.ts';
import { setting } from '../connection/settings.ts';
import type { RequestOptions } from './request.ts';
import { lastPoints } from '../../reading/last-points.ts';
import type { PredictionRef } from '../views/chart/protocol.ts';
import { fileNameOf } from '../files/document.ts';

/** A file of events is no larger. */
const MOST_BYTES = 1_000_000;
const EVENTS = 'events.csv';

/** What the calendar says of series: holidays of the country that the settings name, and a person's own events. */
export interface SeriesCalendar {
  /** Whether it may tell anything of a series. */
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

/** The steps of a forecast where nobody said how many, and no column is known for some. */
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

/** How far ahead a fine-tuned model forecasts. */
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
      'The file of events {0} is on another machine. Name one of this machine in the setting {1}.',
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
      vscode.l10n.t('The file of events {0} cannot be read. Mend the setting {1}.', named, 'forecasts.holidays.events'),
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
