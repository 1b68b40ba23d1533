import { fitEts, readForm } from '../methods/ets.ts';
import type { Candidate } from './candidate.ts';
import { lastOf } from './view.ts';

export const seasonalEts: Candidate = {
  id: 'seasonal-ets',
  description: 'Exponential smoothing with damped trend and season, estimated once (Hyndman et al. 2008).',
  minPoints: 5,
  isSeasonal: true,
  fit: (view) => {
    const { period, series } = view;
    const form = readForm(series.positive ? 'MAdM' : 'AAdA');
    // A longer cycle has too many seasonal states to start from.
    const isUsable = (values: Float64Array): boolean => period > 1 && period <= 24 && values.length > 2 * period;
    const used = (values: Float64Array): Float64Array => lastOf(values, Math.max(300, 10 * period));
    const fitted = isUsable(view.values) ? fitEts(used(view.values), period, form, { trials: 60 }) : undefined;
    return (now, horizon) => {
      if (!fitted || !isUsable(now.values)) return undefined;
      const fit = now === view ? fitted : fitEts(used(now.values), period, form, { parameters: fitted.parameters });
      return fit?.forecast(horizon);
    };
  },
};
