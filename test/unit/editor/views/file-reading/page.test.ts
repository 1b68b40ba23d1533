import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { URI } from 'vscode-uri';
import type { ReadingPages } from '../../../../../src/editor/views/file-reading/view.ts';
import type { Change, ReadingIntent } from '../../../../../src/editor/views/file-reading/view.ts';
import type { ReadingState } from '../../../../../src/editor/views/file-reading/view.ts';
import { Extension } from '../../extension.ts';
import { until } from '../../until.ts';
import { WebviewPanel } from '../../workbench/webview-panel.ts';

/** Days that come first or second, and a comma that is a decimal or thousands: two questions at once. */
const twice = 'day;amount\n01/02/2021;1,234\n02/02/2021;2,345\n03/02/2021;3,456\n04/02/2021;5,678\n';
const weeks = (rows: number, row: (index: number) => string) =>
  Array.from({ length: rows }, (_, i) => `${new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10)},${row(i)}`);

/** The page of a file, as it was sent. */
class Sent {
  readonly panel: WebviewPanel;
  constructor(panel: WebviewPanel) {
    this.panel = panel;
    panel.says({ type: 'ready' });
  }
  get state(): ReadingState {
    const parts = this.panel.posted.map((message) => (message as { parts: Partial<ReadingState> }).parts);
    return Object.assign({}, ...parts) as ReadingState;
  }
  changes(change: Change): void {
    this.says({ type: 'change', change });
  }
  /** @param answer how its label begins */
  chooses(question: string, answer: string): void {
    const control = this.state.controls.find(({ label }) => label === question)!;
    this.changes(control.options.find(({ label }) => label.startsWith(answer))!.change);
  }
  says(intent: ReadingIntent): void {
    this.panel.says({ type: 'intent', intent });
  }
  async read(isRead: (state: ReadingState) => boolean = () => true): Promise<ReadingState> {
    return until(
      () => this.state,
      (state) => !state.isReading && isRead(state),
    );
  }
}

describe('interpretation page', () => {
  const extension = new Extension();
  const newest = async () => (await extension.app.connection.inUse.client.listPredictions({ size: 1 })).items[0];
  const total = async () => (await extension.app.connection.inUse.client.listPredictions({ size: 1 })).total ?? 0;
  const reading = () => extension.window.panels.filter((panel) => panel.viewType === 'forecasts.reading' && !panel.isDisposed); // prettier-ignore
  afterEach(() => {
    for (const panel of extension.window.panels.splice(0)) panel.dispose();
    extension.window.documents.length = 0;
    extension.window.activeTextEditor = undefined;
  });

  const edit = (uri: URI, text: string) => {
    const document = extension.window.select(uri, text);
    extension.window.changedDocument.fire({ document, contentChanges: [{}] });
  };
  async function show(name: string, text: string) {
    const uri = extension.file(name, text);
    await extension.run('showReading', uri);
    const page = new Sent(reading()[0]);
    await page.read();
    return { uri, page };
  }

  it('shows the first rows with their roles, and the series', async () => {
    const { page } = await show('shop.csv', `day,sales,note\n${weeks(40, (i) => `${i % 7},n`).join('\n')}\n`);
    const { rows, series, title, controls, problem } = page.state;
    assert.equal(title, 'Interpretation: shop.csv');
    assert.deepEqual(rows?.columns.map(({ name, role }) => [name, role]).slice(0, 2), [['day', 'time'], ['sales', 'value']]); // prettier-ignore
    assert.deepEqual(rows?.cells[1], ['2024-01-02', '1', 'n']);
    assert.equal(series?.drawn.times.length, 40);
    assert.deepEqual(
      controls.map(({ label, chosen, options }) => [label, chosen, options.map((one) => one.label)]),
      [['Step', 0, ['Rows as They Are (daily)', 'weekly', 'monthly']]],
    );
    assert.equal(problem, null);
  });

  it('posts only what survives the message format of VS Code', async () => {
    const { page } = await show('gaps.csv', `day,sales\n${weeks(40, (i) => (i === 9 ? '' : String(i))).join('\n')}\n`);
    const isTyped = (value: unknown): value is Float64Array => value instanceof Float64Array;
    const through = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value, (_, inner: unknown) => (isTyped(inner) ? `numbers ${inner.join()}` : inner)));
    const whole = JSON.stringify(page.state, (_, inner: unknown) => {
      if (inner === undefined || Number.isNaN(inner)) throw new Error('JSON does not know this');
      return isTyped(inner) ? `numbers ${inner.join()}` : inner;
    });
    assert.deepEqual(JSON.parse(whole), through(page.state));
  });

  it('reads the file after each change, and forecasts and remembers only the accepted reading', async () => {
    const rows = weeks(40, (i) => `${i % 7},${100 + i}`);
    const { uri, page } = await show('two.csv', `day,sales,visitors\n${rows.join('\n')}\n`);
    page.changes({ type: 'role', column: 'sales', role: 'left-out' });
    await until(() => page.state.isReading, (is) => is); // prettier-ignore
    const read = await page.read((state) => state.series?.count === 1);
    assert.equal(read.series?.name, 'visitors');
    assert.equal(extension.app.choices.latest(uri), undefined, 'so far it is only tried');
    edit(uri, `day,sales,visitors\n${[...rows, '2024-02-10,3,140'].join('\n')}\n`);
    const { series } = await page.read((state) => state.series?.drawn.times.length === 41);
    assert.equal(series?.name, 'visitors', 'and tried on as the file changes');
    page.says({ type: 'accept' });
    await until(() => extension.app.choices.latest(uri)?.layout.valueColumns, (names) => names?.join() === 'visitors'); // prettier-ignore
    await until(total, (count) => count > 0);
    const { input_series: points } = await extension.app.connection.inUse.client.getPrediction((await newest()).id);
    assert.equal(points?.[0].value, 100);
    await extension.run('showReading', uri);
    assert.equal(reading().length, 1, 'the same page');
  });

  it('is restored with a tried reading until that is accepted', async () => {
    const rows = weeks(40, (i) => `${i % 7},${100 + i}`);
    const { page } = await show('tried.csv', `day,sales,visitors\n${rows.join('\n')}\n`);
    page.changes({ type: 'role', column: 'sales', role: 'left-out' });
    const { ref } = await page.read((state) => state.series?.count === 1);
    page.panel.dispose();
    const panel = new WebviewPanel('forecasts.reading', 'Interpretation: tried.csv');
    const pages = extension.app.readings as ReadingPages;
    await pages.deserializeWebviewPanel(panel as unknown as vscode.WebviewPanel, JSON.parse(JSON.stringify({ ref })));
    const restored = new Sent(panel);
    assert.equal((await restored.read((state) => state.series !== null)).series?.name, 'visitors');
    restored.says({ type: 'accept' });
    assert.deepEqual(Object.keys((await restored.read((state) => !('tried' in state.ref))).ref), ['uri']);
    panel.dispose();
  });

  it('shows why a file cannot be read in a tried way, and continues with another', async () => {
    const { page } = await show('words.csv', `day,sales,note\n${weeks(40, (i) => `${i},a${i}`).join('\n')}\n`);
    page.changes({ type: 'role', column: 'note', role: 'value' });
    const { problem, series } = await page.read((state) => state.problem !== null);
    assert.match(problem!, /note/);
    assert.equal(series?.name, 'sales', 'what it had is still there');
    const before = await total();
    page.says({ type: 'accept' });
    page.changes({ type: 'reset' });
    const { rows } = await page.read((state) => state.problem === null);
    assert.equal(rows?.columns[1].role, 'value');
    assert.equal(await total(), before, 'nothing is forecast with a reading that failed');
  });

  it('follows changes of the file', async () => {
    const { uri, page } = await show('grows.csv', `day,sales\n${weeks(40, (i) => String(i % 7)).join('\n')}\n`);
    edit(uri, `day,sales\n${weeks(50, (i) => String(i % 7)).join('\n')}\n`);
    await page.read((state) => state.series?.drawn.times.length === 50);
    edit(uri, 'nothing of any use');
    const { problem, series } = await page.read((state) => state.problem !== null);
    assert.match(problem!, /grows\.csv/);
    assert.equal(series?.drawn.times.length, 50, 'what was there is shown on');
    edit(uri, `day,sales\n${weeks(50, (i) => String(i % 7)).join('\n')}\n`);
    await page.read((state) => state.problem === null);
    page.chooses('Step', 'weekly');
    const weekly = await page.read((state) => state.isChanged && state.controls.some(({ label }) => label === 'Value per Step')); // prettier-ignore
    assert.deepEqual(
      weekly.controls.map(({ label, chosen, options }) => [label, options[chosen]?.label]),
      [['Step', 'weekly'], ['Value per Step', 'Average']],
    ); // prettier-ignore
    edit(uri, 'nothing of any use');
    await page.read((state) => state.problem !== null);
  });

  it('reads the file once for several quick changes', async () => {
    const { page } = await show('fast.csv', `day,a,b\n${weeks(60, (i) => `${i},${i * 2}`).join('\n')}\n`);
    const { reader } = extension.app;
    const layouts: unknown[] = [];
    const { read } = reader;
    reader.read = (source, options, signal) => {
      if (options.fileName === 'fast.csv') layouts.push(options.layout);
      return read.call(reader, source, options, signal);
    };
    try {
      for (const role of ['left-out', 'key', 'left-out'] as const) page.changes({ type: 'role', column: 'a', role });
      const { series } = await page.read((state) => state.series?.count === 1);
      assert.equal(series?.name, 'b');
      assert.equal(layouts.length, 1);
    } finally {
      reader.read = read;
    }
  });

  it('opens for a file with several open questions, and Forecast continues', async () => {
    const uri = extension.file('twice.csv', twice);
    const before = await total();
    const forecast = extension.run('forecast', uri);
    const [panel] = await until(reading, (panels) => panels.length > 0);
    const page = new Sent(panel);
    const { controls, purpose } = await page.read();
    assert.equal(purpose, 'Forecast');
    const orders = controls.filter(({ options }) => options.some(({ label }) => label.startsWith('Month first')));
    assert.equal(orders.length, 1);
    page.chooses(orders[0].label, 'Month first');
    await until(() => page.state.isReading, (is) => is); // prettier-ignore
    await page.read();
    page.says({ type: 'accept' });
    await forecast;
    assert.equal(panel.isDisposed, true, 'the chart is there instead');
    assert.equal(await total(), before + 1);
    const { input_series: points } = await extension.app.connection.inUse.client.getPrediction((await newest()).id);
    assert.match(points![0].timestamp, /^2021-01-02/);
    await extension.run('forecast', extension.file('twice.csv', `${twice}05/02/2021;4,444\n`));
    assert.deepEqual(reading(), [], 'it is not asked again');
  });

  it('forecasts and remembers nothing if it is closed', async () => {
    const before = await total();
    const uri = extension.file('left.csv', twice);
    const forecast = extension.run('forecast', uri);
    const [panel] = await until(reading, (panels) => panels.length > 0);
    const page = new Sent(panel);
    await page.read();
    page.changes(page.state.controls[0].options[1].change);
    await until(() => page.state.isReading, (is) => is); // prettier-ignore
    await page.read();
    panel.dispose();
    await forecast;
    assert.equal(await total(), before);
    assert.equal(extension.app.choices.latest(uri), undefined);
    assert.deepEqual(extension.person.texts, [], 'and nothing is said about it');
  });
});
