import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { ServiceError } from '../../client/errors.ts';
import type { LocalFineTunedModel, LocalPrediction } from '../../contract/local.ts';
import { isOngoing, isPending } from '../../contract/operation.ts';
import type { App } from '../app.ts';
import { COMMANDS, VIEWS } from '../names.ts';
import { inBackground } from './background.ts';
import { say } from './say.ts';

const Job = z.object({
  serviceId: z.string(),
  kind: z.enum(['prediction', 'model']),
  id: z.string(),
  /** What the person calls it. */
  label: z.string(),
});
/** A job to notify the person about when it ends. Survives a reload; only the window that created it notifies. */
type Job = z.infer<typeof Job>;

const Jobs = z.catch(z.array(Job), []);
const KEY = 'forecasts.awaited';
const MOST = 200;

/** Notifies once when a pending job has ended, also after a reload of the window. */
export function tellWhenDone(app: App, job: Job, status: string): void {
  if (!isPending(status)) return;
  inBackground(app.log, app.state.update(KEY, [...awaited(app), job].slice(-MOST)));
  follow(app, job);
}

/** Resumes the notifications of an earlier session of this window. */
export function resumeTelling(app: App): void {
  for (const job of awaited(app)) follow(app, job);
}

/** Jobs without a notification yet. */
export const awaited = ({ state }: App): readonly Job[] => Jobs.parse(state.get(KEY));

function follow(app: App, job: Job): void {
  const { serviceId, kind, id } = job;
  const session = app.connection.session(serviceId);
  const drop = (): void => {
    const left = awaited(app).filter((one) => one.serviceId !== serviceId || one.id !== id);
    inBackground(app.log, app.state.update(KEY, left.length > 0 ? left : undefined));
  };
  const onProblem = (problem: ServiceError): void => {
    if (problem.kind === 'not-found') drop();
  };
  const onChange = (now: LocalPrediction | LocalFineTunedModel): void => {
    if (isOngoing(now)) return;
    drop();
    inBackground(app.log, (kind === 'prediction' ? tellOfForecast : tellOfModel)(app, job, now));
  };
  if (!session) drop();
  else session[kind === 'prediction' ? 'predictions' : 'models'].watch(id, { onChange, onProblem });
}

type Ended = Pick<LocalPrediction, 'id' | 'status' | 'error'>;

/** Unless its chart is in sight and shows it. */
async function tellOfForecast(app: App, { serviceId, id, label }: Job, now: Ended): Promise<void> {
  const ref = { serviceId, predictionId: id };
  if (app.panels.isInSight(ref)) return;
  const isGood = now.status === 'COMPLETED';
  const text = isGood
    ? vscode.l10n.t('The forecast of {0} is ready.', label)
    : vscode.l10n.t('The forecast of {0} ended: {1}', label, now.error ?? now.status);
  if (await offer(text, isGood, vscode.l10n.t('Open Chart'))) app.panels.open(ref, now);
}

/** Unless the view shows that it is trained. */
async function tellOfModel(app: App, { serviceId, id, label }: Job, now: Ended): Promise<void> {
  await app.madeModels.keep(serviceId, now);
  const isGood = now.status === 'COMPLETED';
  if (isGood && app.trees.get(VIEWS.models)?.view.visible) return;
  const text = isGood
    ? vscode.l10n.t('{0} is trained.', label)
    : vscode.l10n.t('The training of {0} ended: {1}', label, now.error ?? now.status);
  if (await offer(text, isGood, vscode.l10n.t('Forecast with this Model')))
    await vscode.commands.executeCommand(COMMANDS.forecast, { serviceId, modelId: id });
}

/** @returns whether the person wants to go on with what is good; what is not is in the log */
async function offer(text: string, isGood: boolean, button: string): Promise<boolean> {
  if (isGood) return (await say.info(text, button)) !== undefined;
  if (await say.warning(text, vscode.l10n.t('Show Log'))) await vscode.commands.executeCommand(COMMANDS.showLog);
  return false;
}
