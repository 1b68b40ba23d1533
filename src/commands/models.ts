import type * as vscode from 'vscode';
import { setting } from '../connection/settings.ts';
import type { App } from './app.ts';
import { askText, pickOne, type Place } from './steps.ts';

export interface ModelItem extends vscode.QuickPickItem {
  /** `undefined`: leave it to the service. */
  readonly id: string | undefined;
  /** The horizon it was tuned for. */
  readonly horizon?: number | undefined;
}

const OTHER = 'Another model…';

/** The models that the service lists or the settings name; any other by its id. @throws Cancelled, ServiceError */
export async function chooseModel(app: App, place: Place, placeholder: string, only?: 'base'): Promise<ModelItem> {
  const client = app.connection.client();
  const offers = await client.capabilities();
  const base = offers.has('get', '/base_models') ? (await client.listBaseModels({ size: 200 })).items : [];
  const named = setting('baseModels').filter((id) => !base.some((model) => model.id === id));
  const listsTuned = only !== 'base' && offers.has('get', '/fine_tuned_models');
  const tuned = listsTuned ? (await client.listFineTunedModels({ size: 200 })).items : [];
  const items: ModelItem[] = [
    ...base.map((model) => ({
      id: model.id,
      label: model.name ?? model.id,
      description: model.is_default ? 'default' : '',
      detail: model.description,
    })),
    ...named.map((id) => ({ id, label: id, description: 'from the settings' })),
    ...tuned
      .filter((model) => model.status === 'COMPLETED')
      .map((model) => ({
        id: model.id,
        label: model.name ?? model.id,
        description: `fine-tuned ${model.base_model ?? ''}`,
        horizon: model.config?.prediction_length,
      })),
  ];
  if (base.length === 0) {
    items.unshift({ id: undefined, label: 'The service’s default model', description: 'no model is named' });
    items.push({ id: undefined, label: OTHER, description: 'by its id' });
  }
  const chosen = await pickOne({ place, placeholder, items });
  if (chosen.label !== OTHER) return chosen;
  const id = await askText({
    place,
    prompt: 'The model’s id',
    check: (text) => (text.trim() ? undefined : 'Enter an id.'),
  });
  return { id, label: id };
}
