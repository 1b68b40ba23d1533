/** Ids that package.json declares too; a test holds the two against each other. */

/** Commands that code calls too; all of them are in `commands.ts`. */
export const COMMANDS = {
  forecast: 'forecasts.forecast',
  createFineTunedModel: 'forecasts.createFineTunedModel',
  createDataset: 'forecasts.createDataset',
  refresh: 'forecasts.refresh',
  open: 'forecasts.open',
  forecastAgain: 'forecasts.forecastAgain',
  keepUpToDate: 'forecasts.keepUpToDate',
  export: 'forecasts.export',
  setToken: 'forecasts.setToken',
  switchService: 'forecasts.switchService',
  manageStorage: 'forecasts.manageStorage',
  showReading: 'forecasts.showReading',
  showLog: 'forecasts.showLog',
  loadMore: 'forecasts.loadMore',
  explainProblem: 'forecasts.explainProblem',
} as const;

export const VIEWS = {
  predictions: 'forecasts.predictions',
  datasets: 'forecasts.datasets',
  models: 'forecasts.models',
  keys: 'forecasts.keys',
} as const;

export const settingId = (name: string): string => `forecasts.${name}`;

export const CONTEXTS = {
  service: 'forecasts.activeService',
  /** Whether the current service cannot create keys or datasets, as far as is known. */
  noNewKeys: 'forecasts.noNewKeys',
  noNewDatasets: 'forecasts.noNewDatasets',
  /** What is missing before the service can be asked: `url`, `token` or nothing. */
  missing: 'forecasts.missing',
  canUndo: 'forecasts.canUndo',
} as const;

export const FORECAST_EDITOR = 'forecasts.forecastFile';
