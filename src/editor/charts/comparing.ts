import type { LocalPrediction } from '../../contract/resources.ts';
import type { App } from '../app.ts';
import { type Session, sessionOf } from '../connection/connection.ts';
import { finished, makeForecast, NO_CHART, readOne, sentOf } from '../forecast/forecaster.ts';
import type { Entry } from '../views/chart/comparison.ts';
import type { Chart } from '../views/chart/reducer.ts';
import { seriesKey } from '../views/chart/state.ts';

const MOST_SEARCHED = 50;

/** The other forecasts of the series of a chart. @throws ServiceError */
export async function otherForecasts(app: App, { ref, prediction: main }: Chart, signal: AbortSignal) {
  const noteOf = (id: string) => app.memory.recall(ref.serviceId, id);
  const series = seriesKey(noteOf(ref.predictionId), main);
  const isOther = (one: LocalPrediction) =>
    one.status === 'COMPLETED' &&
    one.id !== main?.id &&
    ((main?.input_series_id !== undefined && one.input_series_id === main.input_series_id) ||
      (series !== undefined && seriesKey(noteOf(one.id), one) === series));
  const { client } = sessionOf(app.connection, ref.serviceId);
  const { items } = await client.listPredictions({ size: MOST_SEARCHED, signal }, false);
  return items.filter(isOther);
}

/** Makes the forecast of an entry and its backtest, and passes each on as soon as it is there. @throws ServiceError */
export async function* fill(app: App, chart: Chart, entry: Entry, signal: AbortSignal): AsyncGenerator<Partial<Entry>> {
  const { serviceId } = chart.ref;
  const session = sessionOf(app.connection, serviceId);
  const { client } = session;
  const prediction = entry.prediction ?? (await finished(session, await make(app, session, entry, signal), signal));
  const isScenario = entry.isScenario ?? app.memory.recall(serviceId, prediction.id)?.scenario !== undefined;
  if (!entry.prediction) yield { prediction, isScenario };
  // a scenario has the past of the main line
  if (isScenario || !(await client.capabilities()).has('getBacktest')) return;
  const horizon = chart.comparison?.entries[0]?.prediction?.prediction_series?.length;
  const query = horizon ? { prediction_length: String(horizon) } : {};
  yield { backtest: await client.do('getBacktest', { id: prediction.id, query, signal }) };
}

async function make(app: App, session: Session, { make: how }: Entry, signal: AbortSignal): Promise<LocalPrediction> {
  if (!how || 'id' in how) return readOne(session, how?.id ?? '', signal);
  const { from, change, other } = how;
  const ref = { serviceId: session.info.id, predictionId: from.id };
  return makeForecast(app, sentOf(app, ref, from, other), { ...change, show: NO_CHART }, signal);
}
