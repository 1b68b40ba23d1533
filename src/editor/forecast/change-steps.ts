import * as vscode from 'vscode';
import { defaultHorizon } from '../../calendar/frequency.ts';
import { describeFrequency } from '../../calendar/words.ts';
import type { Aggregate, Resampling } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { rememberLayout } from '../files/choose-series.ts';
import { onFile, openAsBefore } from '../files/document.ts';
import { say } from '../ui/say.ts';
import { pickOne, runSteps } from '../ui/steps.ts';
import type { PredictionRef } from '../views/chart/protocol.ts';
import { reduce, resamplingOf, startOf, stepsFor } from '../views/file-reading/reducer.ts';
import { forecastAgain } from './forecast.ts';
import { noteOf } from './forecaster.ts';

const aggregates = (): readonly (vscode.QuickPickItem & { readonly by: Aggregate })[] => [
  { by: 'mean', label: vscode.l10n.t('Average') },
  { by: 'sum', label: vscode.l10n.t('Sum') },
  { by: 'last', label: vscode.l10n.t('Last') },
  { by: 'min', label: vscode.l10n.t('Lowest') },
  { by: 'max', label: vscode.l10n.t('Highest') },
  { by: 'count', label: vscode.l10n.t('Count') },
];

/**
 * Asks for the steps of a file and how values within a step are combined, remembers that, and makes its forecast again.
 * @throws Cancelled, ServiceError, SeriesError
 */
export async function changeSteps(app: App, ref: PredictionRef, file: vscode.Uri): Promise<void> {
  const change = await onFile(app, file, async (unreadable) => {
    const opened = await openAsBefore(app, file, unreadable);
    const { document, layout } = opened;
    const reading = reduce(startOf(layout), { type: 'read', document, layout });
    const steps = stepsFor(reading);
    if (steps.length === 0) {
      await say.info(vscode.l10n.t('The rows of {0} cannot be combined into longer steps.', opened.fileName));
      return undefined;
    }
    const aggregate = await askFor(steps, resamplingOf(reading), reading.pace);
    const again = await opened.again({ layout: { ...layout, aggregate } });
    rememberLayout(app, file, again.document, again.layout);
    const { id } = noteOf(app, ref).source ?? {};
    const series = again.document.series.find((one) => one.id === id);
    return series ? { horizon: defaultHorizon(series.frequency, series.points) } : {};
  });
  if (change) await forecastAgain(app, ref, change);
}

type Step = Resampling['step'];

/** @param before the current steps @param own the step of the rows @returns null: the rows as they are */
async function askFor(steps: readonly Step[], before: Resampling | undefined, own: Step | undefined) {
  const asTheyAre = {
    label: vscode.l10n.t('Rows as They Are'),
    ...(own ? { description: describeFrequency(own) } : {}),
    step: undefined,
  };
  const items = [asTheyAre, ...steps.map((step) => ({ label: describeFrequency(step), step }))];
  const known = items.find(({ label }) => before && label === describeFrequency(before.step)) ?? asTheyAre;
  const start: { readonly step: Step | undefined; readonly by: Aggregate } = { step: undefined, by: 'mean' };
  const { step, by } = await runSteps(vscode.l10n.t('Change Steps'), start, [
    async (_, place) => {
      const placeholder = vscode.l10n.t('What step size should the series have?');
      return { step: (await pickOne({ place, placeholder, items, picked: [known] })).step };
    },
    async (state, place) => {
      if (!state.step) return undefined;
      const all = aggregates();
      const placeholder = vscode.l10n.t('How should the values within a step be combined?');
      const picked = all.filter((one) => one.by === (before?.by ?? 'mean'));
      return { by: (await pickOne({ place, placeholder, items: all, picked })).by };
    },
  ]);
  return step ? { step, by } : null;
}
