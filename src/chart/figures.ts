import * as l10n from '@vscode/l10n';
import { inDigits } from '../calendar/digits.ts';
import type { Frequency } from '../calendar/frequency.ts';
import { seasonOf } from '../calendar/season.ts';
import { stepNoun } from '../calendar/words.ts';
import type { BacktestSummary, Bounds, CovariateSummary } from '../contract/resources.ts';
import type { Figure, Notice } from './types.ts';

/** What the figures are about, besides the numbers themselves. */
export interface TestedForecast {
  readonly tested: BacktestSummary;
  readonly frequency: Frequency | undefined;
  /** Steps of the season that the baseline repeats. */
  readonly period: number | undefined;
}

/** Id of the `action` that makes the forecast again with a model of this id. */
export const USE_MODEL = 'use-model:';

/** How many percentage points an 80 % interval may cover less than 80 before it is marked, at best. */
const MOST_SHORT = 15;

/** The figures of a backtest: the gain over the baseline, and the coverage of the 80% interval. */
export function figuresOf({ tested, frequency, period }: TestedForecast): Figure[] {
  const { origins, horizon, skill, coverage80, mase, mase_seasonal_naive: naive } = tested;
  const ago =
    origins === 1 ? l10n.t('before the last') : l10n.t('from {0} points in the past, each before', String(origins));
  const how = l10n.t(
    'Backtest: the forecast was repeated {0} {1} of this series, without seeing them.',
    ago,
    stepNoun(frequency, horizon),
  );
  const figures: Figure[] = [];
  if (skill !== undefined) {
    const errors =
      mase === undefined || naive === undefined
        ? ''
        : l10n.t(
            ' Mean absolute scaled error (MASE, lower is better): {0}; of the seasonal naive baseline, which repeats {1}: {2}.',
            inDigits(mase, 2),
            lastSeason(frequency, period),
            inDigits(naive, 2),
          );
    figures.push({ text: skillWords(skill), about: `${how}${errors}`, isPoor: isWorse(tested) });
  }
  if (coverage80 !== undefined) {
    const covered = String(Math.round(coverage80 * 100));
    const about = l10n.t(
      '{0} The 80% interval covered {1}% of the values that followed; a good one covers about 80%.',
      how,
      covered,
    );
    const isPoor = isTooNarrow(tested);
    const text = isPoor
      ? l10n.t('80% interval covered only {0}%', covered)
      : l10n.t('80% interval covered {0}%', covered);
    figures.push({ text, about, isPoor });
  }
  if (figures.length > 0) return figures;
  const few = l10n.t('{0} That is too little for a percentage.', how);
  return [{ text: l10n.t('too little history to tell how accurate this forecast is'), about: few, isPoor: false }];
}

function skillWords(skill: number): string {
  const percent = Math.round(Math.abs(skill) * 100);
  if (percent === 0) return l10n.t('as good as the seasonal naive baseline, on its own history');
  return skill > 0
    ? l10n.t('{0}% better than the seasonal naive baseline, on its own history', percent)
    : l10n.t('{0}% worse than the seasonal naive baseline, on its own history', percent);
}

/**
 * What to do where a forecast did badly on its own history.
 * @param naive the id of seasonal naive, where the service has it and the forecast is by another model
 */
export function adviceOf({ tested }: TestedForecast, naive: string | undefined): Notice | undefined {
  if (isWorse(tested) && naive === undefined) {
    const sentence = l10n.t('The seasonal naive baseline did better on this series. Try another model.');
    return { sentence, actions: [] };
  }
  if (isWorse(tested)) {
    const use = { id: `${USE_MODEL}${naive}`, label: l10n.t('Use It') };
    return { sentence: l10n.t('The seasonal naive baseline did better on this series.'), actions: [use] };
  }
  if (!isTooNarrow(tested)) return undefined;
  const sentence = l10n.t('Its intervals were too narrow on this history: expect larger surprises than they show.');
  return { sentence, actions: [] };
}

const isWorse = ({ skill }: BacktestSummary): boolean => skill !== undefined && Math.round(skill * 100) < 0;

/** By more than chance explains of so few points. */
function isTooNarrow({ coverage80, origins, horizon }: BacktestSummary): boolean {
  if (coverage80 === undefined) return false;
  const chance = 200 * Math.sqrt((0.8 * 0.2) / Math.max(1, origins * horizon));
  return 80 - coverage80 * 100 > Math.max(MOST_SHORT, chance);
}

function lastSeason(frequency: Frequency | undefined, period: number | undefined): string {
  const season = seasonOf(frequency, period);
  if (typeof season === 'object') return l10n.t('the last {0}', stepNoun(frequency, season.steps));
  return {
    value: l10n.t('the last value'),
    year: l10n.t('last year'),
    week: l10n.t('last week'),
    day: l10n.t('yesterday'),
    hour: l10n.t('the last hour'),
  }[season];
}

const MOST_NAMES = 3;

/** What covariates were worth on a backtest, and what each does. */
function covariateFigures(summary: CovariateSummary | undefined): Figure[] {
  if (!summary || summary.offered.length === 0) return [];
  const { used, offered, backtest } = summary;
  if (used.length === 0) {
    const text = l10n.t('without {0}', namesOf(offered));
    return [{ text, about: l10n.t('This did not help in a backtest, so it is not used.'), isPoor: false }];
  }
  const effects = used.map(({ name, effect, low, high }) =>
    l10n.t('{0}: {1} from {2} to {3}', name, signed(effect), short(low), short(high)),
  );
  const gain = gainOf(summary);
  const tested =
    backtest &&
    l10n.t(
      'Mean absolute error in a backtest from {0} points in the past: {1}; without: {2}.',
      String(backtest.origins),
      short(backtest.mae),
      short(backtest.mae_without),
    );
  const effect = `${l10n.t('Effects, all else being equal:')} ${effects.join('; ')}.`;
  const names = namesOf(used.map(({ name }) => name));
  const text =
    gain > 0 ? l10n.t('with {0}: {1}% less error than without', names, String(gain)) : l10n.t('with {0}', names);
  return [{ text, about: [tested, effect].filter(Boolean).join(' '), isPoor: false }];
}

/** How much less the error was with covariates than without, in percent of that; 0 or less where they did not help. */
export const gainOf = ({ backtest }: CovariateSummary): number =>
  backtest && backtest.mae_without > 0 ? Math.round(100 * (1 - backtest.mae / backtest.mae_without)) : 0;

/** Figures of a backtest that made no use of covariates, after those of what they were worth; they say so. */
export function withCovariates(figures: readonly Figure[], summary: CovariateSummary | undefined): Figure[] {
  const worth = covariateFigures(summary);
  if (!summary || summary.used.length === 0) return [...figures, ...worth];
  const names = namesOf(summary.used.map(({ name }) => name));
  const without = figures.map((figure, index) => ({
    ...figure,
    text: index === 0 ? l10n.t('without {0}: {1}', names, figure.text) : figure.text,
    about: `${figure.about} ${l10n.t('This is the forecast of the model without covariates.')}`,
  }));
  return [...worth, ...without];
}

/** Some names in a sentence, and of the others their number. */
export function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return names.length > MOST_NAMES ? l10n.t('{0} and {1} more', shown, String(names.length - MOST_NAMES)) : shown;
}

export const short = (value: number): string => String(Number(value.toPrecision(3)));
export const signed = (value: number): string => (value > 0 ? `+${short(value)}` : short(value).replace('-', '−'));

/** Between what a forecast was to lie. */
export function boundsFigures(bounds: Bounds | null | undefined): Figure[] {
  if (!bounds) return [];
  const { floor, capacity, whole, not_negative: isNotNegative } = bounds;
  const has = (bound: unknown): boolean => bound !== undefined && bound !== null;
  const text = (bound: unknown): string => (typeof bound === 'number' ? inDigits(bound) : String(bound));
  const parts = [
    has(floor) && has(capacity)
      ? l10n.t('between {0} and {1}', text(floor), text(capacity))
      : has(capacity)
        ? l10n.t('at most {0}', text(capacity))
        : has(floor)
          ? l10n.t('at least {0}', text(floor))
          : undefined,
    isNotNegative === true && !(typeof floor === 'number' && floor >= 0) ? l10n.t('not negative') : undefined,
    isNotNegative === false && !has(floor) ? l10n.t('may be negative') : undefined,
    whole ? l10n.t('whole numbers') : undefined,
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return [];
  const about = l10n.t('The forecast and its intervals stay within these bounds, as requested.');
  return [{ text: parts.join(', '), about, isPoor: false }];
}
