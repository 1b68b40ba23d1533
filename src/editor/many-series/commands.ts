import type { App } from '../app.ts';
import { forecastAll } from './forecast-all.ts';
import { files, type Handlers } from '../arguments.ts';

/** The commands of this folder. */
export const manySeriesCommands = (app: App) =>
  ({
    forecastAll: async (uri, selected) => {
      const chosen = await files(uri, selected);
      if (chosen.length > 0) await forecastAll(app, chosen);
    },
  }) satisfies Handlers;
