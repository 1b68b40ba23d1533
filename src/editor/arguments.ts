import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { ServiceError } from '../client/errors.ts';
import type { App } from './app.ts';
import type { COMMANDS, ROWS } from './names.ts';
import { askForFiles } from './files/find-files.ts';
import { targets } from './files/document.ts';
import type { Changes } from './forecast/again.ts';
import { choosePrediction } from './resources.ts';
import type { PredictionRef } from './views/chart/protocol.ts';
import type { Group, ResourceNode } from './views/tree/kinds.ts';

/**
 * What a command does. What it is called on are files, entries of the views or buttons of a chart.
 * @param selected all that is selected, where it was called on a selection
 */
export type Handler = (argument: unknown, selected: unknown) => unknown;

/** Some of the commands, by name. */
export type Handlers = Partial<Record<keyof typeof COMMANDS | keyof typeof ROWS, Handler>>;

const NamedPrediction = z.object({
  predictionId: z.string(),
  serviceId: z.string(),
  model: z.optional(z.string()),
  horizon: z.optional(z.number()),
  intervals: z.optional(z.array(z.number())),
  covariates: z.optional(z.array(z.string())),
  isOtherModel: z.optional(z.boolean()),
  areColumnsChosen: z.optional(z.boolean()),
});

/** What a button on the chart of a prediction names. */
export const predictionRef = (value: unknown): (PredictionRef & Changes) | undefined =>
  NamedPrediction.safeParse(value).data;

/** The prediction a command is for: that of a button or a row, else that of the chart in front; asked for where there is none. @throws Cancelled, ServiceError */
export async function chosenPrediction(app: App, argument: unknown, title: string): Promise<PredictionRef> {
  const named = predictionRef(argument);
  if (named) return { serviceId: named.serviceId, predictionId: named.predictionId };
  if (isNode(argument, 'prediction')) return { serviceId: argument.serviceId, predictionId: argument.id };
  const { front } = app.panels;
  if (front) return front;
  return choosePrediction(app, title);
}

/** The files a command is for; asked for where there are none. */
export async function files(
  uri: unknown,
  selected: unknown,
  title = vscode.l10n.t('Choose a File to Forecast'),
  button?: string,
): Promise<vscode.Uri[]> {
  const found = targets(uri, selected);
  return found.length > 0 ? found : askForFiles(title, button);
}

const isResource = (node: unknown): node is ResourceNode =>
  typeof node === 'object' && node !== null && 'kind' in node && 'item' in node && 'serviceId' in node;

/** Whether it is a row of all predictions of one request. */
export const isRun = (node: unknown): node is Group => isGroup(node) && node.batchId !== undefined;

const isGroup = (node: unknown): node is Group =>
  typeof node === 'object' && node !== null && 'kind' in node && node.kind === 'group';

export function isNode<K extends ResourceNode['kind']>(node: unknown, kind: K): node is ResourceNode & { kind: K } {
  return isResource(node) && node.kind === kind;
}

/** The entry that a command is for: itself, or by the link of a hover. */
export function linked(app: App, argument: unknown): ResourceNode | undefined {
  if (isResource(argument)) return argument;
  if (typeof argument !== 'object' || argument === null || !('id' in argument)) return undefined;
  const entries = [...app.trees.values()].flatMap((tree) => tree.entries);
  return entries.find(({ id }) => id === argument.id);
}

/** The tree nodes a command is for: the selected ones, or the one it was called on; of a group its entries. */
export function nodes(node: unknown, selected: unknown): ResourceNode[] {
  const several: unknown[] = Array.isArray(selected) && selected.length > 0 ? (selected as unknown[]) : [node];
  return several.flatMap((one) => (isGroup(one) ? one.entries : isResource(one) ? [one] : []));
}

/** The prediction a command is for, as {@link chosenPrediction}, as an entry of its view. @throws Cancelled, ServiceError */
export async function predictionNode(app: App, argument: unknown, title: string): Promise<ResourceNode> {
  const { serviceId, predictionId: id } = await chosenPrediction(app, argument, title);
  const session = app.connection.session(serviceId) ?? app.connection.inUse;
  const [item] = (await session.client.findPredictions(new Set([id]), new AbortController().signal)).jobs;
  if (!item) throw new ServiceError('not-found', vscode.l10n.t('{0} is not there any more.', id));
  const { memory } = app;
  const isPinned = memory.pins(serviceId).includes(id);
  const offers = await session.client.capabilities();
  return { kind: 'prediction', id, item, note: memory.recall(serviceId, id), isPinned, serviceId, offers };
}
