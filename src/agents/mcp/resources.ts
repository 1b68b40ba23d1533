import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { ServiceError } from '../../client/errors.ts';
import type { AgentContext } from '../context.ts';
import { findPrediction } from '../find.ts';

const PREDICTION = 'forecasts://predictions/';

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: `${PREDICTION}{id}`,
    name: 'prediction',
    title: 'Forecast',
    description: 'A stored prediction of the service, whole, as the interface gives it',
    mimeType: 'application/json',
  },
];

/** The stored predictions as resources, a page at a time. */
export async function listResources(context: AgentContext, cursor: string | undefined, signal: AbortSignal) {
  const { client } = await service(context);
  const { items, next } = await client.listPredictions({ size: 50, cursor, signal }, false).catch(asMcp);
  return {
    resources: items.map(({ id, name, status, ai_model_id, created_at }) => ({
      uri: PREDICTION + encodeURIComponent(id),
      name: name ?? `Prediction ${id}`,
      description: [ai_model_id, status, created_at].filter(Boolean).join(', '),
      mimeType: 'application/json',
    })),
    ...(next === undefined ? {} : { nextCursor: next }),
  };
}

/** Reads one of them. */
export async function readResource(context: AgentContext, uri: string, signal: AbortSignal) {
  const { client } = await service(context);
  const id = uri.startsWith(PREDICTION) ? decoded(uri.slice(PREDICTION.length)) : undefined;
  const prediction = id ? await findPrediction(client, id, signal).catch(asMcp) : undefined;
  if (!prediction) throw new McpError(NOT_FOUND, `There is no resource ${uri}.`);
  return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(prediction) }] };
}

/** The code that the protocol has for a resource that is not there. */
const NOT_FOUND = -32002;

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const service = (context: AgentContext) => context.service().catch(asMcp);

function asMcp(error: unknown): never {
  if (error instanceof ServiceError) throw new McpError(ErrorCode.InternalError, error.message);
  throw error;
}
