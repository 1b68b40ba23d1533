import { Backtest, CovariateTest, OddPoints, Parts } from './analysis.ts';
import type { Operation } from './operation.ts';
import { FindOddPoints, TestCovariates } from './requests.ts';

/** Times in the past from which a series is forecast again at once. */
const MOST_ORIGINS = 24;

/** The operations that work something out about a series or a forecast, and store nothing. */
export const analyses = {
  getBacktest: {
    method: 'GET',
    path: '/predictions/{id}/backtest',
    summary:
      'Forecast the series of a prediction again from times in its past, and give what then came; nothing is stored',
    status: 200,
    query: {
      prediction_length: {
        description: 'Steps ahead; those of the prediction where it is absent. Fewer where the history is short.',
        schema: { type: 'integer', minimum: 1, maximum: 10_000 },
      },
      origins: {
        description: 'Times in the past, each one horizon before the next.',
        schema: { type: 'integer', minimum: 1, maximum: MOST_ORIGINS, default: 3 },
      },
    },
    isComputed: true,
    answer: Backtest,
    noun: 'backtest',
  },
  getParts: {
    method: 'GET',
    path: '/predictions/{id}/parts',
    summary: 'Split the series of a prediction and its forecast into parts that add up to them; nothing is stored',
    status: 200,
    isComputed: true,
    answer: Parts,
    noun: 'list of parts',
  },
  testCovariates: {
    method: 'POST',
    path: '/covariate_tests',
    scope: 'read',
    summary: 'Find out on a backtest which covariates of a series help; nothing is stored',
    status: 200,
    body: TestCovariates,
    answer: CovariateTest,
    noun: 'test of covariates',
  },
  findOddPoints: {
    method: 'POST',
    path: '/odd_points',
    scope: 'read',
    summary: 'Find the observations of a series that those before them did not let expect; nothing is stored',
    status: 200,
    body: FindOddPoints,
    answer: OddPoints,
    noun: 'list of odd points',
  },
} as const satisfies Record<string, Operation>;
