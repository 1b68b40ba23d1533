import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Decoration, PLAIN } from '../../chart/trace.ts';
import { levelName } from '../../chart/format.ts';
import { type Frame, indexOf, shownIntervals } from '../../chart/frame.ts';
import { intervalStrength } from '../../chart/pen.ts';
import { useResized } from '../shared/drawing.tsx';

/** What there is to say about one moment of a chart. */
export interface Readout {
  readonly time: string;
  readonly entries: readonly ReadoutEntry[];
}

export interface ReadoutEntry {
  readonly kind: 'history' | 'forecast' | 'interval' | 'other' | 'naive';
  /** Of another line: which of the further colors. */
  readonly color?: number;
  readonly label: string;
  readonly value: string;
  /** Of an interval: how many of the shown intervals lie over each other here. */
  readonly layers?: number;
}

/** What a readout is taken from. */
export interface ReadFrom {
  readonly frame: Frame;
  readonly valueLabel: string;
  readonly hiddenIntervals: readonly number[];
  readonly decoration?: Decoration;
}

/** The values at a row of the frame's times: what was observed, what is forecast, and the shown intervals, narrowest first. */
export function readout({ frame, valueLabel, hiddenIntervals, decoration = PLAIN }: ReadFrom, row: number): Readout {
  const time = frame.times[row]!;
  const { history, forecast, value } = frame;
  const entries: ReadoutEntry[] = [];
  const observed = indexOf(history.times, time);
  const ahead = forecast ? indexOf(forecast.times, time) : -1;
  if (observed >= 0 && Number.isFinite(history.values[observed])) {
    entries.push({ kind: 'history', label: valueLabel, value: value.observed(history.values[observed]!) });
  } else if (observed >= 0 && ahead < 0) {
    entries.push({ kind: 'history', label: valueLabel, value: l10n.t('missing') });
  }
  const intervals: ReadoutEntry[] = [];
  if (forecast && ahead >= 0) {
    const median = forecast.values[ahead]!;
    const told = Number.isFinite(median) ? value.predicted(median) : l10n.t('missing');
    entries.push({ kind: 'forecast', label: l10n.t('Forecast'), value: told });
    shownIntervals(forecast, hiddenIntervals).forEach(({ level, lower, upper }, index) => {
      if (!Number.isFinite(lower[ahead]) || !Number.isFinite(upper[ahead])) return;
      const limits = `${value.predicted(lower[ahead]!)} – ${value.predicted(upper[ahead]!)}`;
      intervals.unshift({ kind: 'interval', label: levelName(level), value: limits, layers: index + 1 });
    });
  }
  for (const { label, line, color } of decoration.lines) {
    const number = line.values[indexOf(line.times, time)];
    if (number === undefined || !Number.isFinite(number)) continue;
    if (color === undefined) entries.push({ kind: 'history', label, value: value.observed(number) });
    else entries.push({ kind: 'other', label, value: value.predicted(number), color });
  }
  return { time: frame.time.write(time), entries: [...entries, ...intervals] };
}

/** A readout in words for a screen reader. */
export function spoken({ time, entries }: Readout): string {
  const parts = entries.map(({ kind, label, value }) => {
    if (kind !== 'interval') return `${label} ${value}`;
    const [lower, upper] = value.split(' – ') as [string, string];
    return l10n.t('{0} between {1} and {2}', label, lower, upper);
  });
  return `${time}: ${parts.join(', ')}`;
}

/** A line or a patch in the color of what it stands for. */
export const Swatch = ({ kind, layers = 1, color }: Pick<ReadoutEntry, 'kind' | 'layers' | 'color'>) => (
  <span
    class={`swatch ${kind}${color === undefined ? '' : ` other-${String(color)}`}`}
    aria-hidden="true"
    style={kind === 'interval' ? { '--strength': String(intervalStrength(layers)) } : undefined}
  />
);

/**
 * The line above the plot with the time and the values at the cursor; it never covers what is drawn. What it says is
 * announced elsewhere, so that it is hidden from screen readers.
 * @param isAtCursor else it stands for the moment that is told while there is no cursor
 */
export function DockedReadout({ told, isAtCursor }: { readonly told: Readout; readonly isAtCursor: boolean }) {
  const line = useRef<HTMLDivElement>(null);
  const highest = useRef(0);
  const fit = () => {
    // it stays as high as it had to be once, so that the plot does not move under the cursor
    highest.current = Math.max(highest.current, line.current!.offsetHeight);
    line.current!.style.minHeight = `${String(highest.current)}px`;
  };
  useLayoutEffect(fit);
  const width = useRef(0);
  useResized(line, () => {
    if (line.current!.clientWidth === width.current) return;
    width.current = line.current!.clientWidth;
    highest.current = 0;
    line.current!.style.minHeight = '';
    fit();
  });
  return (
    <div ref={line} class={isAtCursor ? 'readout' : 'readout resting'} aria-hidden="true">
      <span class="time">{told.time}</span>
      {told.entries.map(({ kind, label, value, layers, color }, index) => (
        <span key={index} class="entry">
          <Swatch kind={kind} layers={layers} color={color} />
          <span class="label">{label}</span>
          <span class="value">{value}</span>
        </span>
      ))}
    </div>
  );
}
