/** `npm run --silent mcp`: the tools for agents as an MCP server on standard input and output; see docs/agents.md. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { Option } from 'commander';
import { resolveIn } from '../agents/mcp/folders.ts';
import * as resources from '../agents/mcp/resources.ts';
import { type AgentContext, jsonSchema, type Tool } from '../agents/tool.ts';
import { TOOLS } from '../agents/stored.ts';
import { ServiceClient } from '../client/client.ts';
import { ServiceError } from '../client/errors.ts';
import type { ClientOptions } from '../client/operations.ts';
import { storeForJob } from '../client/store-series.ts';
import { printable } from '../contract/texts.ts';
import { ThreadReader } from '../reading/thread/reader.ts';
import { openService } from '../service/host/service.ts';
import { newToken } from '../service/store/token.ts';
import { baseUrl, computeScript, endBySignal, group, notEmpty, report, scriptOf, versionOf } from './program.ts';

interface Options {
  readonly root: readonly string[];
  readonly data?: string;
  readonly service?: URL;
  readonly chartLink?: string;
}
const withOne = (one: string, all: readonly string[]): readonly string[] => [...all, notEmpty(one)];
const {
  root,
  data,
  service: url,
  chartLink: link,
} = group('mcp', 'Offers the tools for agents as an MCP server.')
  .option('--root <folder>', 'folder of files to read; may be repeated', withOne, [])
  .option('--data <folder>', 'folder of the store; without it, forecasts are gone at the end', notEmpty)
  .addOption(new Option('--service <url>', 'base URL of a remote service').argParser(baseUrl).conflicts('data'))
  .option('--chart-link <url>', 'address that a prediction’s ID is added to for a link to its chart', notEmpty)
  .action(() => undefined)
  .parse()
  .opts<Options>();

const serviceOf = (settings: Pick<ClientOptions, 'baseUrl' | 'fetch'>, name: string, secret?: string) => ({
  client: new ServiceClient({ ...settings, name, token: () => Promise.resolve(secret) }),
  name,
});
const remote = url && serviceOf({ baseUrl: url, fetch }, url.host, process.env.FORECASTS_TOKEN);
let local: ReturnType<typeof openLocal> | undefined;

/** The service opens with its first use: a server that is only listed costs nothing. */
const service: AgentContext['service'] = async () =>
  remote ??
  (local ??= openLocal().catch((error: unknown) => {
    local = undefined;
    throw error;
  }));

async function openLocal() {
  const token = process.env.FORECASTS_LOCAL_TOKEN ?? newToken();
  const folder = data === undefined ? ':memory:' : path.resolve(data);
  const opened = await openService({ folder, token, computeScript: computeScript(), report });
  const ask: typeof fetch = (input, init) => opened.fetch(new Request(input, init));
  const settings = { baseUrl: new URL('http://localhost'), fetch: ask };
  return { ...serviceOf(settings, 'The local service', token), close: () => opened.close() };
}

const reader = new ThreadReader(scriptOf('series.mjs', '../reading/thread/thread.ts'));
const context: AgentContext = {
  service,
  read: async (file, { layout, missing }, signal) => {
    const named = await clientFolders().catch((error: unknown) => {
      report(error);
      return [];
    });
    const found = await resolveIn([...root.map((folder) => path.resolve(folder)), ...named], file);
    const fileName = path.basename(found);
    return { fileName, document: await reader.read({ path: found }, { fileName, layout, missing }, signal) };
  },
  store: async (name, series, signal) =>
    (await storeForJob((await service()).client, reader, { name, series }, { signal })).id,
  holidays: (place, years) => reader.holidays(place, years),
  chartLink: (id) => link && link + encodeURIComponent(id),
};

const INSTRUCTIONS =
  'Forecasts time series with prediction intervals and an accuracy measured on their own history. For any question about what comes next in a file of numbers over time, call forecast_series instead of estimating; call inspect_series_file first if the file is unfamiliar. Report the interval and the accuracy with every number. When a tool asks a question about a file, ask the person.';

const server = new Server(
  { name: 'time-series-forecasts', title: 'Time Series Forecasts', version: versionOf() },
  { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
);
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS.map((tool) => describe(tool)) }));
server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
  const tool = TOOLS.find(({ name }) => name === params.name);
  if (!tool) throw resources.protocolError(ErrorCode.InvalidParams, `There is no tool ${printable(params.name)}.`);
  const token = params._meta?.progressToken;
  let last = -1;
  const progress = (share: number, message: string) => {
    if (token === undefined || share <= last || extra.signal.aborted) return;
    last = share;
    const update = { progressToken: token, progress: share, total: 1, message };
    extra.sendNotification({ method: 'notifications/progress', params: update }).catch(report);
  };
  try {
    const { text, data, isError } = await tool.run(context, params.arguments, { signal: extra.signal, progress });
    const id = tool.shows && data.status === 'COMPLETED' ? data.prediction_id : undefined;
    const picture = typeof id === 'string' ? [resources.pictureLink(id)] : [];
    return {
      content: [{ type: 'text', text: printable(text) }, ...picture],
      ...(isError ? { isError } : { structuredContent: data }),
    };
  } catch (error) {
    if (!extra.signal.aborted) report(error);
    throw resources.protocolError(ErrorCode.InternalError, `${tool.title} failed because of a bug in this server.`);
  }
});
server.setRequestHandler(ListResourcesRequestSchema, ({ params }, { signal }) =>
  resources.list(context, params?.cursor, signal).catch(asProtocolError),
);
server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: resources.templates }));
server.setRequestHandler(ReadResourceRequestSchema, ({ params }, { signal }) =>
  resources.read(context, params.uri, signal).catch(asProtocolError),
);
server.onerror = report;

await server.connect(new StdioServerTransport());

const end = endBySignal(async () => {
  await server.close();
  reader.dispose();
  await (await local?.catch(() => undefined))?.close();
}, report);
process.stdin.once('end', end);
process.stdin.once('close', end);
process.stdout.on('error', end);

function asProtocolError(error: unknown): never {
  if (error instanceof ServiceError) throw resources.protocolError(ErrorCode.InternalError, printable(error.message));
  throw error;
}

function describe(tool: Tool) {
  const { name, title, description, makes, sends, shows } = tool;
  return {
    ...{ name, title, description },
    inputSchema: jsonSchema(tool, 'input'),
    outputSchema: jsonSchema(tool, 'output'),
    annotations: {
      title,
      readOnlyHint: !makes,
      destructiveHint: false,
      idempotentHint: !makes,
      openWorldHint: sends === true && remote !== undefined,
    },
    // the second name is of hosts from before the specification was final
    ...(shows ? { _meta: { ui: { resourceUri: resources.APP_URI }, 'ui/resourceUri': resources.APP_URI } } : {}),
  };
}

async function clientFolders(): Promise<string[]> {
  if (!server.getClientCapabilities()?.roots) return [];
  const { roots } = await server.listRoots();
  return roots.flatMap(({ uri }) => {
    try {
      return [fileURLToPath(uri)];
    } catch {
      return []; // a root of another file system or machine
    }
  });
}
