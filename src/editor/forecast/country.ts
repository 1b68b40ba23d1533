import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { saveSetting, setting } from '../connection/settings.ts';
import { say } from '../ui/say.ts';
import { pickOne, runSteps, type Step } from '../ui/steps.ts';

interface PlaceItem extends vscode.QuickPickItem {
  /** As in the setting; empty: none. */
  readonly code: string;
}

interface Answers {
  readonly country: PlaceItem;
  readonly part: PlaceItem | undefined;
  readonly region: PlaceItem | undefined;
}

/** Asks for the country, and its part, of which the holidays are offered to forecasts. @throws Cancelled */
export async function chooseCountry(app: App): Promise<void> {
  const before = setting('holidayCountry').toUpperCase();
  const none: PlaceItem = { code: '', label: vscode.l10n.t('None') };
  const start: Answers = { country: none, part: undefined, region: undefined };
  const { country, part, region } = await runSteps<Answers>(vscode.l10n.t('Holidays'), start, [
    async (_state, place) => {
      const names = new Intl.DisplayNames([vscode.env.language, 'en'], { type: 'region' });
      const items = (await app.reader.places())
        .map(({ code, name }): PlaceItem => ({ code, label: names.of(code) ?? name, description: code }))
        .sort((a, b) => a.label.localeCompare(b.label));
      return {
        country: await pickOne({
          place,
          placeholder: vscode.l10n.t('Which country’s holidays should be offered for forecasts?'),
          items: [none, ...items],
          picked: [items.find(({ code }) => before.split('-')[0] === code) ?? none],
        }),
      };
    },
    partStep(app, before, ({ country: { code } }) => code, 'part'),
    partStep(app, before, ({ part: chosen }) => (chosen?.code.includes('-') ? chosen.code : ''), 'region'),
  ]);
  const { code } = region ?? part ?? country;
  // “All of Germany” is Germany
  const { label } = [country, part, region].find((one) => one?.code === code) ?? country;
  await saveSetting('holidayCountry', code === '' ? undefined : code);
  await say.info(
    code === ''
      ? vscode.l10n.t('Holidays are no longer offered for forecasts.')
      : vscode.l10n.t(
          'Forecast with Options now offers the holidays of {0} for daily, hourly, and weekly series.',
          label,
        ),
  );
}

/** Asks for a part of a place, where it has some with holidays of their own. */
function partStep(
  app: App,
  before: string,
  within: (state: Answers) => string,
  field: 'part' | 'region',
): Step<Answers> {
  return async (state, place) => {
    const whole = within(state);
    const parts = whole === '' ? [] : await app.reader.places(whole);
    if (parts.length === 0) return { [field]: undefined };
    const above = field === 'part' ? state.country : (state.part ?? state.country);
    const all: PlaceItem = { code: whole, label: vscode.l10n.t('All of {0}', above.label), description: whole };
    const items = parts.map(({ code, name }): PlaceItem => ({ code, label: name, description: code }));
    const known = items.find(({ code }) => before === code || before.startsWith(`${code}-`));
    const placeholder = vscode.l10n.t('Which region of {0}?', above.label);
    return { [field]: await pickOne({ place, placeholder, items: [all, ...items], picked: [known ?? all] }) };
  };
}
