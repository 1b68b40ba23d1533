import type { ChartView } from '../../../src/chart/chart-view.ts';

/** A chart of made-up numbers for tests, in short. */
export interface ChartInput extends Partial<Omit<ChartView, 'history' | 'forecast'>> {
  readonly history: readonly (readonly [time: number | string, value: number])[];
  readonly forecast?: readonly (readonly [time: number | string, value: number])[];
  readonly intervals?: readonly { readonly level: number; readonly lower: number[]; readonly upper: number[] }[];
}

const at = (time: number | string) => (typeof time === 'number' ? time : Date.parse(time));
const points = (list: ChartInput['history']) => ({
  times: Float64Array.from(list, ([time]) => at(time)),
  values: Float64Array.from(list, ([, value]) => value),
});

export function chartOf({ history, forecast, intervals = [], ...rest }: ChartInput): ChartView {
  return {
    title: 'sales.csv',
    summary: 'Sales · 3 points',
    figures: [],
    warnings: [],
    timeZone: 'UTC',
    valueLabel: 'Sales',
    detail: undefined,
    advice: undefined,
    remarks: undefined,
    frequency: undefined,
    rows: false,
    supportedUntil: undefined,
    known: undefined,
    ...rest,
    history: points(history),
    forecast: forecast && {
      ...points(forecast),
      intervals: intervals.map(({ level, lower, upper }) => ({
        level,
        lower: Float64Array.from(lower),
        upper: Float64Array.from(upper),
      })),
    },
  };
}

export const monthly = chartOf({
  frequency: 'P1M',
  history: [
    ['2020-10-01', 112],
    ['2020-11-01', 118],
    ['2020-12-01', 132],
  ],
  forecast: [
    ['2021-01-01', 129.04],
    ['2021-02-01', 121.5],
  ],
  intervals: [
    { level: 95, lower: [110, 90], upper: [150, 160] },
    { level: 80, lower: [120, 105], upper: [139, 140] },
    { level: 50, lower: [125, 115], upper: [133, 128] },
  ],
});
