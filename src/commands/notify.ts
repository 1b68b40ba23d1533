import * as vscode from 'vscode';
import { isPending } from '../client/poller.ts';
import type { Session } from '../connection/connection.ts';
import { COMMANDS, VIEWS } from '../connection/names.ts';
import { say } from '../connection/say.ts';
import type { LocalFineTunedModel, LocalPrediction } from '../contract/local.ts';
import type { App } from './app.ts';

/** Tells once when a prediction that was not done at its creation has ended, unless its chart is in sight and shows it. */
export function tellWhenForecast(app: App, session: Session, made: LocalPrediction, label: string): void {
  if (!isPending(made.status)) return;
  const ref = { serviceId: session.info.id, predictionId: made.id };
  session.predictions.watch(made.id, {
    onChange: (now) => {
      if (isPending(now.status) || app.panels.isInSight(ref)) return;
      const text =
        now.status === 'COMPLETED'
          ? `The forecast of ${label} is ready.`
          : `The forecast of ${label} ended: ${now.error ?? now.status}`;
      void offer(text, now.status === 'COMPLETED', 'Open Chart', () => {
        app.panels.open(ref, now);
      });
    },
  });
}

/**
 * Tells once when a model is trained, unless the view shows it, or why not. A service that cannot tell is not asked.
 * @param use forecasts with the model
 */
export function tellWhenTrained(
  app: App,
  session: Session,
  made: LocalFineTunedModel,
  label: string,
  use: () => void,
): void {
  if (!isPending(made.status)) return;
  session.models.watch(made.id, {
    onChange: (now) => {
      if (isPending(now.status)) return;
      void app.madeModels.keep(session.info.id, now);
      if (now.status === 'COMPLETED' && app.trees.get(VIEWS.models)?.view.visible) return;
      const text =
        now.status === 'COMPLETED'
          ? `${label} is trained.`
          : `The training of ${label} ended: ${now.error ?? now.status}`;
      void offer(text, now.status === 'COMPLETED', 'Forecast with this Model', use);
    },
  });
}

async function offer(text: string, isGood: boolean, button: string, go: () => void): Promise<void> {
  const answer = await (isGood ? say.info(text, button) : say.warning(text, SHOW_LOG));
  if (answer === button) go();
  if (answer === SHOW_LOG) await vscode.commands.executeCommand(COMMANDS.showLog);
}

const SHOW_LOG = 'Show Log';
