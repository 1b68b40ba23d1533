import { forecastDecimals } from '../../calendar/digits.ts';
import type { ServiceClient } from '../../client/client.ts';
import { ServiceError } from '../../client/errors.ts';
import { rounded, type WritingOptions } from '../../reading/writing/forecast-columns.ts';
import type { Session } from '../connection/connection.ts';
import { BETWEEN } from '../files/sources.ts';
import type { Member, Source } from '../connection/memory.ts';
import { PointQuantiles, type LocalPrediction } from '../../contract/local.ts';
import { parseTimestamp } from '../../calendar/timestamp.ts';
import type { WritableSeries } from '../../reading/writing/write.ts';

const PAGE = 100;

/** How often a stream is begun that breaks off. */
const STREAMS = 3;

/** Of forecasts that add up. */
const MORE_DECIMALS = 4;

/** Tells how far the work is. */
export type Report = (message: string) => void;

/** Forecasts of many series that belong together. */
export interface ForecastSet {
  readonly label: string;
  readonly session: Session;
  readonly source: Source | undefined;
  /** Where the service has their series; absent where it forecasts one at a time. */
  readonly datasetId?: string | undefined;
  /** Without their input; a service that cannot leave it out sends it. */
  readonly predictions: readonly LocalPrediction[];
  /** The forecasts, to be written in one document. */
  readonly forecasts: (options: WritingOptions) => Promise<readonly WritableSeries[]>;
  /** Why there are fewer than there should be, in a sentence. */
  readonly shortfall?: string | undefined;
}

/** The predictions of a dataset that are wanted, newest first; a page at a time. @param withInput beside the series ahead */
export async function* predictionsOfDataset(
  client: ServiceClient,
  datasetId: string,
  wanted: ReadonlySet<string> | undefined,
  withSeries: boolean,
  signal?: AbortSignal,
  withInput = false,
): AsyncGenerator<LocalPrediction[]> {
  let cursor: string | undefined;
  do {
    const page = await client.listDatasetPredictions(datasetId, {
      cursor,
      size: withSeries ? PAGE : 200,
      withSeries,
      withInput,
      withSketch: !withSeries,
      signal,
    });
    yield page.items.filter(({ id }) => wanted === undefined || wanted.has(id));
    cursor = page.next === cursor ? undefined : page.next;
  } while (cursor !== undefined);
}

/** Of predictions that come newest first, those that are the newest of their series. */
export async function* newestOfEach(
  pages: AsyncIterable<readonly LocalPrediction[]>,
): AsyncGenerator<LocalPrediction[]> {
  const seen = new Set<string>();
  for await (const page of pages) {
    yield page.filter(({ input_series_id: series }) => {
      if (series === undefined) return true;
      const isNew = !seen.has(series);
      seen.add(series);
      return isNew;
    });
  }
}

type Forecast = Pick<LocalPrediction, 'name' | 'input_series' | 'prediction_series'>;

/** The forecasts of a dataset, to be written in one document. @param predictions those that are wanted, without series */
export async function forecastsOfDataset(
  client: ServiceClient,
  datasetId: string,
  predictions: readonly LocalPrediction[],
  source: Source | undefined,
  options: WritingOptions,
  signal?: AbortSignal,
): Promise<WritableSeries[]> {
  const left = new Map(predictions.map((one) => [one.id, one]));
  const streamed: WritableSeries[] = [];
  const take = (id: string, { name, input_series, prediction_series }: Forecast, all: WritableSeries[]) => {
    const one = left.get(id);
    if (one && prediction_series)
      all.push(writableForecast({ ...one, name: one.name ?? name, input_series, prediction_series }, source, options));
    left.delete(id);
  };
  // the stream has no history
  const { withHistory } = options;
  for (let attempt = 0; attempt < STREAMS && left.size > 0 && !withHistory; attempt++) {
    if (!(await client.capabilities()).givesLines('listForecasts')) break;
    try {
      for await (const forecast of client.datasetForecasts(datasetId, signal)) {
        take(forecast.prediction_id, forecast, streamed);
        if (left.size === 0) break;
      }
      break;
    } catch (error) {
      // what came is kept; where it breaks off again and again the rest comes page by page
      if (!(error instanceof ServiceError)) throw error;
    }
  }
  const listed: WritableSeries[] = [];
  if (left.size === 0) return streamed;
  const wanted = new Set(left.keys());
  for await (const page of predictionsOfDataset(client, datasetId, wanted, true, signal, withHistory)) {
    for (const one of page) {
      const isLeftOut = one.series_left_out !== undefined;
      take(one.id, isLeftOut ? await client.getPrediction(one.id, signal) : one, listed);
    }
    if (left.size === 0) break;
  }
  return [...streamed, ...listed.reverse()];
}

/** The file that a series of several files came from, and what it is called there: names begin with the file's. */
function memberOf(name: string, members: readonly Member[]): Member & { readonly series: string } {
  const own = members
    .filter(({ file }) => name === file || name.startsWith(`${file}${BETWEEN}`))
    .reduce<Member | undefined>((best, each) => (best && best.file.length > each.file.length ? best : each), undefined);
  if (!own) return { file: '', series: name };
  return { ...own, series: own.series ?? name.slice(own.file.length + BETWEEN.length) };
}

/** A forecast as it is written: by the name of its series, with a column for each quantile but the median. */
export function writableForecast(
  { id, name = id, input_series = [], prediction_series = [], details }: LocalPrediction,
  source: Source | undefined,
  { names, withHistory }: WritingOptions = { names: 'limits', withHistory: false },
): WritableSeries {
  const member = source?.members && memberOf(name, source.members);
  const { timeColumn = 'timestamp', timeZone, idColumn, valueColumn } = source ?? {};
  const timeKind = member?.timeKind ?? source?.timeKind ?? 'instant';
  const quantiles = prediction_series.map(({ metadata }) => {
    const parsed = PointQuantiles.safeParse(metadata);
    return parsed.success ? parsed.data.quantiles : {};
  });
  const levels = Object.keys(quantiles[0] ?? {}).sort((a, b) => Number(a) - Number(b));
  const past = Float64Array.from(input_series, ({ value }) => value ?? NaN);
  const usual = member?.decimals ?? source?.decimals ?? forecastDecimals(past);
  // what adds up is still to do so when thousands of parts are rounded; the medians of counts do not add up
  const isSummed = details?.totals !== undefined;
  const decimals = isSummed ? usual + MORE_DECIMALS : usual;
  const history = {
    times: Float64Array.from(input_series, ({ timestamp }) => parseTimestamp(timestamp)),
    values: past,
  };
  return {
    id: member?.series ?? name,
    ...(member ? { file: member.file } : {}),
    forecast: { names, ...(withHistory ? { history } : {}) },
    valueColumn: valueColumn ?? 'value',
    timeColumn,
    idColumn: idColumn ?? 'series',
    timeKind,
    timeZone,
    times: Float64Array.from(prediction_series, ({ timestamp }) => parseTimestamp(timestamp)),
    values: rounded(
      Float64Array.from(
        quantiles,
        (one, step) => (isSummed ? undefined : one['0.5']) ?? prediction_series[step].value ?? NaN,
      ),
      decimals,
    ),
    quantiles: Object.fromEntries(
      levels
        .filter((level) => level !== '0.5')
        .map((level) => [
          level,
          rounded(
            Float64Array.from(quantiles, (one) => one[level] ?? NaN),
            decimals,
          ),
        ]),
    ),
  };
}
