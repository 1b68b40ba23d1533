import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  type CallToolResult,
  ListRootsRequestSchema,
  type Progress,
  ProgressNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { until } from '../editor/until.ts';

const script = path.resolve('src/cli/mcp.ts');
const samples = path.resolve('media/samples');

const textOf = ({ content }: CallToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

async function start(args: readonly string[], roots?: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: roots ? { roots: {} } : {} });
  if (roots) {
    const uris = roots.map((folder) => (folder.includes('://') ? folder : pathToFileURL(folder).href));
    const listed = { roots: uris.map((uri) => ({ uri })) };
    client.setRequestHandler(ListRootsRequestSchema, () => listed);
  }
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [script, ...args], stderr: 'pipe' }),
  );
  return client;
}

/** What arrives of progress: the client drops what comes in one piece with the answer after it. */
function progressOf({ transport }: Client): readonly Progress[] {
  const seen: Progress[] = [];
  const taken = transport!.onmessage!;
  transport!.onmessage = (message, extra) => {
    const reported = ProgressNotificationSchema.safeParse(message);
    if (reported.success) seen.push(reported.data.params);
    taken(message, extra);
  };
  return seen;
}

const call = async (client: Client, name: string, input: Record<string, unknown>, options = {}) =>
  (await client.callTool({ name, arguments: input }, undefined, options)) as CallToolResult;

describe('the MCP server', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'forecasts-mcp-'));
  let client: Client;

  before(async () => {
    client = await start(['--root', samples]);
  });
  after(async () => {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('describes itself and its tools', async () => {
    assert.equal(client.getServerVersion()?.name, 'time-series-forecasts');
    assert.match(client.getInstructions() ?? '', /forecast_series/);
    const { tools } = await client.listTools();
    const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
    assert.deepEqual(reading, [
      'inspect_series_file',
      'find_anomalies',
      'list_predictions',
      'read_prediction',
      'list_models',
    ]);
    for (const { annotations, inputSchema } of tools) {
      assert.equal(annotations?.destructiveHint, false);
      assert.equal(annotations.openWorldHint, false, 'the local service is no world outside');
      assert.equal(inputSchema.type, 'object');
    }
  });

  it('forecasts a file below its root, with rising progress', async () => {
    const seen = progressOf(client);
    const input = { file: 'air-passengers.csv', models: ['theta', 'ets', 'seasonal-naive'] };
    const result = await call(client, 'compare_models', input, { onprogress: () => undefined });
    assert.match(textOf(result), /Best in the backtest/);
    assert.ok(seen.length >= 3);
    assert.ok(seen.every(({ progress }, index) => index === 0 || progress > seen[index - 1].progress));
  });

  it('has each prediction as a resource', async () => {
    const { structuredContent } = await call(client, 'forecast_series', { file: 'air-passengers.csv', horizon: 3 });
    const { resources } = await client.listResources();
    const found = resources.find(({ uri }) => uri.endsWith(String(structuredContent?.prediction_id)));
    assert.ok(found);
    const { contents } = await client.readResource({ uri: found.uri });
    const [first] = contents;
    assert.ok('text' in first);
    assert.equal((JSON.parse(first.text) as { prediction_series: unknown[] }).prediction_series.length, 3);
    await assert.rejects(client.readResource({ uri: 'forecasts://predictions/none' }), {
      code: -32002,
      message: 'MCP error -32002: There is no resource forecasts://predictions/none.',
    });
    await assert.rejects(client.readResource({ uri: 'file:///etc/passwd' }), /no resource/);
  });

  it('has rows and chart as resources, and links each answer to the picture', async () => {
    const { content, structuredContent } = await call(client, 'forecast_series', {
      file: 'air-passengers.csv',
      horizon: 3,
    });
    const id = String(structuredContent?.prediction_id);
    const link = content.find(({ type }) => type === 'resource_link');
    assert.ok(link?.type === 'resource_link');
    assert.equal(link.uri, `forecasts://predictions/${id}/chart.png`);
    const { contents: pictures } = await client.readResource({ uri: link.uri });
    assert.ok('blob' in pictures[0]);
    const png = Buffer.from(pictures[0].blob, 'base64');
    assert.equal(png.toString('latin1', 1, 4), 'PNG');
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1500, 840]);
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate, mimeType }) => [uriTemplate.split('{id}')[1], mimeType]),
      [
        ['', 'application/json'],
        ['/forecast.csv', 'text/csv'],
        ['/chart.svg', 'image/svg+xml'],
        ['/chart.png', 'image/png'],
      ],
    );
    const text = async (ending: string) => {
      const [first] = (await client.readResource({ uri: `forecasts://predictions/${id}${ending}` })).contents;
      return 'text' in first ? first.text : '';
    };
    assert.match(await text('/chart.svg'), /^<svg .*air-passengers\.csv.*<\/svg>$/s);
    const rows = (await text('/forecast.csv')).trim().split('\n');
    assert.equal(rows.length, 4);
    assert.match(rows[0], /^timestamp,lower_95,.*forecast,.*upper_95$/);
    await assert.rejects(client.readResource({ uri: 'forecasts://predictions/none/chart.svg' }), /no resource/);
  });

  it('links answers to a chart page for chats that loads nothing', async () => {
    const { tools } = await client.listTools();
    const linked = tools.filter(({ _meta }) => _meta !== undefined);
    assert.deepEqual(
      linked.map(({ name }) => name),
      ['forecast_series', 'read_prediction'],
    );
    const { resourceUri } = linked[0]._meta!.ui as { resourceUri: string };
    assert.ok((await client.listResources()).resources.some(({ uri }) => uri === resourceUri));
    const [page] = (await client.readResource({ uri: resourceUri })).contents;
    assert.equal(page.mimeType, 'text/html;profile=mcp-app');
    assert.ok('text' in page);
    assert.match(page.text, /Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/);
    assert.doesNotMatch(page.text, /<(script|link|img)[^>]+(src|href)=/);
    const [code] = /(?<=<script>).*(?=<\/script>)/s.exec(page.text) ?? [];
    const hash = createHash('sha256').update(code!).digest('base64');
    assert.ok(page.text.includes(`script-src 'sha256-${hash}'`), 'the page runs its own script');
  });

  it('reads nothing outside its root', async () => {
    const inside = path.join(folder, 'inside');
    mkdirSync(inside);
    writeFileSync(path.join(folder, 'secret.csv'), 'day,value\n2024-01-01,4711\n2024-01-02,4711\n');
    symlinkSync(path.join(folder, 'secret.csv'), path.join(inside, 'link.csv'));
    symlinkSync(folder, path.join(inside, 'up'));
    mkdirSync(path.join(inside, 'folder.csv'));
    if (process.platform !== 'win32') spawnSync('mkfifo', [path.join(inside, 'pipe.csv')]);
    const narrow = await start(['--root', inside]);
    try {
      const ways = [
        '../secret.csv',
        path.join(folder, 'secret.csv'),
        'link.csv',
        'up/secret.csv',
        '/etc/passwd',
        'folder.csv',
        ...(process.platform === 'win32' ? [] : ['pipe.csv']),
        '..',
        '.',
        'a\0b',
      ];
      for (const file of ways) {
        const result = await call(narrow, 'inspect_series_file', { file });
        assert.equal(result.isError, true, file);
        assert.ok(!textOf(result).includes('4711'), file);
      }
    } finally {
      await narrow.close();
    }
  });

  it('reads only folders that the client names', async () => {
    const others = ['file://another-machine/share', 'file:///a%2Fb'];
    const rooted = await start([], [...others, samples]);
    const rootless = await start([]);
    try {
      assert.equal((await call(rooted, 'inspect_series_file', { file: 'air-passengers.csv' })).isError, undefined);
      const refused = await call(rootless, 'inspect_series_file', { file: path.join(samples, 'air-passengers.csv') });
      assert.match(textOf(refused), /may not read any folder/);
    } finally {
      await rooted.close();
      await rootless.close();
    }
  });

  it('answers invalid calls with a message or protocol error, and continues', async () => {
    const wrong = await call(client, 'forecast_series', { file: 1, horizon: 'far' });
    assert.equal(wrong.isError, true);
    await assert.rejects(call(client, 'no_such_tool', {}), /no tool no_such_tool/);
    await assert.rejects(
      client.request({ method: 'no/such/method' }, ListRootsRequestSchema as never),
      /Method not found/,
    );
    assert.equal((await client.listTools()).tools.length > 0, true);
  });

  it('stops a cancelled call, and continues', async () => {
    const abort = new AbortController();
    const running = call(
      client,
      'compare_models',
      { file: 'energy-hourly.csv', horizon: 500 },
      { signal: abort.signal },
    );
    abort.abort('enough');
    await assert.rejects(running, /enough/);
    assert.equal((await call(client, 'list_models', {})).isError, undefined);
  });

  it('survives invalid lines, and ends with its input', async () => {
    const server = spawn(process.execPath, [script, '--root', samples], { stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    server.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    };
    server.stdin.write('this is no JSON\n{"jsonrpc":"2.0"}\n[]\n\n');
    server.stdin.write(`${JSON.stringify(initialize)}\n`);
    await until(
      () => output,
      (text) => text.includes('\n'),
    );
    for (const line of output.trim().split('\n'))
      assert.equal((JSON.parse(line) as { jsonrpc: string }).jsonrpc, '2.0');
    server.stdin.end();
    const [code] = (await once(server, 'exit')) as [number];
    assert.equal(code, 0);
  });

  it('refuses unknown options and empty folder names', () => {
    for (const [option, value] of [['--rood', samples], ['--root', ''], ['--data', ' '], ['--data', '--service']] as const) {
      const { status, stderr } = spawnSync(process.execPath, [script, option, value], { encoding: 'utf8', input: '' });
      assert.equal(status, 2);
      assert.match(stderr, option === '--rood' ? /^Unknown option '--rood'/ : new RegExp(`^Option '${option} .* must not be `));
    }
  }); // prettier-ignore
});
