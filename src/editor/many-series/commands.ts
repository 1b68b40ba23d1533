import type { App } from '../app.ts';
import { browseDataset, forecastAll } from './forecast-all.ts';
import { files, isNode, type Handlers } from '../arguments.ts';

/** The commands of this folder. */
export const manySeriesCommands = (app: App) =>
  ({
    forecastAll: async (uri, selected) => {
      const chosen = await files(uri, selected);
      if (chosen.length > 0) await forecastAll(app, chosen);
    },
    browseForecasts: (node) => (isNode(node, 'dataset') ? browseDataset(app, node) : undefined),
  }) satisfies Handlers;
