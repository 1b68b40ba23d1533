import { forecastDecimals } from '../../../calendar/digits.ts';
import * as vscode from 'vscode';
import { isoInstant } from '../../../calendar/format.ts';
import { chartView } from '../../../chart/chart-view.ts';
import { knownOf } from '../../../chart/known.ts';
import type { Forecast, Known } from '../../../chart/types.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import { rounded } from '../../../reading/writing/forecast-columns.ts';
import { plainTable } from '../../../reading/writing/plain.ts';

/** A forecast that lies over others. */
export interface Compared {
  readonly label: string;
  readonly prediction: LocalPrediction;
}

const DAY = 86_400_000;

/**
 * Forecasts beside each other as a table, a row for each step: of each what was known beforehand where it differs, the
 * forecast with its limits, and how it differs from the first one.
 */
export function comparedTable(compared: readonly Compared[]): string {
  const all = compared.map(({ label, prediction }) => {
    const { history, forecast = { times: new Float64Array(), values: new Float64Array(), bands: [] } } = chartView(
      prediction,
      { timeZone: 'UTC' },
    );
    const { values } = history;
    return {
      label,
      forecast,
      decimals: forecastDecimals(values, forecast.bands),
      known: knownOf(prediction.input_series ?? []),
    };
  });
  const times = [...new Set(all.flatMap(({ forecast }) => [...forecast.times]))].sort((a, b) => a - b);
  const isDated = times.every((time) => time % DAY === 0);
  const differing = differingColumns(all.map(({ known }) => known), times); // prettier-ignore
  const [main] = all;
  const columns = all.flatMap((one) => {
    const { label, forecast, decimals, known } = one;
    const given = differing.map((name) => ({ name: `${label} · ${name}`, cells: cellsOf(known, name, times) }));
    const difference =
      one === main ? [] : [{ name: vscode.l10n.t('{0} − {1}', label, main.label), cells: differences(forecast, main.forecast, times, decimals) }]; // prettier-ignore
    return [...given, ...forecastColumns(label, forecast, times, decimals), ...difference];
  });
  const written = times.map((time) => (isDated ? isoInstant(time).slice(0, 10) : isoInstant(time)));
  return plainTable([
    ['timestamp', ...columns.map(({ name }) => name)],
    ...written.map((time, row) => [time, ...columns.map(({ cells }) => cells[row])]),
  ]);
}

type Cell = string | number | undefined;

interface Column {
  readonly name: string;
  readonly cells: readonly Cell[];
}

const numbers = (values: Float64Array, decimals: number): Cell[] =>
  [...rounded(values, decimals)].map((value) => (Number.isFinite(value) ? value : undefined));

function forecastColumns(
  label: string,
  { times, values, bands }: Forecast,
  at: readonly number[],
  decimals: number,
): Column[] {
  // prettier-ignore
  const place = new Map([...times].map((time, step) => [time, step]));
  const aligned = (of: Float64Array) => numbers(Float64Array.from(at, (time) => of[place.get(time) ?? -1] ?? NaN), decimals); // prettier-ignore
  return [
    { name: label, cells: aligned(values) },
    ...bands
      .toSorted((a, b) => a.level - b.level)
      .flatMap(({ level, lower, upper }) => [
        { name: `${label} · lower_${level}`, cells: aligned(lower) },
        { name: `${label} · upper_${level}`, cells: aligned(upper) },
      ]),
  ];
}

function differences(forecast: Forecast, main: Forecast, at: readonly number[], decimals: number): Cell[] {
  const before = new Map([...main.times].map((time, step) => [time, main.values[step]]));
  const now = new Map([...forecast.times].map((time, step) => [time, forecast.values[step]]));
  return numbers(Float64Array.from(at, (time) => (now.get(time) ?? NaN) - (before.get(time) ?? NaN)), decimals); // prettier-ignore
}

function cellsOf(known: Known | undefined, name: string, at: readonly number[]): Cell[] {
  const column = known?.columns.find((one) => one.name === name);
  if (!known || !column) return at.map(() => undefined);
  const place = new Map([...known.times].map((time, row) => [time, row]));
  return at.map((time): Cell => {
    const value = column.values[place.get(time) ?? -1] ?? NaN;
    if (Number.isNaN(value)) return undefined;
    return column.kind === 'text' ? column.texts?.[value] : value;
  });
}

/** The columns of which not all say the same. */
function differingColumns(all: readonly (Known | undefined)[], at: readonly number[]): string[] {
  const names = new Set(all.flatMap((known) => known?.columns.map(({ name }) => name) ?? []));
  return [...names].filter((name) => new Set(all.map((known) => JSON.stringify(cellsOf(known, name, at)))).size > 1);
}
