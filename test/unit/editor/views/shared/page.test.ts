import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { URI } from 'vscode-uri';
import { fillPanel } from '../../../../../src/editor/views/shared/page-host.ts';
import { restoredPanel, useWindow } from '../panels.ts';

describe('HTML of a page', () => {
  const window = useWindow();

  function fill(bundle: 'webview' | 'model' | 'many' = 'webview', title = 'Forecast') {
    const { panel, webview } = restoredPanel('forecasts.chart', title);
    fillPanel(webview, URI.file('/extension') as unknown as vscode.Uri, bundle);
    return panel;
  }

  it('loads one script and one style sheet of the extension, and allows nothing else', () => {
    const { html } = fill('many').webview;
    assert.deepEqual([...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => new URL(url).pathname), ['/extension/dist/many.css', '/extension/dist/many.js']); // prettier-ignore
    const policy = /content="([^"]+)"/.exec(html)![1].replaceAll('&#39;', "'");
    const [, nonce] = /script-src 'nonce-([\w-]+)'/.exec(policy)!;
    assert.deepEqual(policy.split('; '), [
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      'style-src https://page.example',
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    assert.doesNotMatch(html, /unsafe|<style|style=|\son\w+=/);
    assert.ok(nonce.length >= 22, '128 bits');
    assert.ok(html.includes(`<script nonce="${nonce}"`));
    assert.equal(html.match(/<script/g)?.length, 1);
  });

  it('has another nonce for each page', () => {
    const nonces = Array.from({ length: 5 }, () => /nonce-([\w-]+)/.exec(fill().webview.html)![1]);
    assert.equal(new Set(nonces).size, 5);
  });

  it('reads only the dist folder, and escapes file names', () => {
    const panel = fill('webview', '</title><script>alert(1)</script>');
    const { options, html } = panel.webview;
    assert.deepEqual((options as vscode.WebviewOptions).localResourceRoots?.map(({ path }) => path), ['/extension/dist']); // prettier-ignore
    assert.doesNotMatch(html, /<script>alert/);
  });

  it('contains the translations of the editor’s language', () => {
    assert.match(fill().webview.html, /<html lang="en">/);
    window().words = { 'Show All': 'Alles "zeigen"' };
    window().env.language = 'de';
    const { html } = fill().webview;
    const words = /data-words="([^"]+)"/.exec(html)![1].replaceAll('&quot;', '"');
    assert.match(html, /<html lang="de"/);
    assert.deepEqual(JSON.parse(words), { 'Show All': 'Alles "zeigen"' });
  });
});
