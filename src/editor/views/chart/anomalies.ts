import * as vscode from 'vscode';
import { parseTimestamp } from '../../../calendar/timestamp.ts';
import type { Anomalies, Anomaly, LocalPrediction } from '../../../contract/local.ts';
import type { AnomaliesView } from './protocol.ts';
import { inDigits } from '../../../calendar/digits.ts';

/** How rare by chance an anomaly is, to choose from: one in so many. */
const RARITIES = [100, 1000, 10_000];

/** The anomalies of a series, at the times of its observations. */
export function anomaliesView(
  { points, rarity, judged }: Anomalies,
  { input_series: series = [] }: LocalPrediction,
  ways: Pick<AnomaliesView, 'canMark' | 'canLeaveOut'>,
): AnomaliesView {
  const times = (series ?? []).map(({ timestamp }) => parseTimestamp(timestamp));
  const found = points.map((point) => {
    const row = nearest(times, parseTimestamp(point.timestamp));
    return {
      time: times[row] ?? parseTimestamp(point.timestamp),
      after: times.length - 1 - row,
      value: point.value,
      expected: point.expected,
      about: aboutOf(point),
    };
  });
  const rare = inDigits(rarity);
  const of = inDigits(judged);
  const sentence =
    found.length === 0
      ? vscode.l10n.t('No anomalies among {0} observations (threshold: 1 in {1} by chance).', of, rare)
      : found.length === 1
        ? vscode.l10n.t('1 anomaly among {0} observations (threshold: 1 in {1} by chance).', of, rare)
        : vscode.l10n.t(
            '{0} anomalies among {1} observations (threshold: 1 in {2} by chance).',
            found.length,
            of,
            rare,
          );
  return { sentence, points: found, rarity, rarities: RARITIES, ...ways };
}

/** How far out, how rare, and in what way. */
function aboutOf({ value, expected, scale, rarity, sign }: Anomaly): string {
  const far = scale > 0 ? Math.abs(value - expected) / scale : 0;
  const rare = vscode.l10n.t('1 in {0}', inDigits(rarity));
  const distance = vscode.l10n.t('{0} times the usual deviation', inDigits(far, 1));
  const way =
    sign === 'stretch'
      ? vscode.l10n.t('end of unusual movement')
      : sign === 'level'
        ? vscode.l10n.t('away from the usual level')
        : undefined;
  return [rare, distance, way].filter(Boolean).join(' · ');
}

/** The row of the observation that is nearest in time. */
function nearest(times: readonly number[], time: number): number {
  let best = -1;
  let distance = Infinity;
  times.forEach((one, row) => {
    if (Math.abs(one - time) >= distance) return;
    distance = Math.abs(one - time);
    best = row;
  });
  return best;
}
