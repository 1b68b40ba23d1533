import { boundsOf } from '../../chart/bounds.ts';
import { chartView } from '../../chart/chart-view.ts';
import { frameOf } from '../../chart/frame.ts';
import { svgOf } from '../../chart/picture.ts';
import type { LocalPrediction } from '../../contract/local.ts';
import { decimalsOf, rounded } from '../../reading/writing/forecast-columns.ts';
import { writeSeries } from '../../reading/writing/write.ts';

/** The chart of a prediction as an SVG document: what the chart of the editor shows first. `undefined` without any point. */
export function pictureOf(prediction: LocalPrediction): string | undefined {
  const chart = chartView(prediction, { label: prediction.name, timeZone: 'file' });
  const frame = frameOf(chart);
  return frame.times.length === 0 ? undefined : svgOf(chart, frame, boundsOf(frame).initial, []);
}

/** All steps of a prediction as CSV: time, median and the limits of its intervals. `undefined` where it has none. */
export function rowsOf(prediction: LocalPrediction): string | undefined {
  const { forecast, history, valueLabel } = chartView(prediction, { label: prediction.name, timeZone: 'file' });
  if (!forecast) return undefined;
  const decimals = decimalsOf(history.values);
  const limits = forecast.bands.flatMap(({ level, lower, upper }) => {
    const tail = (1 - level / 100) / 2;
    return [
      [name(tail), rounded(lower, decimals)],
      [name(1 - tail), rounded(upper, decimals)],
    ] as const;
  });
  const series = {
    id: valueLabel,
    valueColumn: valueLabel,
    timeColumn: 'timestamp',
    timeKind: 'instant',
    times: forecast.times,
    values: rounded(forecast.values, decimals),
    quantiles: Object.fromEntries(limits),
    forecast: { names: 'limits' },
  } as const;
  return writeSeries([series], {
    kind: 'csv',
    encoding: 'utf-8',
    delimiter: ',',
    decimal: '.',
    dateFormat: 'YYYY-MM-DD[T]HH:mm:ss[Z]',
    header: true,
    skippedLines: 0,
  });
}

const name = (level: number): string => String(Number(level.toPrecision(6)));
