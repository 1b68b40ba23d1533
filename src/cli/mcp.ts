/** `npm run --silent mcp`: the tools for agents as an MCP server on standard input and output; see docs/agents.md. */
import path from 'node:path';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { AgentContext, AgentService } from '../agents/tool.ts';
import { resolveIn } from '../agents/mcp/folders.ts';
import { createServer } from '../agents/mcp/server.ts';
import { parseBaseUrl } from '../client/address.ts';
import { ServiceClient } from '../client/client.ts';
import type { ClientOptions } from '../client/transport.ts';
import { storeForJob } from '../client/store-series.ts';
import { printable } from '../contract/texts.ts';
import { ThreadReader } from '../reading/thread/reader.ts';
import { openService } from '../service/host/service.ts';
import { newToken } from '../service/store/token.ts';
import { makersHere } from './mcp-makers.ts';
import { computeScript, endBySignal, readArguments, scriptOf, versionOf } from './program.ts';

const TEXT = { type: 'string' } as const;
const read = readArguments(
  {
    options: {
      root: { ...TEXT, multiple: true, default: [] },
      ...{ data: TEXT, service: TEXT, 'chart-link': TEXT },
      help: { type: 'boolean' },
    },
  },
  'Usage: mcp --root FOLDER [--root FOLDER …] [--data FOLDER | --service URL] [--chart-link URL]',
  ({ values: { root, data, service: url, 'chart-link': link } }) => {
    if (data !== undefined && url !== undefined)
      throw new Error('--data is for the local service and --service for a remote one; use only one of them');
    return { root, data, url: url === undefined ? undefined : parseBaseUrl(url), link };
  },
);
if ('says' in read) {
  (read.code === 0 ? console.log : console.error)(read.says);
  process.exit(read.code);
}
const { root, data, url, link } = read;

const report = (error: unknown) => {
  console.error(printable(error instanceof Error ? error.message : String(error)));
};

const serviceOf = (settings: Pick<ClientOptions, 'baseUrl' | 'fetch'>, name: string, secret?: string) => ({
  client: new ServiceClient({ ...settings, name, token: () => Promise.resolve(secret) }),
  name,
});
const remote = url && serviceOf({ baseUrl: url, fetch }, url.host, process.env.FORECASTS_TOKEN);
let local: ReturnType<typeof openLocal> | undefined;

/** The service opens with its first use: a server that is only listed costs nothing. */
const service = async (): Promise<AgentService> =>
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
const server = createServer({
  version: versionOf(),
  isLocal: url === undefined,
  report,
  makers: makersHere(),
  context: (clientFolders): AgentContext => ({
    service,
    read: async (file, { layout, missing }, signal) => {
      const found = await resolveIn([...root.map((folder) => path.resolve(folder)), ...(await clientFolders())], file);
      const fileName = path.basename(found);
      return { fileName, document: await reader.read({ path: found }, { fileName, layout, missing }, signal) };
    },
    store: (client, name, series, signal) => storeForJob(client, reader, { name, series }, { signal }),
    holidays: (place, years) => reader.holidays(place, years),
    chartLink: (id) => link && link + encodeURIComponent(id),
  }),
});

const transport = new StdioServerTransport();
await server.connect(transport);

// a client that disconnects closes the input or sends a signal
const end = endBySignal(async () => {
  await server.close();
  reader.dispose();
  await (await local?.catch(() => undefined))?.close();
}, report);
process.stdin.once('end', end);
process.stdin.once('close', end);
process.stdout.on('error', end);
