/**
 * `npm run --silent mcp`: the tools for agents as an MCP server on standard input and output.
 *   --root FOLDER    whose files may be read; may be given several times; the client's own folders count besides
 *   --data FOLDER    where the local service keeps predictions and models; left out, nothing outlasts the process
 *   --service URL    a remote service instead of the local one, with the token in FORECASTS_TOKEN
 *   --chart-link URL what opens a chart, with the prediction's id added to it
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { AgentContext, AgentService } from '../agents/context.ts';
import { resolveIn } from '../agents/mcp/folders.ts';
import { createServer } from '../agents/mcp/server.ts';
import { parseBaseUrl } from '../client/address.ts';
import { ServiceClient } from '../client/client.ts';
import { storeForJob } from '../client/store-series.ts';
import { printable } from '../contract/texts.ts';
import { ThreadReader } from '../reading/thread/reader.ts';
import { openService } from '../service/host/service.ts';
import { newToken } from '../service/store/token.ts';
import { makersHere } from './mcp-makers.ts';
import { computeScript, endBySignal, scriptOf } from './program.ts';

const USAGE = 'Usage: mcp --root FOLDER [--root FOLDER …] [--data FOLDER | --service URL] [--chart-link URL]';
const options = readArguments();
const report = (error: unknown) => {
  console.error(printable(error instanceof Error ? error.message : String(error)));
};

const reader = new ThreadReader(scriptOf('series.mjs', '../reading/thread/thread.ts'));
let local: Promise<{ close(): Promise<void>; client: ServiceClient }> | undefined;

/** The service opens with its first use: a server that is only listed costs nothing. */
async function service(): Promise<AgentService> {
  if (options.service !== undefined) return remote;
  const { client } = await (local ??= openLocal().catch((error: unknown) => {
    local = undefined;
    throw error;
  }));
  return { client, name: 'The local service', isLocal: true };
}

async function openLocal() {
  const token = process.env.FORECASTS_LOCAL_TOKEN ?? newToken();
  const opened = await openService({
    folder: options.data === undefined ? ':memory:' : path.resolve(options.data),
    token,
    computeScript: computeScript(),
    report,
  });
  const client = new ServiceClient({
    baseUrl: new URL('http://localhost'),
    name: 'The local service',
    fetch: (input, init) => opened.fetch(new Request(input, init)),
    token: () => Promise.resolve(token),
  });
  return { client, close: () => opened.close() };
}

const remote: AgentService = {
  client: new ServiceClient({
    baseUrl: options.service ?? new URL('http://localhost'),
    name: options.service?.host ?? '',
    fetch: globalThis.fetch,
    token: () => Promise.resolve(process.env.FORECASTS_TOKEN),
  }),
  name: options.service?.host ?? '',
  isLocal: false,
};

const server = createServer({
  version: versionOf(),
  report,
  makers: makersHere(),
  context: (clientFolders): AgentContext => ({
    service,
    read: async (file, { layout, missing }, signal) => {
      const found = await resolveIn([...options.roots, ...(await clientFolders())], file);
      const fileName = path.basename(found);
      return { fileName, document: await reader.read({ path: found }, { fileName, layout, missing }, signal) };
    },
    store: (client, name, series, signal) => storeForJob(client, reader, { name, series }, { signal }),
    holidays: (place, years) => reader.holidays(place, years),
    chartLink: (id) => (options.chartLink === undefined ? undefined : options.chartLink + encodeURIComponent(id)),
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

/** The options of the command line; ends the program with a sentence where there is one that is not known. */
function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        root: { type: 'string', multiple: true, default: [] },
        data: { type: 'string' },
        service: { type: 'string' },
        'chart-link': { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const isEmpty = (given: unknown) => typeof given === 'string' && given.trim() === '';
    const empty = Object.entries(values).find(([, given]) => [given].flat().some(isEmpty));
    if (empty) throw new Error(`--${empty[0]} is empty`);
    if (values.data !== undefined && values.service !== undefined) {
      throw new Error('--data is for the local service and --service for a remote one; use only one of them');
    }
    return {
      roots: values.root.map((folder) => path.resolve(folder)),
      data: values.data,
      service: values.service === undefined ? undefined : parseBaseUrl(values.service),
      chartLink: values['chart-link'],
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message.split(/\.\s/, 1)[0] : String(error);
    console.error(`${reason}. ${USAGE}`);
    process.exit(2);
  }
}

function versionOf(): string {
  const manifest = ['../package.json', '../../package.json']
    .map((file) => new URL(file, import.meta.url))
    .find(existsSync);
  const { version } = JSON.parse(readFileSync(manifest!, 'utf8')) as { version: string };
  return version;
}
