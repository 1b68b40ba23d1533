import { compareModels, forecastSeries } from './forecast.ts';
import { findAnomalies, inspectFile } from './inspect.ts';
import { createModel, listModels, listPredictions, readPrediction } from './stored.ts';
import type { Tool } from './tool.ts';

export const TOOLS: readonly Tool[] = [
  inspectFile,
  forecastSeries,
  compareModels,
  findAnomalies,
  listPredictions,
  readPrediction,
  listModels,
  createModel,
];
