import * as vscode from 'vscode';
import { defaultHorizon } from '../../calendar/frequency.ts';
import { stepNoun } from '../../calendar/words.ts';
import { type Horizon, parseHorizon } from '../../calendar/horizon.ts';
import { zoneOf } from '../../calendar/zone.ts';
import type { ReadSeries } from '../../reading/types.ts';
import { askText } from '../ui/steps.ts';
import { inDigits } from '../../calendar/digits.ts';

/** Longer forecasts are refused by the local service. */
const MOST_STEPS = 10_000;

/** Asks how far ahead: steps, a span or a date. @param about what the button is for @throws Cancelled, Pressed */
export async function askHorizon(
  series: ReadSeries,
  place: Parameters<typeof askText>[0]['place'],
  suggested?: number,
  button?: vscode.QuickInputButton,
  about = '',
): Promise<number> {
  const { frequency, times, timeZone } = series;
  const value = String(suggested ?? defaultHorizon(frequency, times.length));
  const end = { last: times.at(-1) ?? NaN, frequency, zone: zoneOf(timeZone ?? 'UTC') };
  const hasSpans = frequency !== undefined;
  const inWords = stepNoun(frequency, Number(value));
  const prompt = hasSpans
    ? vscode.l10n.t(
        'How far ahead? A number of steps, a span such as 2 years, or until Dec 2027. {0} is {1}.',
        value,
        inWords,
      )
    : vscode.l10n.t('How far ahead? A number of steps. {0} is {1}.', value, inWords);
  const text = await askText({
    place,
    value,
    button,
    prompt: `${prompt} ${about}`.trim(),
    check: (input) => horizonFault(parseHorizon(input, end), hasSpans),
  });
  const horizon = parseHorizon(text, end);
  return 'steps' in horizon ? horizon.steps : Number(value);
}

function horizonFault(horizon: Horizon, hasSpans: boolean): string | undefined {
  const most = inDigits(MOST_STEPS);
  if ('steps' in horizon) {
    return horizon.steps <= MOST_STEPS
      ? undefined
      : vscode.l10n.t('That is {0} steps; enter at most {1}.', inDigits(horizon.steps), most);
  }
  switch (horizon.problem) {
    case 'none':
      return hasSpans
        ? vscode.l10n.t('Enter a number of steps from 1 to {0}, a span such as 2 years, or until Dec 2027.', most)
        : vscode.l10n.t('Enter a number of steps from 1 to {0}.', most);
    case 'past':
      return vscode.l10n.t('That is not a step after the end of the series. Enter more.');
    case 'irregular':
      return vscode.l10n.t('The series has no regular step, so only a number of steps can be given.');
  }
}
