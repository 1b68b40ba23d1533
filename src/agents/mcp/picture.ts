import { forecastDecimals } from '../../calendar/digits.ts';
import { frameOf } from '../../chart/frame.ts';
import { chartView } from '../../chart/chart-view.ts';
import type { svgOf } from '../../chart/picture.ts';
import type { LocalPrediction } from '../../contract/resources.ts';
import { writtenForecast } from '../../reading/writing/forecast-columns.ts';
import { PLAIN_FORMAT } from '../../reading/writing/plain.ts';
import { writeSeries } from '../../reading/writing/write.ts';

/** What pictures show of a prediction: what the chart of the editor shows first. `undefined` without any point. */
export function pictureOf(prediction: LocalPrediction): Parameters<typeof svgOf> | undefined {
  const chart = chartOf(prediction);
  const frame = frameOf(chart);
  return frame.times.length === 0 ? undefined : [chart, { frame, range: frame.bounds.initial }];
}

/** All steps of a prediction as CSV: time, median and the limits of its intervals. `undefined` where it has none. */
export function rowsOf(prediction: LocalPrediction): string | undefined {
  const { forecast, history, valueLabel } = chartOf(prediction);
  if (!forecast) return undefined;
  const { times, ...written } = forecast;
  const series = {
    id: valueLabel,
    valueColumn: valueLabel,
    timeColumn: 'timestamp',
    timeKind: 'instant',
    times,
    ...writtenForecast(written, forecastDecimals(history.values, written.intervals)),
    forecast: { names: 'limits' },
  } as const;
  return writeSeries([series], PLAIN_FORMAT);
}

const chartOf = (prediction: LocalPrediction) => chartView(prediction, { label: prediction.name, timeZone: 'file' });
