import * as vscode from 'vscode';

/** One of the forecasts that lie over each other. */
interface Labelled {
  readonly label: string;
  /** Of its first step ahead; absent until it is known. */
  readonly start?: number | undefined;
  /** When it was made, in words. */
  readonly made?: string | undefined;
}

/**
 * Their labels, with what tells those of the same label apart: where their forecasts begin, else when they were made.
 * @param at a moment in words
 */
export function distinctLabels(entries: readonly Labelled[], at: (time: number) => string): string[] {
  return entries.map(({ label, start, made }) => {
    const same = entries.filter((one) => one.label === label);
    if (same.length < 2) return label;
    const isApart = same.filter((one) => one.start === start).length === 1;
    const apart = isApart && start !== undefined ? vscode.l10n.t('from {0}', at(start)) : made;
    return apart === undefined ? label : `${label} · ${apart}`;
  });
}
