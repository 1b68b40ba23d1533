import { FORECAST_ENDING } from '../../contract/forecast-file.ts';
import type { App } from '../app.ts';
import { readStored } from '../forecast/read-stored.ts';
import { nameParts, saveAs } from '../views/chart/save.ts';
import type { PredictionRef } from '../views/chart/protocol.ts';
import { fileOf, forecastFileText } from './file.ts';

/** Saves a forecast as a file that opens as its chart, with what was asked for. @throws ServiceError, Cancelled */
export async function saveForecastFile(app: App, ref: PredictionRef): Promise<void> {
  const { prediction, note, label } = await readStored(app, ref);
  const text = forecastFileText(fileOf(prediction, note));
  await saveAs(app.log, nameParts(label), FORECAST_ENDING, new TextEncoder().encode(text), note?.source?.uri);
}
