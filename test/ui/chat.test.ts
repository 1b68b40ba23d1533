import assert from 'node:assert/strict';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Page } from 'playwright-core';
import { openPage } from '../harness/page.ts';
import { outDir, samplesDir } from '../harness/paths.ts';
import { ensureBrowser } from '../harness/setup.ts';

/** A chat that shows the page of an MCP App in a sandbox, hands it a tool's answer, and reads resources for it. */
const PLAY_CHAT = `({ html, result }) => {
  const frame = document.createElement('iframe');
  frame.sandbox.add('allow-scripts');
  frame.style.cssText = 'width: 100%; height: 540px; border: 0';
  const colors = { '--color-background-primary': 'light-dark(#fff, #101418)' };
  const hostContext = { theme: 'dark', styles: { variables: colors } };
  const initialized = { protocolVersion: '2026-01-26', hostCapabilities: { downloadFile: {} }, hostContext };
  window.addEventListener('message', ({ data: { id, method, params }, source }) => {
    if (source !== frame.contentWindow) return;
    const say = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
    const answer = (result) => say({ id, result });
    if (method === 'ui/initialize') answer(initialized);
    if (method === 'ui/notifications/initialized') say({ method: 'ui/notifications/tool-result', params: result });
    if (method === 'resources/read') window.read(params).then(answer);
    if (method === 'ui/download-file') window.save(params).then(answer);
  });
  frame.srcdoc = html;
  document.body.replaceChildren(frame);
}`;

describe('Chart in a chat', () => {
  const client = new Client({ name: 'test', version: '1' });
  let page: Page;
  let close: () => Promise<void>;
  const problems: string[] = [];
  const saved = Promise.withResolvers<unknown>();

  before(async () => {
    const args = [path.resolve('dist/mcp.mjs'), '--root', samplesDir];
    await client.connect(new StdioClientTransport({ command: process.execPath, args }));
    const browser = await ensureBrowser();
    const log = (text: string) => problems.push(text);
    ({ page, close } = await openPage({ browser, url: 'about:blank', viewport: { width: 900, height: 560 }, log }));
    page.setDefaultTimeout(60_000);
    await page.exposeFunction('read', ({ uri }: { uri: string }) => client.readResource({ uri }));
    await page.exposeFunction('save', (params: unknown) => {
      saved.resolve(params);
      return {};
    });
  });
  after(async () => {
    await close();
    await client.close();
  });

  it('draws the answer of a tool in the colors of the chat and saves files through it', async () => {
    const result = await client.callTool({ name: 'forecast_series', arguments: { file: 'air-passengers.csv' } });
    const { contents } = await client.readResource({ uri: 'ui://forecasts/chart.html' });
    const [{ text: html }] = contents as { text: string }[];
    await page.evaluate(`(${PLAY_CHAT})(${JSON.stringify({ html, result })})`);
    const chart = page.frameLocator('iframe');
    await chart.getByRole('heading', { name: 'air-passengers.csv' }).waitFor();
    await chart.getByText('better than the seasonal naive baseline').first().waitFor();
    await page.screenshot({ path: path.join(outDir, 'screenshots', 'chat-chart.png') });
    const background = await chart.locator('body').evaluate('getComputedStyle(document.body).backgroundColor');
    assert.equal(background, 'rgb(16, 20, 24)');
    await chart.getByRole('button', { name: 'Export' }).click();
    await chart.getByRole('menuitem', { name: 'Save as CSV…' }).first().click();
    assert.match(JSON.stringify(await saved.promise), /forecast\.csv.*timestamp,lower_95/);
    assert.deepEqual(problems, []);
  });
});
