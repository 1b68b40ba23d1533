import * as z from 'zod/mini';
import { forecastDecimals, inEnglish } from '../calendar/digits.ts';
import { frequencyCode } from '../calendar/frequency.ts';
import { formatInstant, isoInstant } from '../calendar/format.ts';
import { parseTimestamp } from '../calendar/timestamp.ts';
import { zoneOf } from '../calendar/zone.ts';
import { Anomaly } from '../contract/resources.ts';
import { lastPoints, toPoints } from '../reading/points.ts';
import type { ReadSeries } from '../reading/types.ts';
import { knownAheadText } from './forecast.ts';
import { file, listed, maybe, nameOf, numberWriter, ofFile, openQuestions, placed } from './source.ts';
import { questionText, quoted, readingOf, seriesOf, source } from './source.ts';
import { ensure, textOf, tool } from './tool.ts';

const MOST_SERIES = 25;
const words = z.optional(z.string());

export const inspectFile = tool(
  {
    name: 'inspect_series_file',
    title: 'Inspect Series File',
    description:
      'Reads a CSV, TSV, JSON, NDJSON, Excel, or Parquet file with time series and reports its series, their frequency, range, and number of points, gaps, duplicates, and cells that are not numbers, which columns are known in advance, and which question a person would be asked about the file. Use it first for an unfamiliar file. Changes nothing.',
    input: z.strictObject({ ...ofFile, file }),
    output: z.object({
      file: z.string(),
      series_count: z.int(),
      series: z.array(
        z.object({
          ...{ id: z.string(), name: z.string(), frequency: words, start: words, end: words },
          ...{ points: z.int(), gaps: z.int(), missing: z.int(), duplicates: z.int() },
        }),
      ),
      problem_count: z.int(),
      questions: z.array(z.looseObject({ question: z.string() })),
    }),
  },
  async ({ read, signal }, input) => {
    const missing = input.treat_as_missing ? 'treat-as-missing' : 'report';
    const { fileName, document } = await read(input.file, { ...readingOf(input), missing }, signal);
    const { series, problems, problemCount, choices, columns } = document;
    const questions = openQuestions(choices);
    const shown = series.slice(0, MOST_SERIES);
    const hasTotals = choices.some(({ kind }) => kind === 'totals');
    const faults = listed(problems, 10, (problem) => `- ${placed(problem)}`, problemCount);
    const text = textOf(
      `${fileName}: ${series.length === 1 ? 'one series' : `${series.length} series`}${columns.length > 0 ? `; columns ${columns.slice(0, 40).map(nameOf).join(', ')}` : ''}.`,
      ...listed(series, MOST_SERIES, (one) => `- ${quoted(one.id)}: ${nameOf(one.summary)}; ${rangeText(one)}`),
      faults.length > 0 ? `Problems (${problemCount}):` : 'No problems were found.',
      ...faults,
      hasTotals && 'Total rows are left out. To include them: "layout": {"totals":"take"}.',
      ...knownAheadText(shown),
      ...questions.map((choice) => `Open question; ask the person unless they answered it: ${questionText(choice)}`),
    );
    const data = {
      file: fileName,
      series_count: series.length,
      series: shown.map((one) => ({
        ...one,
        frequency: one.frequency && frequencyCode(one.frequency),
        ...(one.timeKind === 'row' ? {} : spanOf(one)),
      })),
      problem_count: problemCount,
      questions: questions.map(({ question, options }) => ({ question, answers: options })),
    };
    return { text, data };
  },
);

function spanOf({ times, timeZone = 'UTC' }: ReadSeries): { readonly start: string; readonly end: string } {
  const zone = zoneOf(timeZone);
  return { start: isoInstant(times[0], zone), end: isoInstant(times[times.length - 1], zone) };
}

function rangeText({ values }: ReadSeries): string {
  const known = values.filter((value) => !Number.isNaN(value));
  const low = known.reduce((least, value) => Math.min(least, value), Infinity);
  const high = known.reduce((most, value) => Math.max(most, value), -Infinity);
  return `from ${low} to ${high}, last ${known.at(-1)}`;
}

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
    ensure((await client.capabilities()).has('findAnomalies'), `${name} does not offer anomaly detection.`);
    const body = { series: toPoints(lastPoints(series)), rarity };
    const { points, judged } = await client.do('findAnomalies', { body, signal: work.signal });
    const worst = points.toSorted((a, b) => b.rarity - a.rarity).slice(0, MOST_LISTED);
    const anomalies = worst.toSorted((a, b) => parseTimestamp(a.timestamp) - parseTimestamp(b.timestamp));
    const text = textOf(
      `Anomalies of ${label}: ${points.length} in ${judged} tested observations, at 1 in ${inEnglish(rarity)} by chance (about ${numberWriter(1)(judged / rarity)} would be found in noise).`,
      ...anomalies.map((anomaly) => lineOf(anomaly, series)),
      points.length > MOST_LISTED && `The ${MOST_LISTED} rarest of ${points.length} are listed.`,
      'Each is compared only with the observations before it. An anomaly is not necessarily an error: ask before leaving any of them out.',
    );
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
