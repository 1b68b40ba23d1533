import * as vscode from 'vscode';
import type { ServiceError } from '../../client/errors.ts';
import { isOngoing, isPending } from '../../contract/operation.ts';
import { COMMANDS, VIEWS } from '../names.ts';
import { say } from './say.ts';
import type { LocalFineTunedModel, LocalPrediction } from '../../contract/local.ts';
import type { App } from '../app.ts';
import type { AwaitedJob } from './awaited.ts';
import { inBackground } from './background.ts';

/** Tells once when a job that was not done at its creation has ended, also after a reload of the window. */
export function tellWhenDone(app: App, job: AwaitedJob, status: string): void {
  if (!isPending(status)) return;
  inBackground(app.log, app.awaited.add(job));
  follow(app, job);
}

/** Goes on with what an earlier session of this window still had to tell. */
export function resumeTelling(app: App): void {
  for (const job of app.awaited.all) follow(app, job);
}

function follow(app: App, job: AwaitedJob): void {
  const session = app.connection.session(job.serviceId);
  const drop = (): void => inBackground(app.log, app.awaited.drop(job));
  if (!session) {
    drop();
    return;
  }
  const onProblem = ({ kind }: ServiceError): void => {
    if (kind === 'not-found') drop();
  };
  if (job.kind === 'prediction') {
    const onChange = (now: LocalPrediction): void => {
      if (isOngoing(now)) return;
      drop();
      tellOfForecast(app, job, now);
    };
    session.predictions.watch(job.id, { onChange, onProblem });
  } else {
    const onChange = (now: LocalFineTunedModel): void => {
      if (isOngoing(now)) return;
      drop();
      tellOfModel(app, job, now);
    };
    session.models.watch(job.id, { onChange, onProblem });
  }
}

/** Unless its chart is in sight and shows it. */
function tellOfForecast(app: App, { serviceId, id, label }: AwaitedJob, now: LocalPrediction): void {
  const ref = { serviceId, predictionId: id };
  if (app.panels.isInSight(ref)) return;
  const isGood = now.status === 'COMPLETED';
  const text = isGood
    ? vscode.l10n.t('The forecast of {0} is ready.', label)
    : vscode.l10n.t('The forecast of {0} ended: {1}', label, now.error ?? now.status);
  const open = () => {
    app.panels.open(ref, now);
  };
  inBackground(app.log, offer(text, isGood, vscode.l10n.t('Open Chart'), open));
}

/** Unless the view shows that it is trained. */
function tellOfModel(app: App, { serviceId, id, label }: AwaitedJob, now: LocalFineTunedModel): void {
  inBackground(app.log, app.madeModels.keep(serviceId, now));
  const isGood = now.status === 'COMPLETED';
  if (isGood && app.trees.get(VIEWS.models)?.view.visible) return;
  const text = isGood
    ? vscode.l10n.t('{0} is trained.', label)
    : vscode.l10n.t('The training of {0} ended: {1}', label, now.error ?? now.status);
  const forecast = () => {
    inBackground(app.log, vscode.commands.executeCommand(COMMANDS.forecast, { serviceId, modelId: id }));
  };
  inBackground(app.log, offer(text, isGood, vscode.l10n.t('Forecast with this Model'), forecast));
}

async function offer(text: string, isGood: boolean, button: string, go: () => void): Promise<void> {
  const answer = await (isGood ? say.info(text, button) : say.warning(text, SHOW_LOG));
  if (answer === button) go();
  if (answer === SHOW_LOG) await vscode.commands.executeCommand(COMMANDS.showLog);
}

const SHOW_LOG = vscode.l10n.t('Show Log');
