import * as vscode from 'vscode';
import { ServiceError } from '../../../client/errors.ts';
import type { Action, Notice, ReadingRemark } from '../../../chart/types.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import type { Note, Source } from '../../connection/memory.ts';
import type { KeptFiles } from '../../files/kept-files.ts';
import type { Status } from './protocol.ts';

/** The ways on that a chart's page offers below a sentence. */
export const AGAIN = 'again';
export const OTHER_MODEL = 'model';
export const RETRY = 'retry';
export const SET_TOKEN = 'set-token';
export const STOP_KEEPING = 'stop-keeping';
export const LAY_OVER = 'lay-over';

/** The title of a chart's tab, which is not to be mistaken for that of the file itself. */
export const panelTitle = (name: string, isCurrent: boolean): string =>
  isCurrent ? vscode.l10n.t('Forecast: {0}', name) : vscode.l10n.t('Forecast: {0} (outdated)', name);

/** What the series of a note is called, without what is supposed of it. */
export const withoutScenario = ({ label, scenario }: Pick<Note, 'label' | 'scenario'>): string =>
  scenario !== undefined && label.endsWith(` · ${scenario}`) ? label.slice(0, -` · ${scenario}`.length) : label;

/**
 * What two predictions of one series have in common, whatever their model and however often it was forecast: the file, the
 * series in it and what of it was selected, or the stored series. `undefined` where that cannot be told.
 */
export function seriesKey(
  note: Pick<Note, 'label' | 'source' | 'scenario'> | undefined,
  prediction: Pick<LocalPrediction, 'input_series_id'> | undefined,
): string | undefined {
  const { uri, id, isPart } = note?.source ?? {};
  // a part of a file is told by its lines, which its label names; else the label may be a name that somebody gave
  if (uri !== undefined) return JSON.stringify([uri, id, ...(isPart ? [note && withoutScenario(note)] : [])]);
  return prediction?.input_series_id ? JSON.stringify([prediction.input_series_id]) : undefined;
}

/** Says that a file is forecast again whenever it is saved, with the way to end that. */
export function keptRemark(kept: KeptFiles, source: Source | undefined): ReadingRemark | undefined {
  if (!source || source.isPart || !kept.has(source.uri)) return undefined;
  return {
    text: vscode.l10n.t('Kept up to date: forecast again whenever {0} is saved', source.fileName),
    lines: [],
    action: { id: STOP_KEEPING, label: vscode.l10n.t('Stop') },
  };
}

/** Where a prediction stands while it has no chart; `undefined` when it is done. */
export function chartStatus(prediction: LocalPrediction): Status | undefined {
  const { status, progress, error } = prediction;
  switch (status) {
    case 'COMPLETED':
      return undefined;
    case 'QUEUED':
      return { kind: 'queued' };
    case 'IN_PROGRESS':
      return { kind: 'running', progress };
    case 'FAILED': {
      const sentence = error ?? vscode.l10n.t('The forecast failed. The service gives no reason.');
      return { kind: 'failed', sentence, ...(prediction.input_series ? { actions: afterFailure() } : {}) };
    }
    default:
      if (prediction.prediction_series) return undefined;
      return {
        kind: 'other',
        sentence: vscode.l10n.t(
          'The service says “{0}”, a status that this extension does not know. It is followed until it has ended.',
          status,
        ),
      };
  }
}

/** What can be done with the series of a prediction that FAILED. */
const afterFailure = (): readonly Action[] => [
  { id: AGAIN, label: vscode.l10n.t('Forecast Again') },
  { id: OTHER_MODEL, label: vscode.l10n.t('Choose a Model…') },
];

/** What a panel shows in place of its chart; nothing where the chart itself can be shown. */
export function panelStatus(prediction: LocalPrediction | undefined, problem: unknown): Status | undefined {
  if (problem !== undefined) {
    const sentence = problem instanceof Error ? problem.message : String(problem);
    const isTokenRefused = problem instanceof ServiceError && problem.kind === 'unauthorized';
    const token = isTokenRefused ? [{ id: SET_TOKEN, label: vscode.l10n.t('Set Token…') }] : [];
    return { kind: 'failed', sentence, actions: [...token, { id: RETRY, label: vscode.l10n.t('Try Again') }] };
  }
  return prediction ? chartStatus(prediction) : { kind: 'loading' };
}

/** What is said of a forecast whose file is not what it was. */
function staleness(source: Source | undefined): Notice {
  const sentence = source
    ? vscode.l10n.t('{0} has changed since this forecast was made.', source.fileName)
    : vscode.l10n.t('The file has changed since this forecast was made.');
  return { sentence, actions: [{ id: AGAIN, label: vscode.l10n.t('Forecast Again') }] };
}

/**
 * What is said of a forecast whose file has changed: its values, or the future of what is known.
 * @param changed of what is known
 */
export function noticeOf(
  source: Source | undefined,
  isCurrent: boolean,
  changed: readonly unknown[],
): Notice | undefined {
  if (!isCurrent) return staleness(source);
  return changed.length > 0 ? otherFuture(source) : undefined;
}

function otherFuture(source: Source | undefined): Notice {
  const sentence = vscode.l10n.t(
    'What is known beforehand has changed in {0} since this forecast was made.',
    source?.fileName ?? vscode.l10n.t('The file'),
  );
  return {
    sentence,
    actions: [
      { id: LAY_OVER, label: vscode.l10n.t('Compare Both') },
      { id: AGAIN, label: vscode.l10n.t('Forecast Again') },
    ],
  };
}
