import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { saveSetting, setting } from '../connection/settings.ts';
import { say } from '../ui/say.ts';
import { alone, pickOne } from '../ui/steps.ts';

export async function chooseCountry({ reader }: App): Promise<void> {
  const before = setting('holidays.country').toUpperCase();
  const countries = new Intl.DisplayNames([vscode.env.language, 'en'], { type: 'region' });
  const none = { label: vscode.l10n.t('None'), description: '' };
  const places = (await reader.places()).map(({ code, names: [name, ...parts] }) => {
    const [country] = code.split('-');
    return { label: [countries.of(country) ?? name, ...parts].join(' · '), description: code };
  });
  const { label, description: code } = await pickOne({
    place: alone(vscode.l10n.t('Holidays')),
    placeholder: vscode.l10n.t('The holidays of which country or region should be offered for forecasts?'),
    items: [none, ...places.sort((a, b) => a.label.localeCompare(b.label))],
    picked: [places.find(({ description }) => description.toUpperCase() === before) ?? none],
  });
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
