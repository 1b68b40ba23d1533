import { fileURLToPath } from 'node:url';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { ServiceError } from '../../client/errors.ts';
import { printable } from '../../contract/texts.ts';
import { type AgentContext, jsonSchema, type Tool } from '../tool.ts';
import { TOOLS } from '../tools.ts';
import {
  APP_URI,
  listResources,
  type Makers,
  pictureLink,
  protocolError,
  readResource,
  resourceTemplates,
} from './resources.ts';

export interface McpOptions {
  readonly version: string;
  /** Whether what is sent to the service stays on this machine. */
  readonly isLocal: boolean;
  /** Makes what the tools stand on, from the folders that the client names beside those of the command line. */
  readonly context: (clientFolders: () => Promise<readonly string[]>) => AgentContext;
  readonly report: (error: unknown) => void;
  readonly makers: Makers;
}

const INSTRUCTIONS =
  'Forecasts time series with prediction intervals and an accuracy measured on their own history. For any question about what comes next in a file of numbers over time, call forecast_series instead of estimating; call inspect_series_file first if the file is unfamiliar. Report the interval and the accuracy with every number. When a tool asks a question about a file, ask the person.';

export function createServer({ version, isLocal, context: contextFor, report, makers }: McpOptions): Server {
  const server = new Server(
    { name: 'time-series-forecasts', title: 'Time Series Forecasts', version },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  const context = contextFor(() =>
    foldersOf(server).catch((error: unknown) => {
      report(error);
      return [];
    }),
  );

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS.map((tool) => describe(tool, isLocal)) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    if (!tool) throw protocolError(ErrorCode.InvalidParams, `There is no tool ${printable(params.name)}.`);
    const token = params._meta?.progressToken;
    let last = -1;
    const progress = (share: number, message: string) => {
      // the protocol wants progress that only rises
      if (token === undefined || share <= last || extra.signal.aborted) return;
      last = share;
      const update = { progressToken: token, progress: share, total: 1, message };
      extra.sendNotification({ method: 'notifications/progress', params: update }).catch(report);
    };
    try {
      const { text, data, isError } = await tool.run(context, params.arguments, { signal: extra.signal, progress });
      const id = tool.shows && data.status === 'COMPLETED' ? data.prediction_id : undefined;
      const picture = typeof id === 'string' ? [pictureLink(id)] : [];
      return {
        content: [{ type: 'text', text: printable(text) }, ...picture],
        // clients hold the data of an error against the schema too
        ...(isError ? { isError } : { structuredContent: data }),
      };
    } catch (error) {
      if (!extra.signal.aborted) report(error);
      throw protocolError(ErrorCode.InternalError, `${tool.title} failed because of a bug in this server.`);
    }
  });
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }, { signal }) =>
    listResources(context, params?.cursor, signal).catch(asProtocolError),
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }, { signal }) =>
    readResource(context, makers, params.uri, signal).catch(asProtocolError),
  );
  server.onerror = report;
  return server;
}

function asProtocolError(error: unknown): never {
  if (error instanceof ServiceError) throw protocolError(ErrorCode.InternalError, printable(error.message));
  throw error;
}

function describe(tool: Tool, isLocal: boolean) {
  const { name, title, description, makes, sends, shows } = tool;
  return {
    name,
    title,
    description,
    inputSchema: jsonSchema(tool, 'input'),
    outputSchema: jsonSchema(tool, 'output'),
    annotations: {
      title,
      readOnlyHint: !makes,
      destructiveHint: false,
      idempotentHint: !makes,
      // a remote service is a world outside; the local one is not
      openWorldHint: sends === true && !isLocal,
    },
    // the second name is of hosts from before the specification was final
    ...(shows ? { _meta: { ui: { resourceUri: APP_URI }, 'ui/resourceUri': APP_URI } } : {}),
  };
}

async function foldersOf(server: Server): Promise<readonly string[]> {
  if (!server.getClientCapabilities()?.roots) return [];
  const { roots } = await server.listRoots();
  return roots.flatMap(({ uri }) => {
    try {
      return [fileURLToPath(uri)];
    } catch {
      return []; // a root of another file system
    }
  });
}
