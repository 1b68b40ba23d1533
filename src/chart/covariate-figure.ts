import * as l10n from '@vscode/l10n';
import type { CovariateSummary } from '../contract/local.ts';
import type { SeriesPoint } from '../contract/resources.ts';
import type { Figure } from './types.ts';

/** Names in a figure; the others are in what is told of it. */
const MOST_NAMES = 3;

/** What covariates were worth on a backtest, and what each does. */
function covariateFigures(summary: CovariateSummary | undefined): Figure[] {
  if (!summary || summary.offered.length === 0) return [];
  const { used, offered, backtest } = summary;
  if (used.length === 0) {
    const text = l10n.t('without {0}', namesOf(offered));
    return [{ text, about: l10n.t('On a backtest this did not help, so that it is not used.'), isPoor: false }];
  }
  const effects = used.map(({ name, effect, low, high }) =>
    l10n.t('{0}: {1} from {2} to {3}', name, signed(effect), short(low), short(high)),
  );
  const gain = gainOf(summary);
  const tested = backtest
    ? l10n.t(
        'Mean absolute error on a backtest at {0} times in the past: {1}; without: {2}.',
        String(backtest.origins),
        short(backtest.mae),
        short(backtest.mae_without),
      )
    : '';
  const names = namesOf(used.map(({ name }) => name));
  return [
    {
      text:
        gain > 0 ? l10n.t('with {0}: {1} % less error than without', names, String(gain)) : l10n.t('with {0}', names),
      about: `${tested} ${l10n.t('Effects, all else being as it was:')} ${effects.join('; ')}.`.trim(),
      isPoor: false,
    },
  ];
}

/** How much less the error was with covariates than without, in percent of that; 0 or less where they did not help. */
export const gainOf = ({ backtest }: CovariateSummary): number =>
  backtest && backtest.mae_without > 0 ? Math.round(100 * (1 - backtest.mae / backtest.mae_without)) : 0;

/** Figures of a backtest that made no use of covariates, after those of what they were worth; they say so. */
export function withCovariates(figures: readonly Figure[], summary: CovariateSummary | undefined): Figure[] {
  const worth = covariateFigures(summary);
  if (!summary || summary.used.length === 0) return [...figures, ...worth];
  const names = namesOf(summary.used.map(({ name }) => name));
  const told = figures.map((figure, index) => ({
    ...figure,
    text: index === 0 ? l10n.t('without {0}: {1}', names, figure.text) : figure.text,
    about: `${figure.about} ${l10n.t('It is that of the model without what is known beforehand.')}`,
  }));
  return [...worth, ...told];
}

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return names.length > MOST_NAMES ? l10n.t('{0} and {1} more', shown, String(names.length - MOST_NAMES)) : shown;
}

/** As effects of covariates are told. */
export const short = (value: number): string => String(Number(value.toPrecision(3)));
const signed = (value: number): string => (value > 0 ? `+${short(value)}` : short(value).replace('-', '−'));

/** The points without those at the end that only say what is known of the future. */
export function historyOf(points: readonly SeriesPoint[]): readonly SeriesPoint[] {
  let end = points.length;
  while (end > 0 && points[end - 1].value === undefined && points[end - 1].metadata?.covariates !== undefined) end--;
  return points.slice(0, end);
}
