import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { ServiceError } from '../client/errors.ts';
import type { App } from './app.ts';
import { targets } from './files/document.ts';
import { askForFiles } from './files/find-files.ts';
import { readOne } from './forecast/forecaster.ts';
import { Cancelled } from './ui/failure.ts';
import { withPatience } from './ui/progress.ts';
import { say } from './ui/say.ts';
import { alone, type Listing, pickOne } from './ui/steps.ts';
import type { PredictionRef } from './views/chart/protocol.ts';
import { describeEntry, type Group, type ResourceNode } from './views/tree/kinds.ts';

/** Predictions that are listed at once. */
const AT_A_TIME = 50;

/** What a button on the chart of a prediction names, and what is to be changed about it. */
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
export const namedPrediction = (value: unknown) => NamedPrediction.safeParse(value).data;

/** The prediction a command is for: that of a button or a row, else that of the chart in front; asked for where there is none. @throws Cancelled, ServiceError */
export async function chosenPrediction(app: App, argument: unknown, title: string): Promise<PredictionRef> {
  const named = namedPrediction(argument);
  if (named) return { serviceId: named.serviceId, predictionId: named.predictionId };
  if (isNode(argument, 'prediction')) return { serviceId: argument.serviceId, predictionId: argument.id };
  return app.panels.front ?? choosePrediction(app, title);
}

/** Lets the person choose a prediction: of the newest, or of all by what is typed. @throws Cancelled, ServiceError */
async function choosePrediction(app: App, title: string): Promise<PredictionRef> {
  const { id: serviceId } = app.connection.current;
  const { client } = await app.connection.ready();
  type Item = vscode.QuickPickItem & { readonly id: string };
  const read = async (before: readonly Item[], cursor?: string): Promise<Listing<Item>> => {
    const { items, total, next } = await client.listPredictions({ size: AT_A_TIME, cursor }, false);
    const seen = items.filter(({ id }) => !app.deletions.has(serviceId, id));
    const choices = seen.map((item): Item => {
      const note = app.memory.recall(serviceId, item.id);
      const { name: label, description } = describeEntry({ kind: 'prediction', id: item.id, item, note });
      return { label, description, id: item.id };
    });
    const all = [...before, ...choices];
    const isEnd = next === undefined || next === cursor || items.length === 0;
    return { items: all, total, more: isEnd ? undefined : () => read(all, next) };
  };
  const first = await withPatience(title, () => read([]));
  if (first.items.length === 0) {
    await say.info(vscode.l10n.t('There are no predictions yet.'));
    throw new Cancelled();
  }
  const placeholder = vscode.l10n.t('Which prediction?');
  const { id: predictionId } = await pickOne({ place: alone(title), placeholder, ...first });
  return { serviceId, predictionId };
}

/** The prediction a command is for, as {@link chosenPrediction}, as an entry of its view. @throws Cancelled, ServiceError */
export async function predictionNode(app: App, argument: unknown, title: string): Promise<ResourceNode> {
  const { serviceId, predictionId: id } = await chosenPrediction(app, argument, title);
  const session = app.connection.session(serviceId) ?? app.connection.inUse;
  const item = await readOne(session, id, new AbortController().signal);
  const isPinned = app.memory.pins(serviceId).includes(id);
  const offers = await session.client.capabilities();
  return { kind: 'prediction', id, item, note: app.memory.recall(serviceId, id), isPinned, serviceId, offers };
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

const OTHER_SERVICE = vscode.l10n.t(
  'This model belongs to a different service. Switch to that service to forecast with it.',
);

/** The model that a row of the views or the link on a model’s page names. @throws ServiceError */
export function modelOf(app: App, value: unknown): string | undefined {
  if (isNode(value, 'baseModel') || isNode(value, 'fineTunedModel')) return value.id;
  const { data: named } = z.object({ modelId: z.string(), serviceId: z.string() }).safeParse(value);
  if (named && named.serviceId !== app.connection.current.id) throw new ServiceError('refused', OTHER_SERVICE);
  return named?.modelId;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isResource = (node: unknown): node is ResourceNode =>
  isObject(node) && 'kind' in node && 'item' in node && 'serviceId' in node;

export const isGroup = (node: unknown): node is Group => isObject(node) && 'kind' in node && node.kind === 'group';

export const isNode = <K extends ResourceNode['kind']>(node: unknown, kind: K): node is ResourceNode & { kind: K } =>
  isResource(node) && node.kind === kind;

/** The entry that a command is for: itself, or by the link of a hover. */
export function linked(app: App, argument: unknown): ResourceNode | undefined {
  if (isResource(argument)) return argument;
  if (!isObject(argument) || !('id' in argument)) return undefined;
  const entries = [...app.trees.values()].flatMap((tree) => tree.entries);
  return entries.find(({ id }) => id === argument.id);
}

/** The tree nodes a command is for: the selected ones, or the one it was called on; of a group its entries. */
export function nodes(node: unknown, selected?: unknown): ResourceNode[] {
  const several: unknown[] = Array.isArray(selected) && selected.length > 0 ? (selected as unknown[]) : [node];
  return several.flatMap((one) => (isGroup(one) ? one.entries : isResource(one) ? [one] : []));
}
