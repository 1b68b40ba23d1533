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
  readonly places: readonly PlaceItem[];
}

export async function chooseCountry(app: App): Promise<void> {
  const before = setting('holidays.country').toUpperCase();
  const none: PlaceItem = { code: '', label: vscode.l10n.t('None') };
  const { places } = await runSteps<Answers>(vscode.l10n.t('Holidays'), { places: [] }, [
    async (_state, place) => {
      const names = new Intl.DisplayNames([vscode.env.language, 'en'], { type: 'region' });
      const items = (await app.reader.places())
        .map(({ code, name }): PlaceItem => ({ code, label: names.of(code) ?? name, description: code }))
        .sort((a, b) => a.label.localeCompare(b.label));
      const country = await pickOne({
        place,
        placeholder: vscode.l10n.t('Which country’s holidays should be offered for forecasts?'),
        items: [none, ...items],
        picked: [items.find(({ code }) => before.split('-')[0] === code) ?? none],
      });
      return { places: [country] };
    },
    regionStep(app, before, 1),
    regionStep(app, before, 2),
  ]);
  const { code = '' } = places.at(-1) ?? none;
  // “All of Germany” is Germany
  const label = places.find((one) => one.code === code)?.label ?? '';
  await saveSetting('holidays.country', code === '' ? undefined : code);
  await say.info(
    code === ''
      ? vscode.l10n.t('Holidays are no longer offered for forecasts.')
      : vscode.l10n.t(
          'Forecast with Options now offers the holidays of {0} for daily, hourly, and weekly series.',
          label,
        ),
  );
}

/** Asks for a region of the last place, if it has some with holidays of their own. @param depth the number of places so far */
function regionStep(app: App, before: string, depth: number): Step<Answers> {
  return async ({ places }, place) => {
    const above = places.slice(0, depth);
    const { code: whole, label } = above.at(-1)!;
    const isWhole = above.length < depth || above.at(-2)?.code === whole;
    const regions = whole === '' || isWhole ? [] : await app.reader.places(whole);
    if (regions.length === 0) return { places: above };
    const all: PlaceItem = { code: whole, label: vscode.l10n.t('All of {0}', label), description: whole };
    const items = regions.map(({ code, name }): PlaceItem => ({ code, label: name, description: code }));
    const known = items.find(({ code }) => before === code || before.startsWith(`${code}-`));
    const placeholder = vscode.l10n.t('Which region of {0}?', label);
    const chosen = await pickOne({ place, placeholder, items: [all, ...items], picked: [known ?? all] });
    return { places: [...above, chosen] };
  };
}
