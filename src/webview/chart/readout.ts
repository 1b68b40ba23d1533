import * as l10n from '@vscode/l10n';
import { type Decoration, PLAIN } from '../../chart/decoration.ts';
import { levelName } from '../../chart/format.ts';
import { type Frame, indexOf, shownBands } from '../../chart/frame.ts';

/** What there is to say about one moment of a chart. */
export interface Readout {
  readonly time: string;
  readonly entries: readonly ReadoutEntry[];
}

export interface ReadoutEntry {
  readonly kind: 'history' | 'forecast' | 'band' | 'other' | 'naive';
  /** Of another line: which of the further colours. */
  readonly color?: number;
  readonly label: string;
  readonly value: string;
  /** Of a band: how many of the shown bands lie over each other here. */
  readonly layers?: number;
}

/** The values at a row of the frame's times: what was observed, what is forecast, and the shown bands, narrowest first. */
export function readout(
  frame: Frame,
  row: number,
  valueLabel: string,
  hiddenBands: readonly number[],
  { lines }: Decoration = PLAIN,
): Readout {
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
  if (forecast && ahead >= 0) {
    const median = forecast.values[ahead]!;
    entries.push({
      kind: 'forecast',
      label: l10n.t('Forecast'),
      value: Number.isFinite(median) ? value.predicted(median) : l10n.t('missing'),
    });
    const bands = shownBands(forecast, hiddenBands);
    bands.forEach(({ level, lower, upper }, index) => {
      if (!Number.isFinite(lower[ahead]) || !Number.isFinite(upper[ahead])) return;
      const limits = `${value.predicted(lower[ahead]!)} – ${value.predicted(upper[ahead]!)}`;
      entries.push({ kind: 'band', label: levelName(level), value: limits, layers: index + 1 });
    });
  }
  for (const { label, line, color } of lines) {
    const number = line.values[indexOf(line.times, time)];
    if (number === undefined || !Number.isFinite(number)) continue;
    const isActual = color === undefined;
    const told = isActual ? value.observed(number) : value.predicted(number);
    entries.push(isActual ? { kind: 'history', label, value: told } : { kind: 'other', label, value: told, color });
  }
  const bands = entries.filter(({ kind }) => kind === 'band').reverse();
  return { time: frame.time.write(time), entries: [...entries.filter(({ kind }) => kind !== 'band'), ...bands] };
}

/** A readout in words for a screen reader. */
export function spoken({ time, entries }: Readout): string {
  const parts = entries.map(({ kind, label, value }) => {
    if (kind !== 'band') return `${label} ${value}`;
    const [lower, upper] = value.split(' – ') as [string, string];
    return l10n.t('{0} between {1} and {2}', label, lower, upper);
  });
  return `${time}: ${parts.join(', ')}`;
}
