import * as vscode from 'vscode';
import type { Bounds } from '../../contract/requests.ts';
import type { ReadSeries } from '../../reading/types.ts';
import { askText, pickAny, type Place } from '../ui/steps.ts';

interface BoundItem extends vscode.QuickPickItem {
  readonly kind: vscode.QuickPickItemKind;
  readonly is: 'notNegative' | 'whole' | 'floor' | 'capacity';
}

const isNotNegative = (series: readonly ReadSeries[]): boolean =>
  series.every(({ values }) => !values.some((value) => value < 0));

/** The columns beside a series that a bound may be. */
const columnsOf = ([series]: readonly ReadSeries[]): string[] =>
  (series?.beside?.columns ?? [])
    .filter(({ kind, name, isCalendar }) => kind === 'number' && !isCalendar && name !== series?.valueColumn)
    .map(({ name }) => name);

/** The columns that bounds are. */
export const boundColumns = ({ floor, capacity }: Bounds = {}): string[] =>
  [floor, capacity].filter((bound) => typeof bound === 'string');

/** The bounds of forecasts of these series in a few words, for a button. */
export function boundsInWords(bounds: Bounds | undefined, series: readonly ReadSeries[]): string {
  const { floor, capacity, whole, not_negative: asked } = bounds ?? {};
  const parts = [
    floor === undefined || floor === null ? undefined : vscode.l10n.t('at least {0}', floor),
    capacity === undefined || capacity === null ? undefined : vscode.l10n.t('at most {0}', capacity),
    (asked ?? isNotNegative(series)) ? vscode.l10n.t('not negative') : undefined,
    whole ? vscode.l10n.t('whole numbers') : undefined,
  ].filter((part) => part !== undefined);
  return parts.length > 0 ? vscode.l10n.t('Bounds: {0}', parts.join(', ')) : vscode.l10n.t('Bounds: none');
}

/**
 * Asks between what forecasts of these series are to lie.
 * @returns undefined where that is as without a word
 * @throws Cancelled, Back
 */
export async function chooseBounds(
  series: readonly ReadSeries[],
  place: Place,
  before: Bounds | undefined,
): Promise<Bounds | undefined> {
  const usual = isNotNegative(series);
  const columns = columnsOf(series);
  const kind = vscode.QuickPickItemKind.Default;
  const items: readonly BoundItem[] = [
    {
      kind,
      is: 'notNegative',
      label: vscode.l10n.t('Not negative'),
      description: usual ? vscode.l10n.t('as the series is so far') : vscode.l10n.t('the series has negative values'),
    },
    { kind, is: 'whole', label: vscode.l10n.t('Whole numbers') },
    { kind, is: 'floor', label: vscode.l10n.t('A floor…'), description: vscode.l10n.t('a number or a column') },
    { kind, is: 'capacity', label: vscode.l10n.t('A capacity…'), description: vscode.l10n.t('a number or a column') },
  ];
  const { floor, capacity, whole, not_negative: asked } = before ?? {};
  const isPicked: Record<BoundItem['is'], boolean> = {
    notNegative: asked ?? usual,
    whole: whole === true,
    floor: floor !== undefined && floor !== null,
    capacity: capacity !== undefined && capacity !== null,
  };
  const chosen = await pickAny({
    place,
    placeholder: vscode.l10n.t('Between what is the forecast to lie?'),
    items,
    picked: items.filter(({ is }) => isPicked[is]),
  });
  const has = (is: BoundItem['is']): boolean => chosen.some((item) => item.is === is);
  const deeper = { ...place, step: place.step + 1, totalSteps: place.totalSteps + 1 };
  const least = has('floor')
    ? await askBound(vscode.l10n.t('The forecast is never below:'), deeper, floor, columns)
    : undefined;
  const most = has('capacity')
    ? await askBound(vscode.l10n.t('The forecast is never above:'), deeper, capacity, columns, least)
    : undefined;
  const bounds: Bounds = {
    ...(least === undefined ? {} : { floor: least }),
    ...(most === undefined ? {} : { capacity: most }),
    ...(has('whole') ? { whole: true } : {}),
    ...(has('notNegative') === usual ? {} : { not_negative: has('notNegative') }),
  };
  return Object.keys(bounds).length > 0 ? bounds : undefined;
}

/** Asks for a number or for a column that says it. @param floor which it must be above */
async function askBound(
  prompt: string,
  place: Place,
  before: number | string | null | undefined,
  columns: readonly string[],
  floor?: number | string,
): Promise<number | string> {
  const named = columns.slice(0, 5).join(', ');
  const read = (text: string): number | string | undefined => {
    const number = Number(text.replaceAll(/(?<=\d)[,\u202f\u00a0 ](?=\d{3}\b)/g, ''));
    return text !== '' && Number.isFinite(number) ? number : columns.find((name) => name === text);
  };
  const text = await askText({
    place,
    prompt: columns.length > 0 ? vscode.l10n.t('{0} a number, or a column ({1}).', prompt, named) : prompt,
    value: String(before ?? ''),
    check: (input) => {
      const bound = read(input.trim());
      if (bound === undefined) {
        return columns.length > 0
          ? vscode.l10n.t('Enter a number, or the name of a column.')
          : vscode.l10n.t('Enter a number.');
      }
      return typeof bound === 'number' && typeof floor === 'number' && bound <= floor
        ? vscode.l10n.t('Enter a number above the floor, {0}.', floor)
        : undefined;
    },
  });
  return read(text) ?? text;
}
