import type * as vscode from 'vscode';
import { describeEntry } from '../views/tree/describe.ts';
import { type Entry, isUsable } from '../views/tree/node.ts';
import { loadModels } from '../views/tree/sources.ts';
import type { App } from '../app.ts';
import { askText, Back, pickOne, type Place } from '../ui/steps.ts';

export interface ModelItem extends vscode.QuickPickItem {
  /** `undefined`: leave it to the service. */
  readonly id: string | undefined;
  /** The horizon it was tuned for: what its service says, else what was asked for. */
  readonly horizon?: number | undefined;
  /** How many points a base model must see at least to be trained on, where its service says. */
  readonly leastContext?: number | undefined;
}

const OTHER = 'Another model…';

/**
 * The models that the service lists or the settings name; any other by its id.
 * @param before what was chosen earlier, to begin with
 * @throws Cancelled, ServiceError
 */
export async function chooseModel(
  app: App,
  place: Place,
  placeholder: string,
  before?: ModelItem,
  only?: 'base',
): Promise<ModelItem> {
  const { client } = await app.connection.ready();
  const offers = await client.capabilities();
  const { signal } = new AbortController();
  const { items: entries } = await loadModels(client, { cursor: undefined, signal }, app);
  const items: ModelItem[] = entries.flatMap<ModelItem>((entry) => {
    if (entry.kind === 'baseModel')
      return [{ ...itemOf(entry), leastContext: entry.item.min_context_length ?? undefined }];
    const isShown = entry.kind === 'fineTunedModel' && only !== 'base' && isUsable({ item: entry.item, offers });
    return isShown ? [{ ...itemOf(entry), horizon: entry.item.horizon ?? entry.item.config?.prediction_length }] : [];
  });
  if (!offers.has('listBaseModels')) {
    items.unshift({ id: undefined, label: 'The service’s default model', description: 'no model is named' });
    items.push({ id: undefined, label: OTHER, description: 'by its id' });
  }
  const known = before && items.find((item) => item.id === before.id);
  const other = items.find((item) => item.label === OTHER);
  const picked = known ?? (before && other);
  for (;;) {
    const chosen = await pickOne({ place, placeholder, items, ...(picked ? { picked: [picked] } : {}) });
    if (chosen !== other) return chosen;
    try {
      const id = await askText({
        place: { ...place, step: place.step + 1, totalSteps: place.totalSteps + 1 },
        prompt: 'The model’s id',
        value: known ? '' : (before?.id ?? ''),
        check: (text) => (text.trim() ? undefined : 'Enter an id.'),
      });
      return { id, label: id };
    } catch (error) {
      // back to the list that this input came from
      if (!(error instanceof Back)) throw error;
    }
  }
}

function itemOf(entry: Entry): ModelItem {
  const { label, description } = describeEntry(entry, Date.now());
  const detail = entry.kind === 'baseModel' ? entry.item.description : undefined;
  return { id: entry.id, label, description, ...(detail ? { detail } : {}) };
}
