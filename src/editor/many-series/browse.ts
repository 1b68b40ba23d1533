import * as vscode from 'vscode';
import { saveAs } from '../views/chart/save.ts';
import type { LocalPrediction } from '../../contract/local.ts';
import type { DocumentFormat } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { inBackground } from '../ui/background.ts';
import { showFailure } from '../ui/failure.ts';
import type { ForecastSet } from './forecasts.ts';
import { withPatience } from '../ui/progress.ts';

interface ForecastItem extends vscode.QuickPickItem {
  readonly prediction: LocalPrediction;
}

type Order = 'accuracy' | 'name';

const SAVE_CSV = { iconPath: new vscode.ThemeIcon('save'), tooltip: vscode.l10n.t('Save All as CSV…') };
const SAVE_JSON = { iconPath: new vscode.ThemeIcon('json'), tooltip: vscode.l10n.t('Save All as JSON…') };
const BY_NAME = { iconPath: new vscode.ThemeIcon('case-sensitive'), tooltip: vscode.l10n.t('Sort by Name') };
const BY_ACCURACY = { iconPath: new vscode.ThemeIcon('list-ordered'), tooltip: vscode.l10n.t('Sort by Accuracy') };

/** The format of forecasts whose file is not known. */
const PLAIN: DocumentFormat = {
  kind: 'csv',
  encoding: 'utf-8',
  delimiter: ',',
  decimal: '.',
  header: true,
  skippedLines: 0,
};

/**
 * A list of all forecasts, the most accurate first, that stays open while one chart after another is looked at, and saves
 * them all in one file.
 */
export async function browseForecasts(app: App, set: ForecastSet): Promise<void> {
  const input = vscode.window.createQuickPick<ForecastItem>();
  const closed = new Promise<void>((resolve) => {
    input.onDidHide(() => {
      resolve();
    });
  });
  const sort = (order: Order) => {
    input.items = itemsOf(set.predictions, order);
    input.buttons = [SAVE_CSV, SAVE_JSON, order === 'accuracy' ? BY_NAME : BY_ACCURACY];
  };
  input.title = titleOf(set);
  input.placeholder = vscode.l10n.t('A forecast to see its chart');
  input.ignoreFocusOut = true;
  input.matchOnDescription = true;
  input.onDidAccept(() => {
    const [item] = input.activeItems;
    if (item) inBackground(app.log, openChart(app, set, item.prediction));
  });
  input.onDidTriggerButton((button) => {
    if (button === BY_NAME) sort('name');
    else if (button === BY_ACCURACY) sort('accuracy');
    else inBackground(app.log, saveAll(app, set, button === SAVE_JSON ? 'json' : 'csv'));
  });
  sort('accuracy');
  input.show();
  await closed;
  input.dispose();
}

function titleOf({ label, predictions }: ForecastSet): string {
  const done = predictions.filter(({ status }) => status === 'COMPLETED').length;
  const failed = predictions.filter(({ status }) => status === 'FAILED').length;
  return [
    vscode.l10n.t('{0}: {1} forecasts', label, done.toLocaleString('en')),
    failed > 0 ? vscode.l10n.t('{0} failed', failed) : undefined,
  ]
    .filter(Boolean)
    .join(', ');
}

/** Most accurate first by the error on the series' own last part; what has none, or failed, comes last. */
function itemsOf(predictions: readonly LocalPrediction[], order: Order): ForecastItem[] {
  const compare = new Intl.Collator('en', { numeric: true }).compare;
  const errorOf = ({ status, details }: LocalPrediction) =>
    details?.backtest?.smape ?? (status === 'COMPLETED' ? 1e6 : 1e9);
  return predictions
    .map((prediction) => ({ label: prediction.name ?? prediction.id, description: wordsOf(prediction), prediction }))
    .sort((a, b) =>
      order === 'name'
        ? compare(a.label, b.label)
        : errorOf(a.prediction) - errorOf(b.prediction) || compare(a.label, b.label),
    );
}

/** “4.2 % error · 31 % better than repeating the last season” */
function wordsOf({ status, error, details }: LocalPrediction): string {
  if (status === 'FAILED') return vscode.l10n.t('failed: {0}', error ?? vscode.l10n.t('without a reason'));
  if (status !== 'COMPLETED') return status.toLowerCase().replaceAll('_', ' ');
  const { smape, skill } = details?.backtest ?? {};
  const percent = skill === undefined ? undefined : Math.round(Math.abs(skill) * 100);
  const words = [
    smape === undefined ? undefined : vscode.l10n.t('{0} % error', smape.toFixed(1)),
    percent === undefined || skill === undefined
      ? undefined
      : skill >= 0
        ? vscode.l10n.t('{0} % better than repeating the last season', percent)
        : vscode.l10n.t('{0} % worse than repeating the last season', percent),
  ];
  return words.filter(Boolean).join(' · ') || vscode.l10n.t('too short to test on its own history');
}

async function openChart(
  app: App,
  { label, session, source }: ForecastSet,
  prediction: LocalPrediction,
): Promise<void> {
  const serviceId = session.info.id;
  const name = prediction.name ?? prediction.id;
  const valueColumn = source?.valueColumn ?? name;
  await app.memory.note(serviceId, prediction.id, {
    label: name.startsWith(label) ? name : `${label} · ${name}`,
    valueLabel: valueColumn,
    source: source && { ...source, id: name, valueColumn },
  });
  app.panels.open({ serviceId, predictionId: prediction.id }, prediction, true);
}

/** Saves all forecasts of a set in one file: CSV in the shape of its file, or JSON. */
export async function saveAll(app: App, set: ForecastSet, kind: 'csv' | 'json'): Promise<void> {
  try {
    const own = set.source?.format ?? PLAIN;
    const { dateFormat, encoding } = own;
    const other: DocumentFormat = { ...PLAIN, kind, encoding, ...(dateFormat ? { dateFormat } : {}) };
    const format = own.kind === kind ? own : other;
    const bytes = await withPatience(vscode.l10n.t('Writing the forecasts of {0}', set.label), async () =>
      app.reader.write(await set.forecasts(), format),
    );
    await saveAs(set.label, kind, bytes);
  } catch (error) {
    await showFailure(app, error);
  }
}
