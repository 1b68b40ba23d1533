import * as l10n from '@vscode/l10n';
import type { OverlayLine } from '../../chart/chart-traces.ts';
import { levelName } from '../../chart/format.ts';
import { type Frame, indexOf } from '../../chart/frame.ts';
import type { Known, KnownColumn, Points } from '../../chart/types.ts';

/** A column of the data table; its cells are by moments. */
export interface TableColumn {
  readonly label: string;
  /** Empty where there is no value. */
  readonly cell: (time: number) => string;
  /** Where it is what is known besides the values. */
  readonly known?: KnownColumn;
}

/**
 * The columns of the data table: the time, what was observed, what is known beforehand, the forecast, what lies over it with
 * how it differs, and each band from narrow to wide.
 */
export function tableColumns(
  { history, forecast, time, value }: Frame,
  valueLabel: string,
  lines: readonly OverlayLine[] = [],
  known?: Known,
): TableColumn[] {
  const write = (writer: (value: number) => string, number: number | undefined) =>
    number !== undefined && Number.isFinite(number) ? writer(number) : '';
  const zone = time.rows ? l10n.t('Row') : time.clock ? l10n.t('Time ({0})', time.zone.name) : l10n.t('Time');
  const of = (label: string, { times, values }: Points, writer: (value: number) => string): TableColumn => ({
    label,
    cell: (at) => write(writer, values[indexOf(times, at)]),
  });
  const beforehand = (known?.columns ?? []).map((column): TableColumn => {
    const writer = (number: number) => knownText(column, number);
    return { ...of(column.name, { times: known!.times, values: column.values }, writer), known: column };
  });
  const observed = of(valueLabel, history, value.observed);
  if (!forecast) return [{ label: zone, cell: time.write }, observed, ...beforehand];
  const { times } = forecast;
  const over = lines.flatMap(({ label, line }): TableColumn[] => [
    of(label, line, value.predicted),
    {
      label: l10n.t('Difference'),
      cell: (at) => {
        const difference = (line.values[indexOf(line.times, at)] ?? NaN) - (forecast.values[indexOf(times, at)] ?? NaN);
        const written = write(value.predicted, Math.abs(difference));
        return written === '' ? '' : `${difference > 0 ? '+' : difference < 0 ? '−' : ''}${written}`;
      },
    },
  ]);
  return [
    { label: zone, cell: time.write },
    observed,
    ...beforehand,
    of(l10n.t('Forecast'), forecast, value.predicted),
    ...over,
    ...forecast.bands
      .toReversed()
      .flatMap(({ level, lower, upper }) => [
        of(l10n.t('{0} from', levelName(level)), { times, values: lower }, value.predicted),
        of(l10n.t('to'), { times, values: upper }, value.predicted),
      ]),
  ];
}

/** What is known, as it is read: a word of a text, a number else. */
export const knownText = ({ kind, texts }: KnownColumn, value: number): string =>
  kind === 'text' ? (texts?.[value] ?? '') : String(value);
