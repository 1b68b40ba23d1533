import * as z from 'zod/mini';
import { inEnglish } from '../calendar/digits.ts';
import { formatInstant } from '../calendar/format.ts';
import { Anomaly } from '../contract/resources.ts';
import { parseTimestamp } from '../calendar/timestamp.ts';
import { zoneOf } from '../calendar/zone.ts';
import { lastPoints } from '../reading/last-points.ts';
import { toPoints } from '../reading/points.ts';
import { ToolError } from './context.ts';
import { described, source } from './inputs.ts';
import { seriesOf } from './source.ts';
import { tool } from './tool.ts';
import { figures } from './words.ts';

const USUAL_RARITY = 1000;
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
      rarity: z.optional(
        described(
          z.number().check(z.gte(10), z.lte(1_000_000)),
          'How rare an anomaly is by chance: 1000 (the default) finds about one in 1,000 observations of pure noise; 100 finds more.',
        ),
      ),
    }),
    output: z.looseObject({
      series: z.string(),
      judged: z.int(),
      rarity: z.number(),
      anomalies: z.array(Anomaly),
    }),
    sends: true,
  },
  async (context, input, { signal }) => {
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
    const lines = shown.map((anomaly) => {
      const { value, expected, scale, rarity: found, sign } = anomaly;
      const number = figures(scale);
      const away = number(Math.abs(value - expected));
      return `${when(anomaly)}: ${value}, expected ${number(expected)} (${away} ${value < expected ? 'below' : 'above'}; usual deviation ${number(scale)}); ${SIGNS[sign] ?? sign}; 1 in ${inEnglish(found)} by chance`;
    });
    const cut = points.length > shown.length ? [`The ${shown.length} rarest of ${points.length} are listed.`] : [];
    const text = [
      `Anomalies of ${label}: ${points.length} in ${judged} tested observations, at 1 in ${inEnglish(rarity)} by chance (about ${figures(1)(judged / rarity)} would be found in noise).`,
      ...lines,
      ...cut,
      'Each is compared only with the observations before it. An anomaly is not necessarily an error: ask before leaving any of them out.',
    ].join('\n');
    return { text, data: { series: label, judged, rarity, anomalies: shown } };
  },
);
