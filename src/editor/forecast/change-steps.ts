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

interface StepItem extends vscode.QuickPickItem {
  /** Absent: the rows are taken as they are. */
  readonly step?: Resampling['step'];
}

interface Answers {
  readonly chosen: StepItem;
  readonly by: Aggregate | undefined;
}

const ways = (): readonly (vscode.QuickPickItem & { readonly by: Aggregate })[] => [
  { by: 'mean', label: vscode.l10n.t('Average') },
  { by: 'sum', label: vscode.l10n.t('Sum') },
  { by: 'last', label: vscode.l10n.t('Last') },
  { by: 'min', label: vscode.l10n.t('Lowest') },
  { by: 'max', label: vscode.l10n.t('Highest') },
  { by: 'count', label: vscode.l10n.t('Count') },
];

/**
 * Asks at which steps a file is read and what becomes of the values within one, which is remembered for the file, and makes a
 * forecast of it again. Its chart takes the place of the one before. @throws Cancelled, ServiceError, SeriesError
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
    const resampling = await askFor(steps, resamplingOf(reading), reading.pace);
    const again = await opened.again({ layout: { ...layout, aggregate: resampling } });
    rememberLayout(app, file, again.document, again.layout);
    const { id } = noteOf(app, ref).source ?? {};
    const series = again.document.series.find((one) => one.id === id);
    return series ? { horizon: defaultHorizon(series.frequency, series.points) } : {};
  });
  if (change) await forecastAgain(app, ref, change);
}

/** @param now how rows are put together now @param pace the step of the rows, as far as it is known */
async function askFor(
  steps: readonly Resampling['step'][],
  now: Resampling | undefined,
  pace: Resampling['step'] | undefined,
): Promise<Resampling | null> {
  const asTheyAre: StepItem = {
    label: vscode.l10n.t('Rows as They Are'),
    ...(pace ? { description: describeFrequency(pace) } : {}),
  };
  const items = [asTheyAre, ...steps.map((step): StepItem => ({ label: describeFrequency(step), step }))];
  const known = items.find(({ label }) => now && label === describeFrequency(now.step)) ?? asTheyAre;
  const { chosen, by } = await runSteps<Answers>(vscode.l10n.t('Change Steps'), { chosen: asTheyAre, by: undefined }, [
    async (_, place) => ({
      chosen: await pickOne({
        place,
        placeholder: vscode.l10n.t('What step size should the series have?'),
        items,
        picked: [known],
      }),
    }),
    async ({ chosen: { step } }, place) => {
      if (!step) return undefined;
      const all = ways();
      const placeholder = vscode.l10n.t('How should the values within a step be combined?');
      const picked = all.filter((way) => way.by === (now?.by ?? 'mean'));
      return { by: (await pickOne({ place, placeholder, items: all, picked })).by };
    },
  ]);
  return chosen.step && by ? { step: chosen.step, by } : null;
}
