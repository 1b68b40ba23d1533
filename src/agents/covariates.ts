import { civilOf } from '../calendar/civil.ts';
import { defaultHorizon } from '../calendar/frequency.ts';
import type { ServiceClient } from '../client/client.ts';
import { takesCovariates } from '../client/fit.ts';
import { hasDays, holidaySets, weekendOf, withDays, withEveryStep } from '../reading/holidays/day-columns.ts';
import type { KnownColumn, ReadSeries } from '../reading/types.ts';
import { ToolError, type Work } from './tool.ts';
import { listed, nameOf, quoted } from './words.ts';

/** @throws ToolError where the service makes no use of covariates */
export async function requireCovariates(client: ServiceClient): Promise<void> {
  if (takesCovariates(await client.capabilities(), 'createPrediction')) return;
  throw new ToolError(
    'This service does not use covariates. Leave out "covariates" and "holidays", and tell the person.',
  );
}

/** @throws ToolError where the file has no column of one of these names beside a series */
export function requireColumns({ beside, name: series }: ReadSeries, names: readonly string[]): void {
  const columns = beside?.columns ?? [];
  const unknown = names.find((name) => !columns.some((column) => column.name === name));
  if (unknown === undefined) return;
  const known = columns.length > 0 ? `Available: ${listOf(columns)}.` : 'This series has none.';
  throw new ToolError(`${quoted(unknown)} is not a covariate of ${nameOf(series)}. ${known}`);
}

/** The columns that are known further ahead than the values of their series. */
export function knownAheadText(series: readonly ReadSeries[]): string[] {
  const ahead = series.flatMap(({ beside }) => beside?.columns ?? []).filter((column) => column.ahead > 0);
  const byName = new Map(ahead.map((column) => [column.name, column]));
  if (byName.size === 0) return [];
  return [
    `Known in advance, for "covariates" of forecast_series: ${listOf([...byName.values()])}. Ask the person before using them, unless they asked for it.`,
  ];
}

const listOf = (columns: readonly KnownColumn[]): string =>
  listed(columns, 20, ({ name, ahead }) => {
    return `${quoted(name)} (${ahead > 0 ? `${ahead} steps ahead` : 'past only'})`;
  }).join(', ');

/**
 * A series with the holidays of a place as columns, as far ahead as its forecast goes.
 * @param place such as `DE-BY`
 * @throws ToolError if there is no calendar for it, or none that applies to the series
 */
export async function withHolidays({ holidays }: Work, series: ReadSeries, place: string, horizon: number | undefined) {
  if (!hasDays(series)) {
    throw new ToolError(
      `${nameOf(series.name)} has no daily or shorter steps that holidays apply to: leave out "holidays".`,
    );
  }
  const { frequency, times } = series;
  const steps = horizon ?? defaultHorizon(frequency, times.length);
  const year = (time: number): number => civilOf(time).year;
  const code = place.toUpperCase();
  const last = withEveryStep(series, steps).beside?.futureTimes.at(-1) ?? times.at(-1) ?? 0;
  // a day of the zone may be one of the year before or after
  const days = await holidays(code, [year(times[0] ?? 0) - 1, year(last) + 1]);
  if (days.length === 0) {
    throw new ToolError(
      `There is no holiday calendar for ${quoted(place)}. Give a country such as DE or US, or a region such as DE-BY or US-CA.`,
    );
  }
  const names = { holiday: `holiday (${code})`, bridge: `bridge day (${code})` };
  const full = withDays(series, steps, holidaySets(days, weekendOf(code.slice(0, 2)), names));
  const made = (full.beside?.columns ?? []).filter(({ isCalendar }) => isCalendar).map(({ name }) => name);
  return { series: full, holidays: made.length > 0 ? { names: made, steps } : undefined };
}
