import type { Action } from '../../../chart/types.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import type { Note } from '../../connection/memory.ts';
import type { Status } from './protocol.ts';

/** The title of a chart's tab, which is not to be mistaken for that of the file itself. */
export const panelTitle = (name: string, isCurrent: boolean): string =>
  `Forecast: ${name}${isCurrent ? '' : ' (outdated)'}`;

/**
 * What two predictions of one series have in common, whatever their model and however often it was forecast: the file, the
 * series in it and what of it was selected, or the stored series. `undefined` where that cannot be told.
 */
export function seriesKey(
  note: Pick<Note, 'label' | 'source'> | undefined,
  prediction: Pick<LocalPrediction, 'input_series_id'> | undefined,
): string | undefined {
  if (note?.source?.uri !== undefined) return JSON.stringify([note.source.uri, note.source.id, note.label]);
  return prediction?.input_series_id ? JSON.stringify([prediction.input_series_id]) : undefined;
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
      const sentence = error ?? 'The forecast failed. The service gives no reason.';
      return { kind: 'failed', sentence, ...(prediction.input_series ? { actions: AFTER_FAILURE } : {}) };
    }
    default:
      return { kind: 'other', sentence: `The service says “${status}”, a status that this extension does not know.` };
  }
}

/** What can be done with the series of a prediction that FAILED. */
const AFTER_FAILURE: readonly Action[] = [
  { id: 'again', label: 'Forecast Again' },
  { id: 'model', label: 'Choose a Model…' },
];
