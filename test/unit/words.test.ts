import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { unwrappedIn } from './unwrapped.ts';

const src = fileURLToPath(new URL('../../src/', import.meta.url));

/**
 * Rooms whose words a person sees. The others always speak English: the service and the engine to any client of
 * their interface, `agents` to language models, which answer in the person's language, `cli` to a terminal.
 */
const ROOMS = ['calendar', 'chart', 'client', 'editor', 'reading', 'webview'];

/** How many texts only look like words, by their file and by what they are in. */
const NO_WORDS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  // names of zones and days of markets as files have them
  'calendar/timestamp.ts': { NAMES: Infinity },
  'calendar/holidays.ts': { EUROPE: 1, MARKETS: Infinity },
  // names of what has none: what is chosen is remembered by them
  'reading/json/grids.ts': { plainName: 1 },
  'reading/json/json.ts': { where: 1, table: 1 },
  'reading/proposals/across.ts': { nameOf: 1 },
  'reading/text/row-reader.ts': { columnNames: 1 },
  // what is read in files
  'reading/text/encoding.ts': { alphabets: Infinity },
  'reading/values/numbers.ts': { MISSING: Infinity },
  'reading/values/totals.ts': { WORDS: 1 },
  // keys
  'calendar/format.ts': { plural: 2, describeFrequency: 1, stepNoun: 2 },
  'editor/connection/memory.ts': { requestOf: 1 },
  'editor/many-series/forecast-set.ts': { noteKeyOf: 1 },
  'editor/views/tree/kinds.ts': { noteKeyOfRun: 1 },
  // numbers with their unit, and the name of a language
  'client/check.ts': { linesOf: 1 },
  'editor/services/services.ts': { sizeText: 1 },
  'editor/views/model/view.ts': { moment: 1 },
  'editor/views/chart/export.ts': { label: 2, description: 2, curl: 1, python: 1, typescript: 1 },
  // the name of the extension
  'editor/app.ts': { log: 1 },
  // for a language model, and for another program
  'editor/agents/tools.ts': { part: 1 },
  'webview/mcp-app/host.ts': { message: 1 },
};

describe('text of the interface', () => {
  const files = ROOMS.flatMap((room) =>
    readdirSync(path.join(src, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => `${room}/${file.replaceAll(path.sep, '/')}`),
  );

  it('goes through l10n', () => {
    const unwrapped = files.flatMap((file) => {
      const found = unwrappedIn(readFileSync(path.join(src, file), 'utf8'), file);
      const allowed = NO_WORDS[file] ?? {};
      const idle = Object.entries(allowed).flatMap(([name, count]) => {
        const { length } = found.filter(({ within }) => within === name);
        return length === count || (count === Infinity && length > 0) ? [] : `${file}: ${length} in ${name}`;
      });
      const others = found.filter(({ within }) => !(within in allowed));
      return [...idle, ...others.map(({ line, text }) => `${file}:${line}: ${text}`)];
    });
    assert.deepEqual(unwrapped, [], 'say these with l10n.t, or with said in reading/; or NO_WORDS counts others');
  });

  it('is reported if it does not', () => {
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

  it('is reported with the name of its element', () => {
    const within = (source: string) => unwrappedIn(source).map(({ within }) => within);
    assert.deepEqual(within("const rest = 'all others'; function f() { return { 'a b': 'no file' }; }"), ['rest', 'f']);
    assert.deepEqual(within("class C { m() { fail('this is no file'); } p = { q: 'no file' }; }"), ['m', 'q']);
  });

  it('excludes text for programs', () => {
    const source = `
      import { join } from 'a word';
      type State = { label: 'not seen' };
      this.#log.warn(\`\${id} was lost on the way\`);
      throw new Error('never without a thread');
      if (kind === 'csv') element.className = 'wide';
      h('span.mark', { attributes: { role: 'img' } }, l10n.t('A mark'));
      const codes = { 'made here': 1 };
      const row = { id: \`problem \${key}\`, names: 's sec secondly', contextValue: 'group deletable' };
      const open = [\`$(folder-opened) \${name}\`, 'https://example.com/a b', \`<svg xmlns="a" width="\${n}">\`];
      page.matchMedia('(prefers-color-scheme: dark)');
      context.font = \`\${n}px Arial, sans-serif\`;
    `;
    assert.deepEqual(unwrappedIn(source), []);
  });
});
