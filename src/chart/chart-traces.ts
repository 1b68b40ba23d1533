import * as l10n from '@vscode/l10n';
import { levelName } from './format.ts';
import { type Frame, shownBands } from './frame.ts';
import type { Pyramid } from './pyramid.ts';
import type { Hue, Trace } from './scene.ts';
import { bandPieces, joined } from './trace.ts';
import type { Points } from './types.ts';

/** A further line over a chart: another forecast, or what has come since. */
export interface OverlayLine {
  readonly label: string;
  readonly line: Points;
  /** Which of the further colors; absent for observations. */
  readonly color?: number;
}

/** What lies over a chart besides its own lines. */
export interface Decoration {
  readonly lines: readonly OverlayLine[];
  /** Observations with a ring around them. */
  readonly marks: Points;
}

export const PLAIN: Decoration = { lines: [], marks: { times: new Float64Array(), values: new Float64Array() } };

/** What is shown of a frame. */
export interface Shown {
  readonly frame: Frame;
  /** What the numbers of the history are. */
  readonly valueLabel: string;
  /** Levels of the intervals that are switched off. */
  readonly hiddenBands?: readonly number[];
  readonly decoration?: Decoration;
  /** Of a long history. */
  readonly extremes?: Pyramid | undefined;
}

/** All that a chart draws: intervals from wide to narrow, history, forecast, and what lies over them. */
export function tracesOf({ frame, valueLabel, hiddenBands = [], decoration = PLAIN, extremes }: Shown): Trace[] {
  const { forecast, history, join, divide, gap, supportedUntil } = frame;
  const end = forecast?.times.at(-1);
  return [
    ...shownBands(forecast, hiddenBands).map((band): Trace => ({
      kind: 'area',
      pieces: bandPieces(join, forecast!, band),
      label: levelName(band.level),
    })),
    ...(divide === undefined ? [] : [{ kind: 'rule', at: divide } as const]),
    { kind: 'line', line: { ...history, gap }, hue: 'history', extremes, label: valueLabel },
    ...(forecast ? [lineOf(joined(forecast, join), 'forecast', l10n.t('Forecast'))] : []),
    ...(supportedUntil === undefined || end === undefined
      ? []
      : [{ kind: 'fade', from: supportedUntil, until: end } as const]),
    ...decoration.lines.flatMap(({ line, color, label }): Trace[] =>
      color === undefined
        ? [
            { ...lineOf(line, 'history', label), width: 2 },
            { kind: 'dots', points: line, hue: 'history', radius: 3 },
          ]
        : [lineOf(line, color, label)],
    ),
    { kind: 'dots', points: decoration.marks, hue: 'anomaly', radius: 5, isRing: true },
  ];
}

const lineOf = (line: Points, hue: Hue, label: string) => ({ kind: 'line', line, hue, label }) as const;
