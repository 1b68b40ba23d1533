import * as z from 'zod/mini';
import { forecastDecimals, inEnglish } from '../calendar/digits.ts';
import { formatInstant } from '../calendar/format.ts';
import { parseTimestamp } from '../calendar/timestamp.ts';
import { zoneOf } from '../calendar/zone.ts';
import { Anomaly } from '../contract/resources.ts';
import { lastPoints } from '../reading/last-points.ts';
import { toPoints } from '../reading/points.ts';
import type { ReadSeries } from '../reading/types.ts';
import { maybe, source } from './inputs.ts';
import { seriesOf } from './source.ts';
import { tool, ToolError } from './tool.ts';
import { numberWriter } from './words.ts';

const MOST_LISTED = 30;

const SIGNS: Readonly<Record<string, string>> = {
  spike: 'far from the expected value',
  stretch: 'the end of a stretch of unusual movement',
  level: 'away from its usual level at that time',
};

export const findAnomalies = tool(
  {
    name: 'find_anomalies',
    title: 'Find Anomalies',
    description:
      'Finds anomalies in a time series (outliers, level shifts, stretches of unusual movement), with the expected value and how rare each is by chance. Use it for “is anything odd here?”, “when did it change?”, and before trusting a forecast.',
    input: z.strictObject({
      ...source,
      rarity: maybe(
        'How rare an anomaly is by chance: 1000 (the default) finds about one in 1,000 observations of pure noise; 100 finds more.',
        z.number().check(z.gte(10), z.lte(1_000_000)),
      ),
    }),
    output: z.object({ series: z.string(), judged: z.int(), rarity: z.number(), anomalies: z.array(Anomaly) }),
    sends: true,
  },
  async (work, { rarity = 1000, ...input }) => {
    const { label, series } = await seriesOf(work, input);
    const { client, name } = await work.service();
    if (!(await client.capabilities()).has('findAnomalies'))
      throw new ToolError(`${name} does not offer anomaly detection.`);
    const body = { series: toPoints(lastPoints(series)), rarity };
    const { points, judged } = await client.do('findAnomalies', { body, signal: work.signal });
    const worst = points.toSorted((a, b) => b.rarity - a.rarity).slice(0, MOST_LISTED);
    const anomalies = worst.toSorted((a, b) => parseTimestamp(a.timestamp) - parseTimestamp(b.timestamp));
    const text = [
      `Anomalies of ${label}: ${points.length} in ${judged} tested observations, at 1 in ${inEnglish(rarity)} by chance (about ${numberWriter(1)(judged / rarity)} would be found in noise).`,
      ...anomalies.map((anomaly) => lineOf(anomaly, series)),
      ...(points.length > MOST_LISTED ? [`The ${MOST_LISTED} rarest of ${points.length} are listed.`] : []),
      'Each is compared only with the observations before it. An anomaly is not necessarily an error: ask before leaving any of them out.',
    ].join('\n');
    return { text, data: { series: label, judged, rarity, anomalies } };
  },
);

function lineOf(anomaly: Anomaly, { frequency, timeZone = 'UTC' }: ReadSeries): string {
  const { timestamp, metadata, value, expected, scale, rarity, sign } = anomaly;
  const isByRow = typeof metadata?.row === 'number';
  const when = isByRow ? `row ${metadata.row}` : formatInstant(parseTimestamp(timestamp), frequency, zoneOf(timeZone));
  const number = numberWriter(forecastDecimals([value], [{ lower: [-scale], upper: [scale] }]));
  const away = `${number(Math.abs(value - expected))} ${value < expected ? 'below' : 'above'}`;
  return `${when}: ${value}, expected ${number(expected)} (${away}; usual deviation ${number(scale)}); ${SIGNS[sign] ?? sign}; 1 in ${inEnglish(rarity)} by chance`;
}
