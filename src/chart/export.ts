import type { ChartModel } from './protocol.ts';
import type { LocalPrediction } from '../contract/local.ts';
import { formatTimestamp } from '../contract/timestamp.ts';

/** A text that a spreadsheet would run as a formula gets an apostrophe in front. Numbers are never touched. */
const defuse = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

function cell(text: string, delimiter: string): string {
  const safe = defuse(text);
  return safe.includes(delimiter) || /["\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const numeric = (value: number): string => (Number.isFinite(value) ? String(value) : '');

/** The forecast as rows: timestamp, forecast, and both limits of each band. */
export function toDelimited({ forecast, valueLabel }: ChartModel, delimiter: ',' | '\t'): string {
  const { times = [], values = [], bands = [] } = forecast ?? {};
  const sorted = bands.toSorted((a, b) => a.level - b.level);
  const header = ['timestamp', valueLabel, ...sorted.flatMap(({ level }) => [`lower ${level}%`, `upper ${level}%`])];
  const lines = [header.map((text) => cell(text, delimiter)).join(delimiter)];
  for (let step = 0; step < times.length; step++) {
    const limits = sorted.flatMap(({ lower, upper }) => [numeric(lower[step]), numeric(upper[step])]);
    lines.push([formatTimestamp(times[step]), numeric(values[step]), ...limits].join(delimiter));
  }
  return `${lines.join('\n')}\n`;
}

/** The forecast in the interface's own form, an array of series points. */
export function toJson({ prediction_series }: LocalPrediction): string {
  return `${JSON.stringify(prediction_series ?? [], undefined, 2)}\n`;
}
