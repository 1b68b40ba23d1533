import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { findZone } from '../calendar/zone.ts';

/** What package.json declares too; a test holds the two against each other. Of commands those that code calls; all of them are in `commands.ts`. */
export const COMMANDS = {
  forecast: 'forecasts.forecast',
  createFineTunedModel: 'forecasts.createFineTunedModel',
  createDataset: 'forecasts.createDataset',
  refresh: 'forecasts.refresh',
  open: 'forecasts.open',
  forecastAgain: 'forecasts.forecastAgain',
  keepUpToDate: 'forecasts.keepUpToDate',
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
  noNewKeys: 'forecasts.noNewKeys',
  noNewDatasets: 'forecasts.noNewDatasets',
  missing: 'forecasts.missing',
  canUndo: 'forecasts.canUndo',
} as const;

export const FORECAST_EDITOR = 'forecasts.forecastFile';

export const SETTINGS = {
  service: z.catch(z.string().check(z.minLength(1)), 'local'),
  remoteServices: z.catch(z.record(z.string(), z.string()), {}),
  /** Files with certificate authorities, each by the name or the address of its service. */
  caFiles: z.catch(z.record(z.string(), z.string()), {}),
  keepPredictionsForDays: z.catch(z.int().check(z.gte(0), z.lte(36_500)), 0),
  timeZone: z.catch(z.string().check(z.refine((name) => name === 'file' || findZone(name) !== undefined)), 'file'),
  defaultModel: z.catch(z.string(), ''),
  defaultHorizon: z.catch(z.int().check(z.gte(0), z.lte(10_000)), 0),
  intervals: z.catch(z.array(z.number().check(z.gt(0), z.lt(100))).check(z.maxLength(10)), []),
  'holidays.country': z.catch(z.string(), ''),
  'holidays.events': z.catch(z.string(), ''),
  /** One in so many is odd by chance; 0: none is marked before that is asked for. */
  markAnomalies: z.catch(z.literal([0, 100, 1000, 10_000]), 1000),
  exportColumns: z.catch(z.enum(['limits', 'quantiles', 'limits+history', 'quantiles+history']), 'limits'),
};

type Settings = { readonly [K in keyof typeof SETTINGS]: z.infer<(typeof SETTINGS)[K]> };

export function setting<K extends keyof Settings>(name: K): Settings[K] {
  return SETTINGS[name].parse(vscode.workspace.getConfiguration().get(settingId(name))) as Settings[K];
}

/** Writes a setting of the person, never of a workspace; `undefined` takes it back. */
export async function saveSetting<K extends keyof Settings>(name: K, value: Settings[K] | undefined): Promise<void> {
  await vscode.workspace.getConfiguration().update(settingId(name), value, vscode.ConfigurationTarget.Global);
}

export const touches = (event: vscode.ConfigurationChangeEvent, ...names: (keyof Settings)[]): boolean =>
  names.some((name) => event.affectsConfiguration(settingId(name)));

export const onSetting = (name: keyof Settings, changed: () => void): vscode.Disposable =>
  vscode.workspace.onDidChangeConfiguration((event) => {
    if (touches(event, name)) changed();
  });
