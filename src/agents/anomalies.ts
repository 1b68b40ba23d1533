import { formatInstant } from '../calendar/format.ts';
import type { Anomaly } from '../contract/local.ts';
import { parseTimestamp } from '../calendar/timestamp.ts';
import { zoneOf } from '../calendar/zone.ts';
import { lastPoints } from '../reading/last-points.ts';
import { toPoints } from '../reading/points.ts';
import { type AgentContext, type Answer, type Call, ToolError } from './context.ts';
import type { FindAnomalies } from './inputs.ts';
import { seriesOf } from './source.ts';
import { figures } from './words.ts';
import { inEnglish } from '../calendar/digits.ts';

const USUAL_RARITY = 1000;
const MOST_LISTED = 30;

const SIGNS: Readonly<Record<string, string>> = {
  spike: 'far from the expected value',
  stretch: 'the end of a stretch of unusual movement',
  level: 'away from its usual level at that time',
};

/** Finds the observations of a series that those before it did not let expect. */
export async function findAnomalies(context: AgentContext, input: FindAnomalies, { signal }: Call): Promise<Answer> {
  const { label, series } = await seriesOf(context, input, signal);
  const { client, name } = await context.service();
  if (!(await client.capabilities()).has('findAnomalies'))
    throw new ToolError(`${name} does not offer anomaly detection.`);
  const rarity = input.rarity ?? USUAL_RARITY;
  const { points, judged } = await client.do('findAnomalies', {
    body: { series: toPoints(lastPoints(series)), rarity },
    signal,
  });
  const worst = points.toSorted((a, b) => b.rarity - a.rarity).slice(0, MOST_LISTED);
  const shown = worst.toSorted((a, b) => parseTimestamp(a.timestamp) - parseTimestamp(b.timestamp));
  const zone = zoneOf(series.timeZone ?? 'UTC');
  const when = ({ timestamp, metadata }: Anomaly) =>
    typeof metadata?.row === 'number'
      ? `row ${metadata.row}`
      : formatInstant(parseTimestamp(timestamp), series.frequency, zone);
  const lines = shown.map(({ value, expected, scale, rarity: found, sign, ...rest }) => {
    const number = figures(scale);
    const away = number(Math.abs(value - expected));
    return `${when({ value, expected, scale, rarity: found, sign, ...rest })}: ${value}, expected ${number(expected)} (${away} ${value < expected ? 'below' : 'above'}; usual deviation ${number(scale)}); ${SIGNS[sign] ?? sign}; 1 in ${inEnglish(found)} by chance`;
  });
  const cut = points.length > shown.length ? [`The ${shown.length} rarest of ${points.length} are listed.`] : [];
  const text = [
    `Anomalies of ${label}: ${points.length} in ${judged} tested observations, at 1 in ${inEnglish(rarity)} by chance (about ${figures(1)(judged / rarity)} would be found in noise).`,
    ...lines,
    ...cut,
    'Each is compared only with the observations before it. An anomaly is not necessarily an error: ask before leaving any of them out.',
  ].join('\n');
  return { text, data: { series: label, judged, rarity, anomalies: shown } };
}
