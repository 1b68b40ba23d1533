import type * as vscode from 'vscode';
import type { CONFIG_BOUNDS, CreateFineTunedModel } from '../contract/requests.ts';
import { askText, pickAny, pickOne, type Place } from './steps.ts';

export type Config = NonNullable<CreateFineTunedModel['config']>;

interface SettingItem extends vscode.QuickPickItem {
  readonly field: 'prediction_length' | 'context_length' | 'max_epochs' | 'num_samples' | 'use_rope_scaling';
}

const SETTINGS: readonly SettingItem[] = [
  {
    field: 'prediction_length',
    label: 'Horizon',
    description: 'prediction_length',
    detail: 'How many steps ahead the model forecasts',
  },
  {
    field: 'context_length',
    label: 'Context length',
    description: 'context_length',
    detail: 'How many of the last points the model sees',
  },
  {
    field: 'max_epochs',
    label: 'Epochs',
    description: 'max_epochs',
    detail: 'At most so many passes over the training data',
  },
  {
    field: 'num_samples',
    label: 'Samples',
    description: 'num_samples',
    detail: 'Sample paths drawn for the quantiles',
  },
  {
    field: 'use_rope_scaling',
    label: 'Position scaling',
    description: 'use_rope_scaling',
    detail: 'Stretches the trained window over a longer context',
  },
];

/**
 * Asks which training settings to set; none of them is set for the person.
 * @param bounds of the service, where they are known
 * @throws Cancelled
 */
export async function chooseSettings(place: Place, bounds?: typeof CONFIG_BOUNDS): Promise<Config> {
  const placeholder = 'Which settings to change? With none the service’s own defaults hold.';
  const chosen = await pickAny({ place, placeholder, items: SETTINGS });
  const config: Config = {};
  for (const item of chosen) {
    if (item.field === 'use_rope_scaling') {
      const items = [{ label: 'Yes' }, { label: 'No' }];
      config[item.field] = (await pickOne({ place, placeholder: item.detail ?? item.label, items })).label === 'Yes';
    } else {
      const [least, most] = bounds?.[item.field] ?? [0, Number.MAX_SAFE_INTEGER];
      const check = (text: string) => wholeNumber(text, least, most);
      config[item.field] = Number(await askText({ place, prompt: item.detail ?? item.label, check }));
    }
  }
  return config;
}

function wholeNumber(text: string, least: number, most: number): string | undefined {
  const isWithin = /^\d{1,15}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most;
  if (isWithin) return undefined;
  return most === Number.MAX_SAFE_INTEGER ? 'Enter a whole number.' : `Enter a whole number from ${least} to ${most}.`;
}
