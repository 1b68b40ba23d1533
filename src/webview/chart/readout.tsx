import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { PLAIN, type Shown } from '../../chart/trace.ts';
import { levelName } from '../../chart/format.ts';
import { indexOf, shownIntervals, valueAt } from '../../chart/frame.ts';
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

/** The values at a row of the frame's times: what was observed, what is forecast, and the shown intervals, narrowest first. */
export function readout(shown: Shown, row: number): Readout {
  const { frame, hiddenIntervals = [], decoration = PLAIN } = shown;
  const { times, history, forecast, value, valueLabel } = frame;
  const time = times[row]!;
  const observed = indexOf(history.times, time);
  const ahead = forecast ? indexOf(forecast.times, time) : -1;
  const written = (write: (number: number) => string, number: number | undefined) =>
    Number.isFinite(number) ? write(number!) : undefined;
  const missing = l10n.t('missing');
  const past = written(value.observed, history.values[observed]) ?? (observed >= 0 && ahead < 0 ? missing : undefined);
  const next = written(value.predicted, forecast?.values[ahead]) ?? (ahead >= 0 ? missing : undefined);
  const intervals = shownIntervals(forecast, hiddenIntervals).map(
    ({ level, lower, upper }, index): ReadoutEntry | undefined => {
      const limits = [lower, upper].map((limit) => written(value.predicted, limit[ahead]));
      if (limits.includes(undefined)) return undefined;
      return { kind: 'interval', label: levelName(level), value: limits.join(' – '), layers: index + 1 };
    },
  );
  const others = decoration.lines.map(({ label, line, color }): ReadoutEntry | undefined => {
    const isObserved = color === undefined;
    const readout = written(isObserved ? value.observed : value.predicted, valueAt(line, time));
    return readout === undefined
      ? undefined
      : { label, value: readout, ...(isObserved ? { kind: 'history' } : { kind: 'other', color }) };
  });
  const entries: readonly (ReadoutEntry | undefined)[] = [
    past === undefined ? undefined : { kind: 'history', label: valueLabel, value: past },
    next === undefined ? undefined : { kind: 'forecast', label: l10n.t('Forecast'), value: next },
    ...others,
    ...intervals.reverse(),
  ];
  return { time: frame.time.write(time), entries: entries.filter((entry) => entry !== undefined) };
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
 * The line above the plot with the time and the values at the cursor. It is announced elsewhere, so it is hidden from
 * screen readers.
 * @param isAtCursor whether it shows the cursor, not the default moment
 */
export function DockedReadout({
  textAt: readout,
  isAtCursor,
}: {
  readonly textAt: Readout;
  readonly isAtCursor: boolean;
}) {
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
      <span class="time">{readout.time}</span>
      {readout.entries.map(({ kind, label, value, layers, color }, index) => (
        <span key={index} class="entry">
          <Swatch kind={kind} layers={layers} color={color} />
          <span class="label">{label}</span>
          <span class="value">{value}</span>
        </span>
      ))}
    </div>
  );
}
