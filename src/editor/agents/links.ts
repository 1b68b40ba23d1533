import * as vscode from 'vscode';
import type { App } from '../app.ts';

const EXTENSION = 'time-series-forecasts.time-series-forecasts';
const PATH = '/prediction';

/** The address that opens the chart of a prediction in this editor. */
export const chartLink = (serviceId: string, predictionId: string): string =>
  `${chartLinkOf(serviceId)}${encodeURIComponent(predictionId)}`;

/** The same up to the prediction's id. */
export const chartLinkOf = (serviceId: string): string =>
  `${vscode.env.uriScheme}://${EXTENSION}${PATH}?service=${encodeURIComponent(serviceId)}&id=`;

/** Opens the charts that such addresses name; only of services that are set up here. */
export function registerLinks(app: App): vscode.Disposable {
  return vscode.window.registerUriHandler({
    handleUri: ({ path, query }) => {
      const asked = new URLSearchParams(query);
      const serviceId = asked.get('service') ?? '';
      const predictionId = asked.get('id') ?? '';
      const isKnown = app.connection.all.some(({ id }) => id === serviceId);
      if (path === PATH && isKnown && predictionId !== '') app.panels.open({ serviceId, predictionId });
    },
  });
}
