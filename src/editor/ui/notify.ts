import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { isOngoing, isPending, type LocalFineTunedModel, type LocalPrediction } from '../../contract/resources.ts';
import type { App } from '../app.ts';
import { COMMANDS, VIEWS } from '../names.ts';
import { inBackground, say } from './say.ts';

const Job = z.object({
  serviceId: z.string(),
  kind: z.enum(['prediction', 'model']),
  id: z.string(),
  label: z.string(),
});
type Job = z.infer<typeof Job>;

const KEY = 'forecasts.awaited';
const MOST = 200;

export function notifyWhenDone(app: App, job: Job, status: string): void {
  if (!isPending(status)) return;
  inBackground(app.log, app.state.update(KEY, [...awaited(app), job].slice(-MOST)));
  follow(app, job);
}

export function resumeNotifications(app: App): void {
  for (const job of awaited(app)) follow(app, job);
}

export const awaited = ({ state }: App): readonly Job[] => z.catch(z.array(Job), []).parse(state.get(KEY));

function follow(app: App, job: Job): void {
  const { serviceId, kind, id } = job;
  const drop = (): void => {
    const left = awaited(app).filter((one) => one.serviceId !== serviceId || one.id !== id);
    inBackground(app.log, app.state.update(KEY, left.length > 0 ? left : undefined));
  };
  const session = app.connection.session(serviceId);
  if (!session) drop();
  session?.[kind === 'prediction' ? 'predictions' : 'models'].watch(id, {
    onProblem: (problem) => {
      if (problem.kind === 'not-found') drop();
    },
    onChange: (now: LocalPrediction | LocalFineTunedModel) => {
      if (isOngoing(now)) return;
      drop();
      inBackground(app.log, notify(app, job, now));
    },
  });
}

async function notify(
  app: App,
  { serviceId, kind, id, label }: Job,
  now: Pick<LocalPrediction, 'id' | 'status' | 'error'>,
): Promise<void> {
  const isForecast = kind === 'prediction';
  const ref = { serviceId, predictionId: id };
  if (!isForecast) app.madeModels.keep(serviceId, now);
  else if (app.panels.isInSight(ref)) return;
  const why = now.error ?? now.status;
  if (now.status !== 'COMPLETED') {
    const text = isForecast
      ? vscode.l10n.t('The forecast of {0} ended: {1}', label, why)
      : vscode.l10n.t('The training of {0} ended: {1}', label, why);
    if (await say.warning(text, vscode.l10n.t('Show Log'))) await vscode.commands.executeCommand(COMMANDS.showLog);
  } else if (isForecast) {
    if (await say.info(vscode.l10n.t('The forecast of {0} is ready.', label), vscode.l10n.t('Open Chart')))
      app.panels.open(ref, now);
  } else if (!app.trees.get(VIEWS.models)?.view.visible) {
    if (await say.info(vscode.l10n.t('{0} is trained.', label), vscode.l10n.t('Forecast with this Model')))
      await vscode.commands.executeCommand(COMMANDS.forecast, { serviceId, modelId: id });
  }
}
