import { fitEts, readForm } from '../methods/ets.ts';
import type { Candidate } from './candidate.ts';
import { lastOf } from './view.ts';

/** Points that are looked back, and cycles at least. */
const mostFitted = 300;
const fewestCycles = 10;
/** A longer cycle has too many seasonal states to start from. */
const longestPeriod = 24;
/** Trials of the parameters. */
const trials = 60;

const relative = readForm('MAdM');
const additive = readForm('AAdA');

export const seasonalEts: Candidate = {
  id: 'seasonal-ets',
  description: 'Exponential smoothing with damped trend and season, estimated once (Hyndman et al. 2008).',
  minPoints: 5,
  isSeasonal: true,
  fit: (view) => {
    const { period, series } = view;
    const isUsable = period > 1 && period <= longestPeriod;
    const used = (values: Float64Array): Float64Array => lastOf(values, Math.max(mostFitted, fewestCycles * period));
    const form = series.positive ? relative : additive;
    const longEnough = (values: Float64Array): boolean => isUsable && values.length >= 2 * period + 1;
    const fitted = longEnough(view.values) ? fitEts(used(view.values), period, form, { trials }) : undefined;
    return (now, horizon) => {
      if (!fitted || !longEnough(now.values)) return undefined;
      const fit = now === view ? fitted : fitEts(used(now.values), period, form, { parameters: fitted.parameters });
      return fit?.forecast(horizon);
    };
  },
};
