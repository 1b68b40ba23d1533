import { civilOf } from '../calendar/civil.ts';
import { defaultHorizon } from '../calendar/frequency.ts';
import { gainOf, short } from '../chart/figures.ts';
import { takesCovariates } from '../client/fit.ts';
import type { CovariateSummary } from '../contract/resources.ts';
import { hasDays, holidaySets, weekendOf, withDays, withEveryStep } from '../reading/holidays/day-columns.ts';
import type { KnownColumn, ReadSeries } from '../reading/types.ts';
import { type AgentContext, type AgentService, ToolError } from './context.ts';
import { nameOf, quoted } from './words.ts';

/** Columns that are listed at most. */
const MOST_LISTED = 20;

/**
 * The columns beside a series that a forecast may make use of.
 * @param names as the agent gives them
 * @throws ToolError where the file has no such column, or the service makes no use of any
 */
export async function covariatesOf(
  { client }: AgentService,
  { beside, name: series }: ReadSeries,
  names: readonly string[] = [],
): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const columns = beside?.columns ?? [];
  const unknown = names.find((name) => !columns.some((column) => column.name === name));
  if (unknown !== undefined) {
    const known = columns.length > 0 ? `Available: ${listOf(columns)}.` : 'This series has none.';
    throw new ToolError(`${quoted(unknown)} is not a covariate of ${nameOf(series)}. ${known}`);
  }
  if (!takesCovariates(await client.capabilities(), 'createPrediction')) {
    throw new ToolError('This service does not use covariates. Leave out "covariates", and tell the person.');
  }
  return names;
}

/** The columns that are known further ahead than the values of their series. */
export function knownAheadText(series: readonly ReadSeries[]): string[] {
  const found = new Map<string, KnownColumn>();
  for (const { beside } of series) {
    for (const column of beside?.columns ?? []) if (column.ahead > 0) found.set(column.name, column);
  }
  if (found.size === 0) return [];
  return [
    `Known in advance, for "covariates" of forecast_series: ${listOf([...found.values()])}. Ask the person before using them, unless they asked for it.`,
  ];
}

/** What covariates were worth, and what each does. */
export function covariateText(summary: CovariateSummary | undefined): string {
  if (!summary || summary.offered.length === 0) return '';
  const { used, offered } = summary;
  if (used.length === 0) {
    return `${offered.map(nameOf).join(', ')}: did not help in a backtest, so the forecast does not use them.`;
  }
  const gain = gainOf(summary);
  const worth = gain > 0 ? ` In a backtest the error was ${gain}% smaller with them.` : '';
  const effects = used.map(({ name, effect, low, high }) =>
    `${nameOf(name)} at ${short(high)} instead of ${short(low)}: ${effect > 0 ? '+' : ''}${short(effect)}`.trim(),
  );
  return `Uses ${used.map(({ name }) => nameOf(name)).join(', ')}.${worth} Effects, all else being equal: ${effects.join('; ')}.`;
}

const listOf = (columns: readonly KnownColumn[]): string => {
  const shown = columns.slice(0, MOST_LISTED).map(({ name, ahead }) => {
    return `${quoted(name)} (${ahead > 0 ? `${ahead} steps ahead` : 'past only'})`;
  });
  const more = columns.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
};

/** A series with columns for the holidays of a country. */
export interface WithHolidays {
  readonly series: ReadSeries;
  readonly names: readonly string[];
  /** Steps ahead that they are known for. */
  readonly steps?: number | undefined;
}

/**
 * A series with the holidays of a place, as far ahead as its forecast goes.
 * @param wanted the place, such as `DE-BY`, and the steps
 * @throws ToolError if there is no calendar for it, or none that applies to the series
 */
export async function withHolidays(
  { holidays }: AgentContext,
  { client }: AgentService,
  series: ReadSeries,
  { holidays: place, horizon }: { readonly holidays?: string | undefined; readonly horizon: number | undefined },
): Promise<WithHolidays> {
  if (place === undefined) return { series, names: [] };
  if (!holidays || !takesCovariates(await client.capabilities(), 'createPrediction')) {
    throw new ToolError('This service does not use covariates. Leave out "holidays", and tell the person.');
  }
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
  const found = (full.beside?.columns ?? []).filter(({ isCalendar }) => isCalendar).map(({ name }) => name);
  return found.length > 0 ? { series: full, names: found, steps } : { series, names: [] };
}
