import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { unwrappedIn } from './unwrapped.ts';

const src = fileURLToPath(new URL('../../src/', import.meta.url));

/**
 * Rooms whose words a person sees. The others speak English whoever asks: the service and the engine to any client of
 * their interface, `agents` to language models, which answer in the person's language, `cli` to a terminal.
 */
const ROOMS = ['calendar', 'chart', 'client', 'editor', 'reading', 'webview'];

/** What only looks like words, by file. */
const NO_WORDS: Readonly<Record<string, readonly string[]>> = {
  // names of units and zones as files have them, and the days of markets
  'calendar/clock.ts': ['PST', 'MST', 'CST', 'EST', 'EDT', 'BRT', 'Z UTC', 'WEST', 'CEST', 'EEST', 'ICT', 'SGT', 'JST'],
  'calendar/duration.ts': ['ns nano', 'us µs', 'fortnightly', 'half-yearly'],
  'calendar/frequency.ts': ['ms l', 's sec', 't min', 'h hr', 'w wk', 'mon monthly', 'y yr'],
  'calendar/markets.ts': [''],
  'calendar/words.ts': ['business day', 'open day'], // a key
  'chart/pen.ts': ['Arial, "Liberation Sans", "DejaVu Sans", Helvetica, sans-serif'], // fonts
  'client/check.ts': ['{} {} {} ms  {}'], // a unit
  'client/transport.ts': ['Bearer {}'],
  'editor/agents/tools.ts': ['This did not work. {}'], // for a language model
  'editor/connection/memory.ts': ['request {}'], // a key
  'editor/files/find-files.ts': ['$(folder-opened) {}'], // an icon
  'editor/forecast-file/file.ts': ['TypeScript (fetch)'], // a name
  'editor/many-series/forecast-all.ts': ['set {}'], // a context
  'editor/services/services.ts': ['https://forecasts.example.com/v1'],
  'editor/storage.ts': ['{} MB'], // a unit
  // fields of the interface
  'editor/views/model/model-view.ts': ['{} UTC'],
  'editor/views/shared/html.ts': ['style-src {}', 'img-src {} data: blob:', '<!DOCTYPE html>'],
  'editor/views/tree/arrange.ts': ['group {} {}', 'run {}'], // keys
  'editor/views/tree/item.ts': ['<polyline points="{}"', '<svg xmlns=', 'group deletable'],
  'editor/views/tree/resource-tree.ts': ['unreadable {}', 'problem {}', 'more {}'], // keys
  'editor/views/tree/sources.ts': ['made here'], // a key
  'reading/binary/write-workbook.ts': ['yyyy-mm-dd hh:mm:ss'], // a format of Excel
  // names of what has none: what is chosen is remembered by them
  'reading/json/json.ts': ['{}, line {}', 'Line {}', 'Column {}'],
  'reading/json/grids.ts': ['Column {}'],
  'reading/report/read.ts': ['Row {}'],
  'reading/text/delimited.ts': ['Column {}'],
  // what is read in files
  'reading/values/numbers.ts': ['no data', 'no value', 'not available'],
  'reading/values/totals.ts': ['итого|'],
  // CSS
  'webview/shared/canvas-pen.ts': ['{}px {}'],
  'webview/mcp-app/theme.ts': ['(prefers-color-scheme: dark)', 'system-ui, sans-serif'],
  // for the log, and for another program
  'webview/mcp-app/bridge.ts': ['There is no method {}.'],
};

/** Sources that are programs of another language by themselves, and the sentences by which others are told in German. */
const PROGRAMS = ['editor/forecast/request-code.ts'];

describe('every word that a person sees', () => {
  const files = ROOMS.flatMap((room) =>
    readdirSync(path.join(src, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => `${room}/${file.replaceAll(path.sep, '/')}`),
  ).filter((file) => !PROGRAMS.includes(file));

  it('goes through l10n', () => {
    const unwrapped: string[] = [];
    const idle = new Set(Object.entries(NO_WORDS).flatMap(([file, texts]) => texts.map((text) => `${file}: ${text}`)));
    for (const file of files) {
      for (const { line, text } of unwrappedIn(readFileSync(path.join(src, file), 'utf8'), file)) {
        const known = NO_WORDS[file]?.find((start) => text.startsWith(start));
        if (known === undefined) unwrapped.push(`${file}:${line}: ${text}`);
        else idle.delete(`${file}: ${known}`);
      }
    }
    assert.deepEqual(unwrapped, [], 'say these with l10n.t, or with said in reading/');
    assert.deepEqual([...idle], [], 'these are not there any more');
  });

  it('is found where it does not', () => {
    const found = (source: string) => unwrappedIn(source).map(({ text }) => text);
    assert.deepEqual(found("window.showErrorMessage('Forecast failed');"), ['Forecast failed']);
    assert.deepEqual(found('fail(`${name} is no file.`);'), ['{} is no file.']);
    assert.deepEqual(found("button.textContent = isOpen ? 'Close' : l10n.t('Open');"), ['Close']);
    assert.deepEqual(found("h('button.link', { attributes: { 'aria-label': 'Export' } }, 'Save')"), ['Save', 'Export']);
    assert.deepEqual(found("pick({ label: name ?? 'Model', detail: `${count} MB` });"), ['Model', '{} MB']);
    assert.deepEqual(found("item.tooltip = () => 'Running';"), ['Running']);
    assert.deepEqual(found("vscode.l10n.t('Trains on {0}', count === 1 ? 'one series' : rest)"), ['one series']);
    assert.deepEqual(found('said`${name} is ${flag ? `no file` : size}.`'), ['no file']);
  });

  it('is found in elements', () => {
    const found = (source: string) => unwrappedIn(source, 'source.tsx').map(({ text }) => text);
    assert.deepEqual(found('<p>Read anew</p>'), ['Read anew']);
    assert.deepEqual(found("<p>{isOpen ? 'Close' : l10n.t('Open')}</p>"), ['Close']);
    assert.deepEqual(found('<input aria-label="Role" title={`${name} was read`} />'), ['Role', '{} was read']);
    assert.deepEqual(found('<div class="wide card" role="list"><path d="M 1 2" />{name} · {count}</div>'), []);
    assert.deepEqual(found('<p>{count} rows</p>'), ['rows']);
  });

  it('is not seen in what is for programs', () => {
    const source = `
      import { join } from 'a word';
      type State = { label: 'not seen' };
      this.#log.warn(\`\${id} was lost on the way\`);
      throw new Error('never without a thread');
      if (kind === 'csv') element.className = 'wide';
      h('span.mark', { attributes: { role: 'img' } }, l10n.t('A mark'));
      const codes = { 'made here': 1 };
    `;
    assert.deepEqual(unwrappedIn(source), []);
  });
});
