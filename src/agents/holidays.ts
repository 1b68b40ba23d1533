import { defaultHorizon } from '../calendar/frequency.ts';
import { civilOf } from '../calendar/civil.ts';
import { takesCovariates } from '../client/fit.ts';
import { hasDays, withDays, withEveryStep } from '../reading/holidays/day-columns.ts';
import { holidaySets, weekendOf } from '../reading/holidays/holiday-sets.ts';
import type { ReadSeries } from '../reading/types.ts';
import { type AgentContext, type AgentService, ToolError } from './context.ts';
import { nameOf, quoted } from './words.ts';

/** A series with columns for the holidays of a country. */
export interface WithHolidays {
  readonly series: ReadSeries;
  readonly names: readonly string[];
  /** Steps ahead that they are known for. */
  readonly steps?: number | undefined;
}

/**
 * The holidays of a place beside a series, as far ahead as its forecast goes.
 * @param place as the agent gives it, such as `DE-BY`
 * @throws ToolError where there is no calendar for it, or none that tells anything of the series
 */
export async function withHolidays(
  { holidays }: AgentContext,
  { client }: AgentService,
  series: ReadSeries,
  place: string | undefined,
  horizon: number | undefined,
): Promise<WithHolidays> {
  if (place === undefined) return { series, names: [] };
  if (!holidays || !takesCovariates(await client.capabilities(), 'createPrediction')) {
    throw new ToolError('This service forecasts from the values alone: leave "holidays" out, and tell the person.');
  }
  if (!hasDays(series)) {
    throw new ToolError(`${nameOf(series.name)} has no days that holidays could be on: leave "holidays" out.`);
  }
  const { frequency, times } = series;
  const steps = horizon ?? defaultHorizon(frequency, times.length);
  const year = (time: number): number => civilOf(time).year;
  const code = place.toUpperCase();
  const last = withEveryStep(series, steps).beside?.futureTimes.at(-1) ?? times.at(-1) ?? 0;
  // a day of the zone may be one of the year before or after
  const days = await holidays(code, [year(times[0] ?? 0) - 1, year(last) + 1]);
  if (days.length === 0) {
    throw new ToolError(`There is no calendar of holidays for ${quoted(place)}: give a country such as DE or US, or a part of one such as DE-BY or US-CA.`); // prettier-ignore
  }
  const names = { holiday: `holiday (${code})`, bridge: `bridge day (${code})` };
  const full = withDays(series, steps, holidaySets(days, weekendOf(code.slice(0, 2)), names));
  const found = (full.beside?.columns ?? []).filter(({ isCalendar }) => isCalendar).map(({ name }) => name);
  return found.length > 0 ? { series: full, names: found, steps } : { series, names: [] };
}
