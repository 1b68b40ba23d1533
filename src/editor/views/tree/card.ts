import type { LocalPrediction } from '../../../contract/local.ts';
import { chartView } from '../../../chart/chart-view.ts';
import type { Points } from '../../../chart/types.ts';
import { describeEntry } from './describe.ts';
import type { Entry } from './node.ts';

/** What a hover tells of an entry: lines of text, a drawing, and what can be done. Ids are behind Copy ID. */
export interface Card {
  readonly title: string;
  readonly lines: readonly string[];
  /** An SVG document. */
  readonly drawing?: string;
}

/**
 * The card of an entry.
 * @param prediction with its series, where it is one that has been read
 */
export function cardOf(entry: Entry, now: number, prediction?: LocalPrediction): Card {
  const { name, lines, description } = describeEntry(entry, now);
  const facts = lines.flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []));
  if (!prediction) return { title: name, lines: [description, ...facts].filter((line) => line !== '') };
  const { figures, forecast, history } = chartView(prediction, { timeZone: 'UTC' });
  return {
    title: name,
    lines: [description, ...figures.map(({ text }) => text), ...facts].filter((line) => line !== ''),
    ...(forecast && { drawing: sparkline(history, forecast) }),
  };
}

const WIDTH = 240;
const HEIGHT = 48;
/** Of the history so many times the horizon is drawn. */
const PAST = 4;
/** Seen on light and dark alike. */
const COLORS = { history: '#8a8a8a', forecast: '#3794ff' };

/** The last part of a history and the forecast after it as a small SVG document; gaps are drawn over. */
export function sparkline(history: Points, forecast: Points): string {
  const past = [...history.values.subarray(-Math.max(24, PAST * forecast.values.length))].filter(Number.isFinite);
  const ahead = [...forecast.values].filter(Number.isFinite);
  const all = [...past, ...ahead];
  const low = Math.min(...all);
  const span = Math.max(...all) - low || 1;
  const last = Math.max(1, all.length - 1);
  const path = (values: readonly number[], from: number) =>
    values
      .map((value, index) => {
        const x = 2 + ((from + index) / last) * (WIDTH - 4);
        return `${x.toFixed(1)},${(HEIGHT - 3 - ((value - low) / span) * (HEIGHT - 6)).toFixed(1)}`;
      })
      .join(' ');
  const line = (points: string, color: string) =>
    `<polyline points="${points}" fill="none" stroke="${color}" stroke-width="1.5" stroke-linejoin="round"/>`;
  const joined = past.length > 0 ? [past[past.length - 1], ...ahead] : ahead;
  const lines = [
    line(path(past, 0), COLORS.history),
    line(path(joined, Math.max(0, past.length - 1)), COLORS.forecast),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${String(WIDTH)}" height="${String(HEIGHT)}">${lines.join('')}</svg>`;
}
