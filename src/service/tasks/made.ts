import type { Bounds } from '../../engine/bounds/bounds.ts';
import { forecastWithin } from '../../engine/bounds/within.ts';
import { type CovariateReport, forecastWithCovariates } from '../../engine/covariates/forecast.ts';
import type { Covariate } from '../../engine/covariates/types.ts';
import { forecast } from '../../engine/forecast.ts';
import type { TunedParameters } from '../../engine/tuning/tuned.ts';
import type { EngineForecast, EngineInput } from '../../engine/types.ts';

/** A forecast that may have made use of covariates. */
export type Made = EngineForecast & { readonly covariates?: CovariateReport | undefined };

/** The forecast of a question, with what is known besides the values, within its bounds. @throws as `forecast` */
export function made(
  model: string,
  input: EngineInput,
  covariates: readonly Covariate[],
  bounds: Bounds | undefined,
  parameters?: TunedParameters,
): Made {
  const alone = (asked: EngineInput): Made => forecast(model, asked, parameters);
  const around = (asked: EngineInput): Made =>
    covariates.length > 0 ? forecastWithCovariates(model, asked, covariates, parameters) : alone(asked);
  return bounds ? forecastWithin(input, bounds, around, alone, covariates.length === 0) : around(input);
}
