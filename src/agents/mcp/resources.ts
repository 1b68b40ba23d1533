import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { isPending, type LocalPrediction } from '../../contract/resources.ts';
import { ServiceError } from '../../client/errors.ts';
import { printable } from '../../contract/texts.ts';
import { drawPicture, svgOf } from '../../chart/picture.ts';
import type { Pen } from '../../chart/pen.ts';
import type { AgentContext } from '../context.ts';
import { pictureOf, rowsOf } from './picture.ts';

/** An error of the protocol. The SDK's own writes its code into its message, which clients do once more. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: number;
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(code: number, message: string, data?: Readonly<Record<string, unknown>>) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

const PREDICTION = 'forecasts://predictions/';

/** Where the page is that shows a chart inside of a chat. */
export const APP_URI = 'ui://forecasts/chart.html';
/** As MCP Apps (2026-01-26) call such a page. */
export const APP_TYPE = 'text/html;profile=mcp-app';

/** What can be made of a prediction beyond its own data; each is absent where this process cannot make it. */
export interface Makers {
  /** PNG bytes of what is drawn. */
  readonly png?: ((draw: (pen: Pen) => void) => Promise<Uint8Array>) | undefined;
  /** The page for a chat, as one HTML document. */
  readonly app?: (() => Promise<string>) | undefined;
}

interface Form {
  readonly ending: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

const CSV: Form = {
  ending: '/forecast.csv',
  name: 'forecast-rows',
  title: 'Forecast as CSV',
  description: 'All steps of a prediction with its interval limits',
  mimeType: 'text/csv',
};
const SVG: Form = {
  ending: '/chart.svg',
  name: 'chart-svg',
  title: 'Chart as SVG',
  description: 'History, forecast, and intervals of a prediction as an image',
  mimeType: 'image/svg+xml',
};
const PNG: Form = { ...SVG, ending: '/chart.png', name: 'chart-png', title: 'Chart as PNG', mimeType: 'image/png' };
const JSON_FORM: Form = {
  ending: '',
  name: 'prediction',
  title: 'Forecast',
  description: 'A stored prediction as the service returns it',
  mimeType: 'application/json',
};

const formsOf = ({ png }: Makers): Form[] => [JSON_FORM, CSV, SVG, ...(png ? [PNG] : [])];

export const templates = (makers: Makers) =>
  formsOf(makers).map(({ ending, ...about }) => ({ uriTemplate: `${PREDICTION}{id}${ending}`, ...about }));

/** A link to the picture of a prediction, for the content of an answer. */
export function pictureLink(id: string, makers: Makers) {
  const { ending, mimeType, description } = makers.png ? PNG : SVG;
  const uri = PREDICTION + encodeURIComponent(id) + ending;
  return { type: 'resource_link' as const, uri, name: `Chart of ${id}`, description, mimeType };
}

/** The stored predictions as resources, a page at a time; the page for a chat comes first. */
export async function listResources(
  context: AgentContext,
  makers: Makers,
  cursor: string | undefined,
  signal: AbortSignal,
) {
  const { client } = await service(context);
  const { items, next } = await client.listPredictions({ size: 50, cursor, signal }, false).catch(asMcp);
  const app = { uri: APP_URI, name: 'chart', title: 'Chart of a Forecast', mimeType: APP_TYPE };
  return {
    resources: [
      ...(makers.app && cursor === undefined ? [app] : []),
      ...items.map(({ id, name, status, ai_model_id, created_at }) => ({
        uri: PREDICTION + encodeURIComponent(id),
        name: printable(name ?? `Prediction ${id}`),
        description: printable([ai_model_id, status, created_at].filter(Boolean).join(', ')),
        mimeType: JSON_FORM.mimeType,
      })),
    ],
    ...(next === undefined ? {} : { nextCursor: next }),
  };
}

/** Reads one of them. */
export async function readResource(context: AgentContext, makers: Makers, uri: string, signal: AbortSignal) {
  if (uri === APP_URI && makers.app) {
    // it needs nothing from anywhere but this document
    const _meta = { ui: { csp: {}, prefersBorder: true } };
    return { contents: [{ uri, mimeType: APP_TYPE, text: await makers.app(), _meta }] };
  }
  const form = formsOf(makers).findLast(({ ending }) => uri.endsWith(ending));
  const id =
    form && uri.startsWith(PREDICTION) && decoded(uri.slice(PREDICTION.length, uri.length - form.ending.length));
  const { client } = await service(context);
  const found = id ? await client.findPredictions(new Set([id]), signal).catch(asMcp) : undefined;
  const prediction = found?.jobs[0];
  if (!form || !prediction) throw new ProtocolError(NOT_FOUND, `There is no resource ${printable(uri)}.`, { uri });
  return { contents: [{ uri, mimeType: form.mimeType, ...(await contentOf(form, prediction, makers, uri)) }] };
}

async function contentOf(form: Form, prediction: LocalPrediction, { png }: Makers, uri: string) {
  if (form === JSON_FORM) return { text: JSON.stringify(prediction) };
  if (isPending(prediction.status)) {
    throw new ProtocolError(NOT_FOUND, `The prediction of ${uri} is not done yet (${prediction.status}).`, { uri });
  }
  const [rows, picture] = form === CSV ? [rowsOf(prediction)] : [undefined, pictureOf(prediction)];
  if (rows !== undefined) return { text: rows };
  if (!picture) throw new ProtocolError(NOT_FOUND, `The prediction of ${uri} has nothing to show.`, { uri });
  if (form !== PNG || !png) return { text: svgOf(...picture) };
  const bytes = await png((pen) => {
    drawPicture(pen, ...picture);
  });
  return { blob: Buffer.from(bytes).toString('base64') };
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
  if (error instanceof ServiceError) throw new ProtocolError(ErrorCode.InternalError, printable(error.message));
  throw error;
}
