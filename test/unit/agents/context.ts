import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import type { AgentContext, Answer, Call } from '../../../src/agents/tool.ts';
import { TOOLS } from '../../../src/agents/stored.ts';
import { ServiceClient } from '../../../src/client/client.ts';
import { type SeriesTexts, storeForJob } from '../../../src/client/store-series.ts';
import { fingerprintOf } from '../../../src/reading/points.ts';
import { toPoints } from '../../../src/reading/points.ts';
import { holidaysOf } from '../../../src/reading/holidays/library.ts';
import type { ReadSeries } from '../../../src/reading/types.ts';
import { readSeries } from '../../../src/reading/read.ts';
import type { LocalService } from '../service/local-service.ts';

/** What the tools stand on in a test: files as texts or samples, and a real local service. */
export function contextOver(
  local: LocalService,
  files: Readonly<Record<string, string>> = {},
  over: Partial<AgentContext> = {},
): AgentContext {
  const client = new ServiceClient({
    baseUrl: new URL('http://localhost'),
    name: 'The local service',
    fetch: (input, init) => local.service.fetch(new Request(input, init)),
    token: () => Promise.resolve(local.token),
  });
  return {
    service: () => Promise.resolve({ client, name: 'The local service' }),
    read: async (file, { layout, missing }) => {
      const bytes =
        files[file] === undefined ? await readFile(path.join('media', 'samples', file)) : Buffer.from(files[file]);
      return { fileName: file, document: readSeries(bytes, { fileName: file, layout, missing }) };
    },
    store: async (name, series, signal) => (await storeForJob(client, texts, { name, series }, { signal })).id,
    holidays: (place, years) => Promise.resolve(holidaysOf(place, ...years)),
    chartLink: (id) => `editor://charts?id=${id}`,
    ...over,
  };
}

const texts: SeriesTexts<ReadSeries> = {
  bodyOf: (fields, series) => {
    const body = { ...fields, series: series.map((one) => ({ name: one.name, series: toPoints(one) })) };
    return Promise.resolve(new TextEncoder().encode(JSON.stringify(body)));
  },
  linesOf: (series, ids) => {
    const lines = series.map((one, n) => JSON.stringify({ id: ids?.[n], name: one.name, series: toPoints(one) }));
    return Promise.resolve(new TextEncoder().encode(lines.join('\n')));
  },
  fingerprintOf: (series) => fingerprintOf(series),
};

/** Calls a tool by its name. */
export async function run(
  context: AgentContext,
  name: string,
  input: unknown,
  call: Partial<Call> = {},
): Promise<Answer> {
  const tool = TOOLS.find((one) => one.name === name);
  if (!tool) throw new Error(`There is no tool ${name}`);
  const answer = await tool.run(context, input, {
    signal: new AbortController().signal,
    progress: () => undefined,
    ...call,
  });
  // clients refuse an answer that is not of its schema
  if (!answer.isError) z.parse(tool.output, JSON.parse(JSON.stringify(answer.data)));
  return answer;
}
