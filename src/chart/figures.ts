import { inDigits } from '../calendar/digits.ts';
import * as l10n from '@vscode/l10n';
import type { Frequency } from '../calendar/frequency.ts';
import { stepNoun } from '../calendar/words.ts';
import { seasonOf } from '../calendar/season.ts';
import type { BacktestSummary } from '../contract/local.ts';
import type { Figure, Notice } from './types.ts';

/** What the figures are about, besides the numbers themselves. */
export interface TestedForecast {
  readonly tested: BacktestSummary;
  readonly frequency: Frequency | undefined;
  /** Steps of the season that the yardstick repeats. */
  readonly period: number | undefined;
}

/** Id of the `action` that makes the forecast again with a model of this id. */
export const USE_MODEL = 'use-model:';

/** How many percentage points an 80 % band may hold less than 80 before it is marked, at best. */
const MOST_SHORT = 15;

/** What is told of a backtest: the gain over the yardstick, and how much the 80 % band held. */
export function figuresOf({ tested, frequency, period }: TestedForecast): Figure[] {
  const { origins, horizon, skill, coverage80, mase, mase_seasonal_naive: naive } = tested;
  const ago =
    origins === 1 ? l10n.t('before the last') : l10n.t('at {0} times in the past, each before', String(origins));
  const how = l10n.t(
    'The forecast was repeated {0} {1} of this series, without seeing them.',
    ago,
    stepNoun(frequency, horizon),
  );
  const figures: Figure[] = [];
  if (skill !== undefined) {
    const percent = Math.round(Math.abs(skill) * 100);
    const than = l10n.t('repeating {0}', lastSeason(frequency, period));
    const errors =
      mase === undefined || naive === undefined
        ? ''
        : l10n.t(
            ' Mean absolute scaled error (MASE, lower is better): {0}; of {1}: {2}.',
            inDigits(mase, 2),
            than,
            inDigits(naive, 2),
          );
    figures.push({
      text:
        percent === 0
          ? l10n.t('as good as {0}, on its own history', than)
          : skill > 0
            ? l10n.t('{0} % better than {1}, on its own history', percent, than)
            : l10n.t('{0} % worse than {1}, on its own history', percent, than),
      about: `${how}${errors}`,
      isPoor: isWorse(tested),
    });
  }
  if (coverage80 !== undefined) {
    const held = Math.round(coverage80 * 100);
    const isPoor = isTooNarrow(tested);
    figures.push({
      text: isPoor ? l10n.t('80 % band held only {0} %', held) : l10n.t('80 % band held {0} %', held),
      about: l10n.t(
        '{0} Of what then came, {1} % lay inside the 80 % band; a good band holds about 80 %.',
        how,
        String(held),
      ),
      isPoor,
    });
  }
  if (figures.length === 0) {
    const few = l10n.t('{0} That is too little to claim a percentage from.', how);
    figures.push({ text: l10n.t('too little history to say how good this forecast is'), about: few, isPoor: false });
  }
  return figures;
}

/**
 * What to do where a forecast did badly on its own history.
 * @param naive the id of seasonal naive, where the service has it and the forecast is by another model
 */
export function adviceOf({ tested }: TestedForecast, naive: string | undefined): Notice | undefined {
  if (isWorse(tested)) {
    return naive === undefined
      ? {
          sentence: l10n.t('On this series repeating the last season did better. Try another model.'),
          actions: [],
        }
      : {
          sentence: l10n.t('Seasonal naive did better on this series.'),
          actions: [{ id: `${USE_MODEL}${naive}`, label: l10n.t('Use It') }],
        };
  }
  if (!isTooNarrow(tested)) return undefined;
  return {
    sentence: l10n.t('Its band was too narrow on this history: expect larger surprises than it shows.'),
    actions: [],
  };
}

const isWorse = ({ skill }: BacktestSummary): boolean => skill !== undefined && Math.round(skill * 100) < 0;

/** By more than chance explains of so few points. */
function isTooNarrow({ coverage80, origins, horizon }: BacktestSummary): boolean {
  if (coverage80 === undefined) return false;
  const chance = 200 * Math.sqrt((0.8 * 0.2) / Math.max(1, origins * horizon));
  return 80 - coverage80 * 100 > Math.max(MOST_SHORT, chance);
}

export function lastSeason(frequency: Frequency | undefined, period: number | undefined): string {
  const season = seasonOf(frequency, period);
  switch (season) {
    case 'value':
      return l10n.t('the last value');
    case 'year':
      return l10n.t('last year');
    case 'week':
      return l10n.t('last week');
    case 'day':
      return l10n.t('yesterday');
    case 'hour':
      return l10n.t('the last hour');
    default:
      return l10n.t('the last {0}', stepNoun(frequency, season.steps));
  }
}
