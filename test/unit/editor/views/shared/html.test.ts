import assert from 'node:assert/strict';
import { html } from '../../../../../src/editor/views/shared/page-host.ts';

const options = {
  nonce: 'bm9uY2U',
  cspSource: 'https://*.vscode-cdn.net',
  scriptUri: 'https://file.vscode-cdn.net/dist/webview.js?a=1&b=2',
  styleUri: 'https://file.vscode-cdn.net/dist/webview.css',
  title: 'air-passengers.csv',
};

describe('html of a page', () => {
  it('allows one script by nonce, styles of the extension, and nothing else', () => {
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html(options))![1]!.replaceAll('&#39;', "'");
    assert.deepEqual(policy.split('; '), [
      "default-src 'none'",
      "script-src 'nonce-bm9uY2U'",
      'style-src https://*.vscode-cdn.net',
      'img-src https://*.vscode-cdn.net data: blob:',
      "font-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    assert.doesNotMatch(html(options), /unsafe|<style|style=|\son\w+=/);
  });

  it('carries the nonce on its only script', () => {
    assert.deepEqual(html(options).match(/<script[^>]*>/g), [
      '<script nonce="bm9uY2U" src="https://file.vscode-cdn.net/dist/webview.js?a=1&amp;b=2">',
    ]);
  });

  it('escapes everything that is handed in', () => {
    const page = html({
      nonce: '"><i>',
      cspSource: '"><b>',
      scriptUri: '"><u>',
      styleUri: "'><s>",
      title: '</title><script>alert(1)</script>&',
    });
    assert.doesNotMatch(page, /<(i|b|u|s)>/);
    assert.equal(page.match(/<script/g)!.length, 1);
    assert.ok(page.includes('<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;</title>'));
  });
});
