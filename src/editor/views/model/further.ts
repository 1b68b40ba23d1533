import * as vscode from 'vscode';
import type { LocalFineTunedModel } from '../../../contract/local.ts';
import type { App } from '../../app.ts';
import { VIEWS } from '../../names.ts';
import { Cancelled, showFailure } from '../../ui/failure.ts';
import { toggleJobData } from '../../resources.ts';
import { tellWhenDone } from '../../ui/notify.ts';
import { withPatience } from '../../ui/progress.ts';
import { sendOnce } from '../../request/send.ts';
import { LONGEST_NAME, namesOfModels } from '../../training/model-names.ts';
import type { ModelDeeds } from './page.ts';

/** What can be done from the page of a model; a failure is told. */
export function modelDeeds(app: App): ModelDeeds {
  const telling = async (deed: () => Promise<unknown>): Promise<void> => {
    try {
      await deed();
    } catch (error) {
      if (!(error instanceof Cancelled)) await showFailure(app, error);
    }
  };
  return {
    stop: (serviceId, { id }) =>
      telling(async () => {
        await app.connection.session(serviceId)?.client.stopFineTunedModel(id);
        await app.trees.get(VIEWS.models)?.refresh();
      }),
    trainFurther: (serviceId, model) => telling(() => trainFurther(app, serviceId, model)),
    showDataset: (id) =>
      telling(async () => {
        await vscode.commands.executeCommand(`${VIEWS.datasets}.focus`);
        const tree = app.trees.get(VIEWS.datasets);
        if ((await tree?.reveal(id)) !== false || app.jobData.isShown) return;
        await toggleJobData(app);
        await tree?.reveal(id);
      }),
  };
}

/** Trains a model from where it was, with the same data and settings, as a model of its own, and opens its page. */
async function trainFurther(app: App, serviceId: string, model: LocalFineTunedModel): Promise<void> {
  const session = app.connection.session(serviceId);
  if (!session) return;
  const before =
    app.memory.recall(serviceId, model.id)?.label ?? model.name ?? vscode.l10n.t('Model {0}', model.id.slice(-6));
  const taken = await namesOfModels(app);
  let name = nextName(before);
  while (taken.has(name)) name = nextName(name);
  const made = await withPatience(vscode.l10n.t('Creating {0}', name), (signal) =>
    sendOnce(() => session.client.createFineTunedModel({ start_model: model.id, name }, signal), 'models'),
  );
  await app.memory.note(serviceId, made.id, { label: name });
  await app.madeModels.keep(serviceId, made);
  await app.trees.get(VIEWS.models)?.refresh();
  app.modelPanels.show(serviceId, made);
  tellWhenDone(app, { serviceId, kind: 'model', id: made.id, label: name }, made.status);
}

/** “Retail, further” and then “Retail, further 2”, at most 200 characters. */
export function nextName(name: string): string {
  const endOf = (count: number) =>
    count === 1 ? vscode.l10n.t(', further') : vscode.l10n.t(', further {0}', String(count));
  const last = Number(/\d{1,9}$/.exec(name)?.[0] ?? 1);
  const count = [last, 1].find((one) => name.endsWith(endOf(one)));
  const plain = count === undefined ? name : name.slice(0, -endOf(count).length);
  const end = endOf((count ?? 0) + 1);
  return `${plain.slice(0, LONGEST_NAME - end.length)}${end}`;
}
