import * as vscode from 'vscode';
import { formatInstant } from '../../../calendar/format.ts';
import { zoneOf } from '../../../calendar/zone.ts';
import { knownOf } from '../../../chart/known.ts';
import type { Known } from '../../../chart/types.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import type { KnownColumn, ReadSeries } from '../../../reading/types.ts';
import type { ChartControls, Supposed } from './protocol.ts';

/**
 * The columns that a forecast of these series may make use of: of those of the file some must be known further ahead than
 * the values.
 */
export function columnsOf(series: readonly ReadSeries[]): readonly KnownColumn[] {
  const columns = series[0]?.beside?.columns ?? [];
  const taken = new Set(series.map(({ valueColumn }) => valueColumn));
  const isAhead = columns.some(({ ahead, isCalendar }) => ahead > 0 && !isCalendar);
  return columns.filter(({ name, isCalendar }) => isCalendar || (isAhead && !taken.has(name)));
}

/** How far a column is known, in words. */
export function howFar({ ahead, isCalendar }: KnownColumn, series: ReadSeries): string {
  if (isCalendar) return vscode.l10n.t('known for as long as you like');
  const until = series.beside?.futureTimes[ahead - 1];
  if (until === undefined) return vscode.l10n.t('known of the past only');
  if (series.timeKind === 'row') return vscode.l10n.t('known for {0} rows more', ahead);
  const zone = zoneOf(series.timeZone ?? 'UTC');
  return vscode.l10n.t('known until {0}', formatInstant(until, series.frequency, zone));
}

/** What a test of a column found, in words. */
export const helpWords = (helps: boolean): string =>
  helps ? vscode.l10n.t('Helped on a backtest') : vscode.l10n.t('Did not help on a backtest');

/** The names of the columns that a forecast was given. */
export function offeredTo({ details, input_series: points }: LocalPrediction): readonly string[] {
  return details?.covariates?.offered ?? knownOf(points ?? [])?.columns.map(({ name }) => name) ?? [];
}

/**
 * What a forecast may make use of: the columns of its file, and those that it was given.
 * @param series as its file has it now, where it comes from one
 * @param tests which columns were found to help
 * @returns undefined where nothing is known beforehand
 */
export function columnsView(
  prediction: LocalPrediction,
  series: ReadSeries | undefined,
  tests: ReadonlyMap<string, boolean> | undefined,
  canTest: boolean,
): ChartControls['columns'] {
  const offered = offeredTo(prediction);
  const inFile = series ? columnsOf([series]) : [];
  const others = offered.filter((name) => inFile.every((column) => column.name !== name));
  if (inFile.length + others.length === 0) return undefined;
  const choice = (name: string, far: string | undefined) => {
    const isUsed = offered.includes(name);
    const helps = tests?.get(name);
    const found = isUsed ? worthOf(prediction, name) : helps === undefined ? undefined : helpWords(helps);
    return { name, isUsed, about: [far, found].filter(Boolean).join(' · ') };
  };
  const worth = together(prediction);
  return {
    choices: [
      ...(series ? inFile.map((column) => choice(column.name, howFar(column, series))) : []),
      ...others.map((name) => choice(name, undefined)),
    ],
    ...(worth === undefined ? {} : { worth }),
    canTest: canTest && tests === undefined && inFile.some(({ name }) => !offered.includes(name)),
  };
}

const short = (value: number): string => String(Number(value.toPrecision(3)));
const signed = (value: number): string => (value > 0 ? `+${short(value)}` : short(value).replace('-', '−'));

/** What a column that was given does to the series: “+61 from 0 to 1”; of a text for each word. */
function worthOf({ details }: LocalPrediction, name: string): string | undefined {
  const { used } = details?.covariates ?? {};
  if (!used) return undefined;
  const own = used.filter((each) => each.name === name || each.name.startsWith(`${name} = `));
  if (own.length === 0) return helpWords(false);
  const effects = own.map((each) =>
    each.name === name
      ? vscode.l10n.t('{0} from {1} to {2}', signed(each.effect), short(each.low), short(each.high))
      : vscode.l10n.t('{0} at “{1}”', signed(each.effect), each.name.slice(name.length + 3)),
  );
  return effects.join(', ');
}

function together({ details }: LocalPrediction): string | undefined {
  const { used = [], offered = [], backtest } = details?.covariates ?? {};
  if (offered.length === 0) return undefined;
  if (used.length === 0) return vscode.l10n.t('On a backtest none of these helped: the forecast is the one without.');
  if (!backtest || !(backtest.mae_without > 0)) return undefined;
  const gain = Math.round(100 * (1 - backtest.mae / backtest.mae_without));
  return vscode.l10n.t(
    'On a backtest the error was {0} % smaller than without: {1} instead of {2}.',
    gain,
    short(backtest.mae),
    short(backtest.mae_without),
  );
}

/** What a file says of the future of these columns now, where that is not what the forecast was given. */
export function changedAhead(prediction: LocalPrediction, series: ReadSeries): Supposed[] {
  const given = knownOf(prediction.input_series ?? []);
  const { beside } = series;
  if (!given || !beside) return [];
  const steps = new Map([...beside.futureTimes].map((time, index) => [time, series.times.length + index]));
  return given.columns.flatMap((column): Supposed[] => {
    const now = beside.columns.find(({ name }) => name === column.name);
    if (!now) return [];
    return [...given.times].flatMap((time, index): Supposed[] => {
      const at = steps.get(time);
      if (at === undefined) return [];
      const [before, value] = [textOf(column, column.values[index]), textOf(now, now.values[at])];
      return before === value ? [] : [{ column: column.name, time, value }];
    });
  });
}

function textOf({ kind, texts }: Known['columns'][number], value: number): string | number | null {
  if (Number.isNaN(value)) return null;
  return kind === 'text' ? (texts?.[value] ?? null) : value;
}
