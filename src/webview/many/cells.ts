import * as l10n from '@vscode/l10n';
import { inDigits, inSignificant } from '../../calendar/digits.ts';
import type { SeriesRow } from '../../editor/views/many-series/protocol.ts';
import { changeOf } from './order.ts';

/** A share with its sign: `+4.2 %`, `−0.3 %`. */
function percent(share: number): string {
  const digits = Math.abs(share) >= 10 ? 0 : 1;
  const text = inDigits(Math.abs(share * 100), digits);
  const isNone = Number(Math.abs(share * 100).toFixed(digits)) === 0;
  return `${isNone ? '' : share < 0 ? '−' : '+'}${text} %`;
}

/** The words of a row, column by column; what is not known is a dash. */
export function cellsOf(row: SeriesRow): {
  readonly last: string;
  readonly next: string;
  readonly change: string;
  readonly error: string;
  readonly held: string;
} {
  const { last, next, error, held } = row;
  const change = changeOf(row);
  return {
    last: last === undefined ? '–' : inSignificant(last, 5),
    next: next === undefined ? '–' : inSignificant(next, 5),
    change: change === undefined ? '–' : percent(change),
    error: error === undefined ? '–' : `${inDigits(error, 1)} %`,
    held: held === undefined ? '–' : `${String(Math.round(held * 100))} %`,
  };
}

/** What the figures of a row mean, in a sentence each. */
export function aboutRow({ name, model, error, skill, held }: SeriesRow): string {
  const percent = skill === undefined ? '' : String(Math.round(Math.abs(skill) * 100));
  return [
    model === undefined ? name : `${name} · ${model}`,
    ...(error === undefined ? [] : [l10n.t('{0} % error on its own last part', inDigits(error, 1))]),
    ...(skill === undefined
      ? []
      : [
          skill >= 0
            ? l10n.t('{0} % better than repeating the last season', percent)
            : l10n.t('{0} % worse than repeating the last season', percent),
        ]),
    ...(held === undefined ? [] : [l10n.t('its 80 % band held {0} %', String(Math.round(held * 100)))]),
  ].join('\n');
}
