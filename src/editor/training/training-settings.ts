import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { askText, pickAny, pickOne, type Place, type Step } from '../ui/steps.ts';

/** Training settings, as far as the person set them. */
export interface Settings {
  readonly prediction_length?: number;
  readonly context_length?: number;
  readonly max_epochs?: number;
  readonly num_samples?: number;
  readonly use_rope_scaling?: boolean;
}

export interface SettingItem extends vscode.QuickPickItem {
  readonly field: keyof Settings;
  readonly detail: string;
}

const item = (field: keyof Settings, label: string, detail: string): SettingItem => ({
  field,
  label,
  detail,
  description: field,
});

const SETTINGS: readonly SettingItem[] = [
  item('prediction_length', vscode.l10n.t('Horizon'), vscode.l10n.t('How many steps ahead the model forecasts')),
  item('context_length', vscode.l10n.t('Context length'), vscode.l10n.t('How many of the last points the model sees')),
  item('max_epochs', vscode.l10n.t('Epochs'), vscode.l10n.t('At most so many passes over the training data')),
  item('num_samples', vscode.l10n.t('Samples'), vscode.l10n.t('Sample paths drawn for the quantiles')),
  item(
    'use_rope_scaling',
    vscode.l10n.t('Position scaling'),
    vscode.l10n.t('Stretches the trained window over a longer context'),
  ),
];

/** What a person calls the setting of a field of the interface. */
export const labelOfSetting = (field: string): string | undefined =>
  SETTINGS.find((item) => item.field === field)?.label;

/**
 * Asks which training settings to set; none of them is set for the person.
 * @param isLocal the local service has no model with position encoding
 * @param before what was chosen earlier, to begin with
 * @throws Cancelled
 */
export function chooseSettings(
  place: Place,
  isLocal: boolean,
  before: readonly SettingItem[] = [],
): Promise<readonly SettingItem[]> {
  const placeholder = vscode.l10n.t('Which settings to change? With none the service’s own defaults hold.');
  const items = SETTINGS.filter((item) => !isLocal || item.field !== 'use_rope_scaling');
  return pickAny({ place, placeholder, items, picked: before });
}

/** The input of one setting. @param leastContext points that the base model must see at least, where that is known */
export function askSetting(app: App, { field, detail }: SettingItem, leastContext = 0): Step<Settings> {
  if (field === 'use_rope_scaling') {
    return async (_state, place, before) => {
      const items = [{ label: vscode.l10n.t('Yes') }, { label: vscode.l10n.t('No') }];
      const picked = before[field] === undefined ? [] : [items[before[field] ? 0 : 1]];
      return { [field]: (await pickOne({ place, placeholder: detail, items, picked })) === items[0] };
    };
  }
  return async (_state, place, before) => {
    const offers = await app.connection.client().capabilities();
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } =
      offers.rules('createFineTunedModel', 'config', field) ?? {};
    const least = Math.max(0, Math.ceil(minimum), field === 'context_length' ? leastContext : 0);
    const most = Math.min(Math.floor(maximum), Number.MAX_SAFE_INTEGER);
    const check = (text: string) => wholeNumber(text, least, most);
    const value = before[field]?.toString() ?? '';
    return { [field]: Number(await askText({ place, prompt: detail, value, check })) };
  };
}

function wholeNumber(text: string, least: number, most: number): string | undefined {
  const isWithin = /^\d{1,15}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most;
  if (isWithin) return undefined;
  if (most < Number.MAX_SAFE_INTEGER) return vscode.l10n.t('Enter a whole number from {0} to {1}.', least, most);
  return least > 0
    ? vscode.l10n.t('Enter a whole number of {0} or more.', least)
    : vscode.l10n.t('Enter a whole number.');
}
