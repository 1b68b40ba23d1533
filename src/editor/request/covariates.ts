import * as vscode from 'vscode';
import { civilOf } from '../../calendar/civil.ts';
import { defaultHorizon } from '../../calendar/frequency.ts';
import type { ServiceClient } from '../../client/client.ts';
import {
  type DaySet,
  hasDays,
  holidaySets,
  weekendOf,
  withDays,
  withEveryStep,
  isEventsHeader,
  readEvents,
} from '../../reading/holidays/day-columns.ts';
import { lastPoints, stepsKnown, toPoints } from '../../reading/points.ts';
import { type ReadSeries, SeriesError } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { saveSetting, setting, settingId } from '../names.ts';
import { fileNameOf } from '../files/document.ts';
import { say, withProgress, type Work } from '../ui/say.ts';
import { alone, pickAny, pickOne, type Place } from '../ui/steps.ts';
import { columnsOf, helpWords, howFar } from '../views/chart/controls.ts';

export const hasColumns = (series: readonly ReadSeries[], calendar: Calendar | undefined): boolean =>
  columnsOf(series).length > 0 || (calendar !== undefined && series.slice(0, 1).some(hasDays));

/** Which of these columns help in a backtest. @throws ServiceError */
export async function testColumns(
  client: ServiceClient,
  series: ReadSeries,
  names: readonly string[],
  { model, signal }: { readonly model?: string | undefined; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, boolean>> {
  const body = { series: toPoints(lastPoints(series), names), ...(model ? { ai_model_id: model } : {}) };
  const { covariates } = await client.do('testCovariates', { body, signal });
  return new Map(covariates.map(({ name, helps }) => [name, helps]));
}

interface ColumnsQuestion {
  readonly client: ServiceClient;
  readonly series: readonly ReadSeries[];
  readonly calendar: Calendar | undefined;
  readonly model?: string | undefined;
  readonly before?: readonly string[] | undefined;
}

const MOST_TESTED = 4;

/** Those chosen before are ticked; else those that help in a backtest. @throws Cancelled, ServiceError */
export async function chooseCovariates(question: ColumnsQuestion, place: Place): Promise<readonly string[]> {
  const { client, series, calendar, model, before } = question;
  const [first, ...others] = series;
  const own = columnsOf(series).map(({ name }) => name);
  const recent = lastPoints(first);
  const full = (await calendar?.(recent, stepsKnown(first, own) ?? defaultSteps(first))) ?? recent;
  const columns = columnsOf([full, ...others]);
  const names = columns.map(({ name }) => name);
  const count = Math.min(MOST_TESTED, others.length);
  const sample = Array.from({ length: count }, (_, index) => others[Math.floor((index * others.length) / count)]);
  const testAll = async ({ signal }: Work) => {
    const made: ReadonlyMap<string, boolean>[] = [];
    for (const one of [full, ...sample]) made.push(await testColumns(client, one, names, { model, signal }));
    return made;
  };
  const canTest = (await client.capabilities()).has('testCovariates');
  const tests = canTest ? await withProgress(vscode.l10n.t('Testing which columns help'), testAll) : undefined;
  const items = columns.map((column) => {
    const item = { label: column.name, description: howFar(column, full) };
    if (!tests) return { ...item, isHelpful: column.ahead > 0 };
    const helped = tests.filter((test) => test.get(column.name)).length;
    const isHelpful = helped > 0 && 2 * helped >= tests.length;
    const ofMany = vscode.l10n.t('Helped in a backtest of {0} of {1} series', helped, tests.length);
    return { ...item, detail: tests.length === 1 ? helpWords(helped > 0) : ofMany, isHelpful };
  });
  const placeholder =
    series.length > 1
      ? vscode.l10n.t('Which columns should the forecasts use? They are not forecast themselves.')
      : vscode.l10n.t('Which columns should the forecast use?');
  const picked = ({ label, isHelpful }: (typeof items)[number]) => before?.includes(label) ?? isHelpful;
  return (await pickAny({ place, placeholder, items, picked })).map(({ label }) => label);
}

/** A series with the holidays of the country in the settings and the person's events, for so many steps after its last value. */
type Calendar = (series: ReadSeries, steps: number) => Promise<ReadSeries>;

/** @returns undefined without a country and events @throws SeriesError if the event file in the settings cannot be read */
export async function calendarFor(app: App, uri: vscode.Uri): Promise<Calendar | undefined> {
  const country = setting('holidays.country').trim().toUpperCase();
  const events = await eventsFor(uri);
  if (country === '' && events.length === 0) return undefined;
  return async (series, steps) => {
    if (!hasDays(series)) return series;
    if (country === '') return withDays(series, steps, events);
    const { times, beside } = withEveryStep(series, steps);
    const year = (time = 0): number => civilOf(time).year;
    const years = [year(times[0]) - 1, year(beside?.futureTimes.at(-1) ?? times.at(-1)) + 1] as const;
    const holidays = holidaySets(await app.reader.holidays(country, years), weekendOf(country.slice(0, 2)), {
      holiday: vscode.l10n.t('holiday ({0})', country),
      bridge: vscode.l10n.t('bridge day ({0})', country),
    });
    return withDays(series, steps, [...holidays, ...events]);
  };
}

const defaultSteps = ({ frequency, times }: ReadSeries): number => defaultHorizon(frequency, times.length);

interface Used {
  readonly names: readonly string[];
  readonly asked: { readonly ai_model_id?: string | undefined; readonly prediction_length?: number | undefined };
  readonly client: ServiceClient;
  readonly signal: AbortSignal;
}

/** @returns `steps` if it uses calendar columns: the horizon that they reach, which the request must have @throws SeriesError, ServiceError */
export async function withCalendar(app: App, uri: vscode.Uri, series: ReadSeries, used: Used) {
  const { names, asked, client, signal } = used;
  const { ai_model_id: model, prediction_length: horizon } = asked;
  const own = series.beside?.columns ?? [];
  if (names.every((name) => own.some((column) => column.name === name))) return { full: series };
  const calendar = await calendarFor(app, uri);
  if (!calendar || !hasDays(series)) return { full: series };
  const tunedSteps = async (id: string) => {
    const [tuned] = (await client.findModels(new Set([id]), signal)).jobs;
    return tuned?.horizon ?? tuned?.config?.prediction_length;
  };
  const known = horizon ?? stepsKnown(series, names) ?? (model === undefined ? undefined : await tunedSteps(model));
  const steps = known ?? defaultSteps(series);
  const full = await calendar(series, steps);
  return full === series ? { full } : { full, steps };
}

/** The events of the file in the settings, else of `events.csv` in the folder of the series. */
async function eventsFor(uri: vscode.Uri): Promise<DaySet[]> {
  const named = setting('holidays.events').trim();
  const unreadable = (sentence: string) => new SeriesError('unreadable', sentence);
  if (named === '' && uri.scheme === 'untitled') return [];
  // reading from another machine would send the person's credentials there
  if (/^[\\/]{2}/.test(named))
    throw unreadable(
      vscode.l10n.t(
        'The event file {0} is on another machine. Set {1} to a file on this machine.',
        named,
        settingId('holidays.events'),
      ),
    );
  const beside = vscode.Uri.joinPath(uri, '..');
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri ?? beside;
  const isAbsolute = /^(?:\/|[A-Za-z]:[\\/])/.test(named);
  const own = isAbsolute ? vscode.Uri.file(named) : vscode.Uri.joinPath(folder, named);
  const file = named === '' ? vscode.Uri.joinPath(beside, 'events.csv') : own;
  if (file.toString() === uri.toString()) return [];
  const text = await textOf(file);
  if (text === undefined && named !== '')
    throw unreadable(
      vscode.l10n.t('Cannot read the event file {0}. Fix the setting {1}.', named, settingId('holidays.events')),
    );
  if (text === undefined || (named === '' && !isEventsHeader(text))) return [];
  return readEvents(text, fileNameOf(file));
}

/** Undefined if there is no such file, or it is too large for one of events. */
async function textOf(file: vscode.Uri): Promise<string | undefined> {
  try {
    const { size } = await vscode.workspace.fs.stat(file);
    if (size > 1_000_000) return undefined;
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  } catch {
    return undefined;
  }
}

export async function chooseCountry({ reader }: App): Promise<void> {
  const before = setting('holidays.country').toUpperCase();
  const countries = new Intl.DisplayNames([vscode.env.language, 'en'], { type: 'region' });
  const none = { label: vscode.l10n.t('None'), description: '' };
  const places = (await reader.places()).map(({ code, names: [name, ...parts] }) => {
    const [country] = code.split('-');
    return { label: [countries.of(country) ?? name, ...parts].join(' · '), description: code };
  });
  const { label, description: code } = await pickOne({
    place: alone(vscode.l10n.t('Holidays')),
    placeholder: vscode.l10n.t('The holidays of which country or region should be offered for forecasts?'),
    items: [none, ...places.sort((a, b) => a.label.localeCompare(b.label))],
    picked: ({ description }) => description.toUpperCase() === before,
  });
  await saveSetting('holidays.country', code === '' ? undefined : code);
  await say.info(
    code === ''
      ? vscode.l10n.t('Holidays are no longer offered for forecasts.')
      : vscode.l10n.t(
          'Forecast with Options now offers the holidays of {0} for daily, hourly, and weekly series.',
          label,
        ),
  );
}
