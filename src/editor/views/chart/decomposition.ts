import * as vscode from 'vscode';
import { approximateStep, type Frequency, isBelowDay } from '../../../calendar/frequency.ts';
import { seasonOf } from '../../../calendar/season.ts';
import { stepNoun } from '../../../calendar/words.ts';
import { parseTimestamp } from '../../../calendar/timestamp.ts';
import type { Component, Decomposition } from '../../../contract/local.ts';
import { namesOf } from '../../../chart/figures.ts';
import type { ComponentView, DecompositionView } from './protocol.ts';
import { inSignificant, inPercent } from '../../../calendar/digits.ts';

const DAY = 86_400_000;
/** A trend that moves less over the whole forecast than this share of its level, stays. */
const LEAST_MOVE = 0.01;
/** What a covariate does to the other side is not worth a word below this share. */
const LEAST_SIDE = 0.15;

/** What a series and its forecast add up from, in words and as lines. */
export function decompositionView(
  { timestamps, forecast_from: from, components: parts }: Decomposition,
  frequency: Frequency | undefined,
): DecompositionView {
  const times = Float64Array.from(timestamps, parseTimestamp);
  const trend = parts.find(({ kind }) => kind === 'trend');
  const seasons = parts.filter(({ kind }) => kind === 'seasonal');
  const shift = parts.find(({ kind }) => kind === 'shift');
  const sentences = [
    ...(trend ? trendWords(trend, from, frequency) : []),
    ...seasons.flatMap((season) => seasonWords(season, trend, shift, times, frequency)),
    ...parts.flatMap((part) => (part.kind === 'covariate' ? covariateWords(part) : [])),
    ...(shift ? [vscode.l10n.t('its level shifted {0}', times_(shiftsOf(shift, from)))] : []),
  ];
  return { sentences, parts: parts.map((part) => partView(part, times, from, frequency)) };
}

function partView(part: Component, times: Float64Array, from: number, frequency: Frequency | undefined): ComponentView {
  const values = Float64Array.from(part.values, (value) => value ?? NaN);
  return {
    label: labelOf(part, frequency),
    history: { times: times.slice(0, from), values: values.slice(0, from) },
    forecast: { times: times.slice(from), values: values.slice(from) },
    isAroundZero: part.kind !== 'trend',
  };
}

function labelOf({ kind, period, names = [] }: Component, frequency: Frequency | undefined): string {
  switch (kind) {
    case 'trend':
      return vscode.l10n.t('Trend');
    case 'shift':
      return vscode.l10n.t('Level shifts');
    case 'remainder':
      return vscode.l10n.t('Remainder');
    case 'seasonal':
      return vscode.l10n.t('Seasonal ({0})', stepNoun(frequency, Math.round(period ?? 1)));
    case 'covariate':
      return namesOf(names);
    default:
      return kind;
  }
}

const short = (value: number): string => inSignificant(value, 2);
const times_ = (count: number): string => (count === 1 ? vscode.l10n.t('once') : vscode.l10n.t('{0} times', count));

/** “promo adds up to 61”, beside what it usually is */
function covariateWords({ names = [], values }: Component): string[] {
  const known = values.filter((value) => value !== null);
  const least = known.reduce((a, b) => Math.min(a, b), 0);
  const most = known.reduce((a, b) => Math.max(a, b), 0);
  const name = namesOf(names);
  if (most > 0 && -least < LEAST_SIDE * most) return [vscode.l10n.t('{0} adds at most {1}', name, short(most))];
  if (least < 0 && most < -LEAST_SIDE * least) return [vscode.l10n.t('{0} subtracts at most {1}', name, short(-least))];
  return [vscode.l10n.t('{0} adds at most {1} and subtracts at most {2}', name, short(most), short(-least))];
}

/** “Rises 2.1 a month” */
function trendWords({ values }: Component, from: number, frequency: Frequency | undefined): string[] {
  const last = values[from - 1];
  const end = values.at(-1);
  const steps = values.length - from;
  if (last == null || end == null || steps < 1) return [];
  const step = (end - last) / steps;
  if (Math.abs(end - last) <= LEAST_MOVE * Math.max(Math.abs(last), Math.abs(end)))
    return [vscode.l10n.t('Stays level')];
  const per = stepNoun(frequency, 1).replace(/^1 /, '');
  return [
    step > 0
      ? vscode.l10n.t('Rises by {0} per {1}', short(step), per)
      : vscode.l10n.t('Falls by {0} per {1}', short(-step), per),
  ];
}

/** “July is 23 % above, November 21 % below”: the ends of the last cycle. */
function seasonWords(
  { values, period = 1 }: Component,
  trend: Component | undefined,
  shift: Component | undefined,
  times: Float64Array,
  frequency: Frequency | undefined,
): string[] {
  const first = Math.max(0, values.length - Math.round(period));
  const cycle = values.slice(first).map((value, index) => {
    const level = (trend?.values[first + index] ?? 0) + (shift?.values[first + index] ?? 0);
    return { value: value ?? 0, level, time: times[first + index] };
  });
  if (cycle.length === 0) return [];
  const isShare = cycle.every(({ level, value }) => level > 0 && Math.abs(value) < 2 * level);
  const size = ({ value, level }: (typeof cycle)[number]) => (isShare ? value / level : value);
  const high = cycle.reduce((a, b) => (size(b) > size(a) ? b : a));
  const low = cycle.reduce((a, b) => (size(b) < size(a) ? b : a));
  const described = (one: (typeof cycle)[number]) =>
    isShare ? inPercent(String(Math.round(Math.abs(size(one)) * 100))) : short(Math.abs(size(one)));
  const [highest, lowest] = [phaseName(high.time, period, frequency), phaseName(low.time, period, frequency)];
  if (highest === undefined || lowest === undefined)
    return [
      vscode.l10n.t('its seasonal component ranges from {0} below to {1} above', described(low), described(high)),
    ];
  return [vscode.l10n.t('{0} is {1} above, {2} {3} below', highest, described(high), lowest, described(low))];
}

/** As on the axis and in the table: 18:00 in every language. */
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** What a place in a cycle is called: a month, a weekday, an hour. */
function phaseName(time: number, period: number, frequency: Frequency | undefined): string | undefined {
  if (!frequency) return undefined;
  const step = approximateStep(frequency);
  const season = seasonOf(frequency, period);
  const name = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(vscode.env.language, { ...options, timeZone: 'UTC' }).format(time);
  if (season === 'year') {
    if (step >= 80 * DAY) return vscode.l10n.t('Quarter {0}', Math.floor(new Date(time).getUTCMonth() / 3) + 1);
    return step >= 27 * DAY ? name({ month: 'long' }) : name({ month: 'long', day: 'numeric' });
  }
  if (season === 'week') {
    return isBelowDay(frequency) ? name({ weekday: 'long', ...CLOCK }) : name({ weekday: 'long' });
  }
  return season === 'day' ? name(CLOCK) : undefined;
}

/** How often the level shifted. */
const shiftsOf = ({ values }: Component, from: number): number =>
  values.slice(1, from).reduce<number>((count, value, index) => count + (value !== values[index] ? 1 : 0), 0);
