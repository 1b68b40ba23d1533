import * as l10n from '@vscode/l10n';
import { axisLabels } from './format.ts';
import type { Frame, Range } from './frame.ts';
import { type TimeTick, rowTicks, timeTicks, valueTicks } from './ticks.ts';
import type { Projection } from './trace.ts';

/** A rectangle of a picture. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The labels of both axes. */
export interface Axes {
  readonly times: readonly TimeTick[];
  readonly values: readonly { readonly value: number; readonly label: string }[];
}

/** Pixels from one time label to the next, at least; a clock's second line is wide. */
const TIME_SPACING = { date: 64, clock: 92 };
const VALUE_SPACING = 44;

/** Chooses the labels of both axes for a plot of this size in CSS pixels. */
export function axesOf({ time }: Frame, x: Range, y: Range, width: number, height: number): Axes {
  const spacing = time.clock ? TIME_SPACING.clock : TIME_SPACING.date;
  const values = valueTicks(y.min, y.max, Math.max(2, Math.floor(height / VALUE_SPACING)));
  const labels = axisLabels(values);
  return {
    times: time.rows
      ? rowTicks(x.min, x.max, Math.floor(width / spacing))
      : timeTicks(x.min, x.max, Math.floor(width / spacing), time.finest, time.zone, time.quarters),
    values: values.map((value, index) => ({ value, label: labels[index]! })),
  };
}

/** Values beyond this are drawn there, so that differences of two of them stay finite. */
const FURTHEST = Number.MAX_VALUE / 2.1;

/** From data to a box of a picture. */
export function projection(x: Range, y: Range, { left, top, width, height }: Box): Projection {
  return {
    x: (time) => left + ((time - x.min) / (x.max - x.min)) * width,
    y: (value) => top + ((y.max - Math.max(-FURTHEST, Math.min(FURTHEST, value))) / (y.max - y.min)) * height,
    columns: Math.ceil(width),
  };
}

/** What is written where the forecast begins to fade. */
export const beyondHistory = (): string => l10n.t('beyond what the history supports');
