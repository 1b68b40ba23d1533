import * as l10n from '@vscode/l10n';
import { PLAIN, type Shown } from '../../chart/trace.ts';
import { levelName } from '../../chart/format.ts';
import { indexOf, shownIntervals, valueAt } from '../../chart/frame.ts';
import { intervalStrength } from '../../chart/pen.ts';

interface ReadoutEntry {
  readonly kind: 'history' | 'forecast' | 'interval' | 'other' | 'naive';
  /** Of another line: which of the further colors. */
  readonly color?: number | undefined;
  readonly label: string;
  readonly value: string;
  /** Of an interval: how many of the shown intervals lie over each other here. */
  readonly layers?: number;
}

/** The values at a row of the frame's times: what was observed, what is forecast, and the shown intervals, narrowest first. */
export function readout({ frame, hiddenIntervals = [], decoration = PLAIN }: Shown, row: number) {
  const { times, history, forecast, value, valueLabel } = frame;
  const time = times[row]!;
  const observed = indexOf(history.times, time);
  const ahead = forecast ? indexOf(forecast.times, time) : -1;
  const entries: ReadoutEntry[] = [];
  const add = (entry: Omit<ReadoutEntry, 'value'>, number: number | undefined, isMissing = false) => {
    const write = entry.kind === 'history' ? value.observed : value.predicted;
    if (Number.isFinite(number)) entries.push({ ...entry, value: write(number!) });
    else if (isMissing) entries.push({ ...entry, value: l10n.t('missing') });
  };
  add({ kind: 'history', label: valueLabel }, history.values[observed], observed >= 0 && ahead < 0);
  add({ kind: 'forecast', label: l10n.t('Forecast') }, forecast?.values[ahead], ahead >= 0);
  for (const { label, line, color } of decoration.lines)
    add({ kind: color === undefined ? 'history' : 'other', color, label }, valueAt(line, time));
  const intervals = shownIntervals(forecast, hiddenIntervals).flatMap(({ level, lower, upper }, index) => {
    const limits = [lower[ahead], upper[ahead]].filter(Number.isFinite).map((limit) => value.predicted(limit!));
    const entry = { kind: 'interval', label: levelName(level), layers: index + 1 } as const;
    return limits.length === 2 ? [{ ...entry, value: limits.join(' – ') }] : [];
  });
  return { time: frame.time.write(time), entries: [...entries, ...intervals.reverse()] };
}

type Readout = ReturnType<typeof readout>;

export function spoken({ time, entries }: Readout): string {
  const parts = entries.map(({ kind, label, value }) => {
    if (kind !== 'interval') return `${label} ${value}`;
    const [lower, upper] = value.split(' – ') as [string, string];
    return l10n.t('{0} between {1} and {2}', label, lower, upper);
  });
  return `${time}: ${parts.join(', ')}`;
}

export const Swatch = ({ kind, layers = 1, color }: Pick<ReadoutEntry, 'kind' | 'layers' | 'color'>) => (
  <span
    class={`swatch ${kind}${color === undefined ? '' : ` other-${String(color)}`}`}
    aria-hidden="true"
    style={kind === 'interval' ? { '--strength': String(intervalStrength(layers)) } : undefined}
  />
);

export const LegendItem = ({ label, ...swatch }: Omit<ReadoutEntry, 'value'>) => (
  <span class="item">
    <Swatch {...swatch} />
    <span>{label}</span>
  </span>
);

interface DockedProps {
  readonly now: Readout;
  /** Of a moment with as many values as any: the line is never lower than these need, so that the plot keeps its place. */
  readonly fullest: Readout;
  readonly isAtCursor: boolean;
}

/** The line above the plot with the values at the cursor, else at a default moment; they are announced elsewhere. */
export const DockedReadout = ({ now, fullest, isAtCursor }: DockedProps) => (
  <div class="docked" aria-hidden="true">
    <div class={isAtCursor ? 'readout' : 'readout resting'}>{entriesOf(now)}</div>
    <div class="room">{entriesOf(fullest)}</div>
  </div>
);

const entriesOf = ({ time, entries }: Readout) => (
  <>
    <span class="time">{time}</span>
    {entries.map(({ label, value, ...swatch }, index) => (
      <span key={index} class="entry">
        <Swatch {...swatch} />
        <span class="label">{label}</span>
        <span class="value">{value}</span>
      </span>
    ))}
  </>
);
