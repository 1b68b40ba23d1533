import * as l10n from '@vscode/l10n';
import { inDigits } from '../calendar/digits.ts';
import { type Frequency, seasonOf } from '../calendar/frequency.ts';
import { stepNoun } from '../calendar/format.ts';
import type { BacktestSummary, CovariateSummary, LocalPrediction } from '../contract/resources.ts';
import type { Figure, Notice } from './types.ts';

/** Id of the `action` that makes the forecast again with a model of this id. */
export const USE_MODEL = 'use-model:';

type Details = NonNullable<LocalPrediction['details']>;

/**
 * How good a forecast was on its own history, what its covariates were worth, and the bounds that it keeps to. A backtest
 * makes no use of covariates; where the forecast does, its figures say so.
 */
export function figuresOf(details: Details, frequency: Frequency | undefined): Figure[] {
  const { backtest, seasonal_periods: periods, covariates, bounds } = details;
  const tested = backtest ? backtestFigures(backtest, frequency, periods?.[0]) : [];
  const names = namesOf((covariates?.used ?? []).map(({ name }) => name));
  const without = tested.map(({ text, about, isPoor }, index) => ({
    text: index === 0 ? l10n.t('without {0}: {1}', names, text) : text,
    about: `${about} ${l10n.t('This is the forecast of the model without covariates.')}`,
    isPoor,
  }));
  const worth = covariates?.offered.length ? [covariateFigure(covariates)] : [];
  const scores = covariates?.used.length ? [...worth, ...without] : [...tested, ...worth];
  return [...scores, ...boundsFigures(bounds)];
}

/** How many percentage points an 80 % interval may cover less than 80 before it is marked, at best. */
const MOST_SHORT = 15;

function backtestFigures(tested: BacktestSummary, frequency: Frequency | undefined, period: number | undefined) {
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
export function adviceOf(tested: BacktestSummary, naive: string | undefined): Notice | undefined {
  const narrow = l10n.t('Its intervals were too narrow on this history: expect larger surprises than they show.');
  if (!isWorse(tested)) return isTooNarrow(tested) ? { sentence: narrow, actions: [] } : undefined;
  if (naive === undefined)
    return {
      sentence: l10n.t('The seasonal naive baseline did better on this series. Try another model.'),
      actions: [],
    };
  const use = { id: `${USE_MODEL}${naive}`, label: l10n.t('Use It') };
  return { sentence: l10n.t('The seasonal naive baseline did better on this series.'), actions: [use] };
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

function covariateFigure(summary: CovariateSummary): Figure {
  const { used, offered, backtest } = summary;
  if (used.length === 0) {
    const text = l10n.t('without {0}', namesOf(offered));
    return { text, about: l10n.t('This did not help in a backtest, so it is not used.'), isPoor: false };
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
  return { text, about: [tested, effect].filter(Boolean).join(' '), isPoor: false };
}

/** How much less the error was with covariates than without, in percent of that; 0 or less where they did not help. */
export const gainOf = ({ backtest }: CovariateSummary): number =>
  backtest && backtest.mae_without > 0 ? Math.round(100 * (1 - backtest.mae / backtest.mae_without)) : 0;

/** Some names in a sentence, and of the others their number. */
export function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? l10n.t('{0} and {1} more', shown, String(names.length - 3)) : shown;
}

export const short = (value: number): string => String(Number(value.toPrecision(3)));
export const signed = (value: number): string => (value > 0 ? `+${short(value)}` : short(value).replace('-', '−'));

function boundsFigures(bounds: Details['bounds']): Figure[] {
  const { floor, capacity, whole, not_negative: isNotNegative } = bounds ?? {};
  const text = (bound: unknown): string => (typeof bound === 'number' ? inDigits(bound) : String(bound));
  const parts: string[] = [];
  if (floor != null && capacity != null) parts.push(l10n.t('between {0} and {1}', text(floor), text(capacity)));
  else if (capacity != null) parts.push(l10n.t('at most {0}', text(capacity)));
  else if (floor != null) parts.push(l10n.t('at least {0}', text(floor)));
  if (isNotNegative && !(typeof floor === 'number' && floor >= 0)) parts.push(l10n.t('not negative'));
  if (isNotNegative === false && floor == null) parts.push(l10n.t('may be negative'));
  if (whole) parts.push(l10n.t('whole numbers'));
  const about = l10n.t('The forecast and its intervals stay within these bounds, as requested.');
  return parts.length > 0 ? [{ text: parts.join(', '), about, isPoor: false }] : [];
}
