import { approximateStep, type Frequency, stepNoun } from '../../../calendar/frequency.ts';
import type { BacktestSummary } from '../../../contract/local.ts';
import type { Figure, Notice } from './protocol.ts';

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
  const ago = origins === 1 ? 'before the last' : `at ${String(origins)} times in the past, each before`;
  const how = `The forecast was repeated ${ago} ${stepNoun(frequency, horizon)} of this series, without seeing them.`;
  const figures: Figure[] = [];
  if (skill !== undefined) {
    const percent = Math.round(Math.abs(skill) * 100);
    const than = `repeating ${lastSeason(frequency, period)}`;
    const errors =
      mase === undefined || naive === undefined
        ? ''
        : ` Mean absolute scaled error (MASE, lower is better): ${mase.toFixed(2)}; of ${than}: ${naive.toFixed(2)}.`;
    figures.push({
      text:
        percent === 0
          ? `as good as ${than}, on its own history`
          : `${String(percent)} % ${skill > 0 ? 'better' : 'worse'} than ${than}, on its own history`,
      about: `${how}${errors}`,
      isPoor: isWorse(tested),
    });
  }
  if (coverage80 !== undefined) {
    const held = Math.round(coverage80 * 100);
    const isPoor = isTooNarrow(tested);
    figures.push({
      text: `80 % band held ${isPoor ? 'only ' : ''}${String(held)} %`,
      about: `${how} Of what then came, ${String(held)} % lay inside the 80 % band; a good band holds about 80 %.`,
      isPoor,
    });
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
      ? { sentence: 'On this series repeating the last season did better. Try another model.', actions: [] }
      : {
          sentence: 'Seasonal naive did better on this series.',
          actions: [{ id: `${USE_MODEL}${naive}`, label: 'Use It' }],
        };
  }
  if (!isTooNarrow(tested)) return undefined;
  return { sentence: 'Its band was too narrow on this history: expect larger surprises than it shows.', actions: [] };
}

const isWorse = ({ skill }: BacktestSummary): boolean => skill !== undefined && Math.round(skill * 100) < 0;

/** By more than chance explains of so few points. */
function isTooNarrow({ coverage80, origins, horizon }: BacktestSummary): boolean {
  if (coverage80 === undefined) return false;
  const chance = 200 * Math.sqrt((0.8 * 0.2) / Math.max(1, origins * horizon));
  return 80 - coverage80 * 100 > Math.max(MOST_SHORT, chance);
}

function lastSeason(frequency: Frequency | undefined, period: number | undefined): string {
  if (period === undefined || period <= 1) return 'the last value';
  const days = frequency && (approximateStep(frequency) * period) / 86_400_000;
  const near = (length: number) => days !== undefined && Math.abs(days / length - 1) < 0.02;
  if (near(365.25)) return 'last year';
  if (near(7)) return 'last week';
  if (near(1)) return 'yesterday';
  if (near(1 / 24)) return 'the last hour';
  return `the last ${stepNoun(frequency, Math.round(period))}`;
}
