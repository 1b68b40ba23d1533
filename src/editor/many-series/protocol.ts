import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { LocalPrediction, TotalsSummary } from '../../contract/resources.ts';
import { sparklineOf } from '../../contract/sparkline.ts';
import { skillWords } from '../../chart/chart-view.ts';
import type { PageState } from '../views/shared/protocol.ts';

export const SetRef = z
  .object({
    serviceId: z.string(),
    label: z.string(),
    datasetId: z.optional(z.string()),
    batchId: z.optional(z.string()),
    predictionIds: z.optional(z.array(z.string())),
  })
  .check(z.refine(({ datasetId, predictionIds }) => datasetId !== undefined || predictionIds !== undefined));
export type SetRef = z.infer<typeof SetRef>;

/** A prediction as a row of the list. Where its service sends no sparkline, it is made of its series if they are there. */
export function rowOf(prediction: LocalPrediction) {
  const { id, name = id, ai_model_id: model, status, error, details, input_series, prediction_series } = prediction;
  const hasFailed = status === 'FAILED';
  const row = { id, name, model, hasFailed };
  if (hasFailed) return { ...row, state: vscode.l10n.t('failed: {0}', error ?? vscode.l10n.t('no reason given')) };
  if (status !== 'COMPLETED') return { ...row, state: status.toLowerCase().replaceAll('_', ' ') };
  const made = input_series && prediction_series ? sparklineOf(input_series, prediction_series) : undefined;
  const sparkline = prediction.sparkline ?? made;
  const { smape, skill, coverage80 } = details?.backtest ?? {};
  return {
    ...row,
    ...sparkline,
    last: sparkline?.past.findLast((value) => value !== null) ?? undefined,
    next: sparkline?.ahead[0] ?? undefined,
    error: smape, // of the holdout, 0 to 200
    skill: skill === undefined ? undefined : skillWords(skill),
    coverage: coverage80, // of the 80 % interval, 0 to 1
  };
}

type Row = ReturnType<typeof rowOf>;
type Finished = Extract<Row, { readonly coverage: unknown }>;
export type SeriesRow = Pick<Row, 'id' | 'name'> & Partial<Finished> & { readonly state?: string | undefined };

export const ACTIONS = ['again', 'save-csv', 'save-json', 'save-xlsx', 'dataset', 'tune'] as const;
export type ManyAction = (typeof ACTIONS)[number];

export interface ManyState extends PageState {
  readonly ref: SetRef;
  readonly actions: readonly ManyAction[];
  readonly isLoading: boolean;
  readonly rows: readonly SeriesRow[];
  readonly levels: TotalsSummary['levels'] | null;
  readonly problem: string | null;
}

export const ManyIntent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('retry') }),
  z.object({ type: z.literal('open'), id: z.string() }),
  z.object({ type: z.literal('do'), action: z.enum(ACTIONS), ids: z.array(z.string()) }),
]);
export type ManyIntent = z.infer<typeof ManyIntent>;
