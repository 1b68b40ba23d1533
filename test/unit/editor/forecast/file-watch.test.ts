import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { State } from '../chart-page.ts';
import { act, stateOf } from '../views/panels.ts';
import { VIEWS } from '../../../../src/editor/names.ts';
import { describeEntry } from '../../../../src/editor/views/tree/kinds.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';
import { until } from '../until.ts';

describe('A file that changes after its forecast', () => {
  const extension = new Extension();

  const state = () => stateOf<State>(extension.window.panels.at(-1)!);
  const drawn = () => (JSON.parse(state().shown!.key) as string[])[1]!;
  /** The row of a prediction in the view, from what is known of it. */
  const rowOf = (id: string) => {
    const item = { id, status: 'COMPLETED' };
    const note = extension.app.memory.recall('local', id);
    return describeEntry({ kind: 'prediction', id, item, note } as never, Date.now()).description;
  };

  async function forecast(name: string) {
    const text = (count: number) => months(count, { sales: seasonal });
    const file = extension.file(name, text(60));
    await extension.run('forecast', file);
    extension.window.panels.at(-1)!.says({ type: 'ready' });
    const grow = (count: number) => {
      writeFileSync(file.fsPath, text(count));
      extension.window.savedDocument.fire({ uri: file });
      extension.window.changedDocument.fire({ document: { uri: file }, contentChanges: [{}] });
    };
    return { file, grow };
  }

  it('shows new observations over its forecast, and their coverage in the view', async () => {
    const { grow } = await forecast('grows.csv');
    grow(66);
    const actuals = await until(
      () => state().actuals,
      (now) => now?.line.times.length === 6,
    );
    assert.match(actuals!.sentence, /^Observations since this forecast was made: 6\. \d of 6 lie inside/);
    await until(
      () => rowOf(drawn()),
      (description) => /covered \d of 6|(above|below) the /.test(description ?? ''),
    );
  });

  it('updates the coverage of forecasts whose charts are closed', async () => {
    const { grow } = await forecast('closed.csv');
    const predictionId = drawn();
    extension.window.panels.at(-1)!.dispose();
    grow(63);
    await until(
      () => rowOf(predictionId),
      (description) => /covered \d of 3|(above|below) the /.test(description ?? ''),
    );
  });

  it('shows later rows over the forecast of a selection', async () => {
    const text = months(60, { sales: seasonal });
    extension.window.select(extension.file('part.csv', text), text, [1, 0, 49, 0]);
    await extension.run('forecastSelection');
    extension.window.panels.at(-1)!.says({ type: 'ready' });
    const actuals = await until(
      () => state().actuals,
      (now) => now !== null,
    );
    assert.equal(actuals!.line.times.length, 12);
    assert.equal(actuals!.line.values[0], seasonal(48));
  });

  it('is not kept up to date if its first forecast is cancelled', async () => {
    const file = extension.file('two.csv', months(36, { a: seasonal, b: seasonal }));
    extension.person.leaves();
    await extension.run('keepUpToDate', file);
    assert.equal(extension.app.kept.has(file.toString()), false);
    assert.doesNotMatch(extension.person.texts.join(), /two\.csv/);
  });

  it('is forecast again in its chart while it is kept up to date', async () => {
    const { file, grow } = await forecast('kept.csv');
    await extension.run('keepUpToDate', file);
    const said = 'kept.csv is forecast again whenever it is saved';
    assert.ok(extension.window.shownStatus.has(said));
    const before = drawn();
    const panels = extension.window.panels.length;
    grow(62);
    await until(state, ({ ref, shown }) => ref.predictionId !== before && shown?.chart.history.times.length === 62);
    assert.equal(extension.window.panels.length, panels);
    // the chart says so, and ends it
    const remarks = () => state().shown?.chart.remarks ?? [];
    assert.deepEqual(remarks()[0]?.action, { id: 'stop-keeping', label: 'Stop' });
    const tree = extension.app.trees.get(VIEWS.predictions)!;
    await tree.getChildren();
    await tree.refresh();
    const rows = () => tree.entries.map((node) => tree.getTreeItem(node));
    const kept = () => rows().filter(({ description }) => String(description).includes('kept up to date'));
    assert.deepEqual(kept().map(({ label, contextValue }) => [label, / kept\b/.test(String(contextValue))]), [['kept.csv', true]]); // prettier-ignore
    // an older one is not the one that follows the file
    extension.app.panels.open({ serviceId: 'local', predictionId: before });
    await until(
      state,
      ({ ref, shown }) =>
        ref.predictionId === before && drawn() === before && (shown?.chart.remarks ?? []).length === 0,
    );
    extension.app.panels.open({ serviceId: 'local', predictionId: tree.entries[0].id });
    await until(remarks, ([first]) => first !== undefined);
    act(extension.window.panels.at(-1)!, { type: 'action', id: 'stop-keeping' });
    await until(remarks, ([first]) => first === undefined);
    await until(kept, (now) => now.length === 0);
    assert.match(extension.person.texts.join(), /kept\.csv is no longer kept up to date/);

    // the side bar begins it again, and the palette ends it for the chart in front
    const node = tree.entries[0];
    await extension.run('keepUpToDate', node, [node]);
    assert.equal(extension.app.kept.has(file.toString()), true);
    await tree.refresh();
    assert.deepEqual(kept().length, 1);
    assert.notEqual(tree.entries[0].id, node.id, 'it was made again');
    await extension.run('keepUpToDate');
    assert.equal(extension.app.kept.has(file.toString()), false);
  });

  it('is forecast again with the same options after its forecasts are deleted and after a pause', async () => {
    extension.window.setSetting('forecasts.defaultModel', 'theta');
    extension.window.setSetting('forecasts.defaultHorizon', 7);
    const { file, grow } = await forecast('lasting.csv');
    const client = extension.app.connection.inUse.client;
    await extension.run('keepUpToDate', file);
    extension.window.setSetting('forecasts.defaultModel', undefined);
    extension.window.setSetting('forecasts.defaultHorizon', undefined);
    const newest = async () => (await client.listPredictions({ size: 1 })).items[0];
    const way = ({ ai_model_id, prediction_length }: { ai_model_id?: string; prediction_length?: number }) => [ai_model_id, prediction_length]; // prettier-ignore
    for (const { id } of (await client.listPredictions({ size: 200 })).items)
      await client.delete('deletePrediction', id);
    grow(63);
    assert.deepEqual(way((await until(newest, (made) => made?.status === 'COMPLETED'))!), ['theta', 7]);
    await extension.run('keepUpToDate', file);
    assert.equal(extension.app.kept.has(file.toString()), false);
    const before = await newest();
    await extension.run('keepUpToDate', file);
    const again = await until(newest, (made) => made?.status === 'COMPLETED');
    assert.deepEqual(way(again!), ['theta', 7]);
    grow(66);
    const last = await until(newest, (made) => made?.id !== before?.id && made?.status === 'COMPLETED');
    assert.deepEqual(way(last!), ['theta', 7]);
    await extension.app.kept.keep(file.toString(), false);
  });

  it('is forecast at its next save if its first forecast fails', async () => {
    const file = extension.file('later.csv', 'nothing\n');
    await extension.run('keepUpToDate', file);
    assert.equal(extension.app.kept.has(file.toString()), true);
    const client = extension.app.connection.inUse.client;
    const newest = async () => (await client.listPredictions({ size: 1 })).items[0];
    const before = await newest();
    writeFileSync(file.fsPath, months(36, { sales: seasonal }));
    extension.window.savedDocument.fire({ uri: file });
    await until(newest, (made) => made?.id !== before?.id && made?.status === 'COMPLETED');
    await extension.app.kept.keep(file.toString(), false);
  });

  it('is forecast at its next save if the window was closed before its first forecast', async () => {
    const { file, grow } = await forecast('early.csv');
    await extension.app.kept.keep(file.toString(), true);
    const before = drawn();
    grow(64);
    await until(state, ({ ref, shown }) => ref.predictionId !== before && shown?.chart.history.times.length === 64);
    await extension.app.kept.keep(file.toString(), false);
  });

  it('is not kept up to date if that is switched off during its first forecast', async () => {
    const file = extension.file('soon.csv', months(36, { sales: seasonal }));
    const { kept } = extension.app;
    const stopping = kept.onDidChange(async () => {
      stopping.dispose();
      await kept.keep(file.toString(), false);
    });
    await extension.run('keepUpToDate', file);
    assert.equal(kept.has(file.toString()), false);
    assert.doesNotMatch(extension.window.statusMessages.join(), /soon\.csv is forecast again/);
  });

  it('has the first of a few series kept up to date, whichever was forecast before', async () => {
    const file = extension.file('few.csv', months(36, { a: seasonal, b: seasonal, c: seasonal }));
    extension.person.picks('a', 'b', 'c');
    await extension.run('forecast', file);
    const { kept } = extension.app;
    const address = file.toString();
    assert.equal(kept.get(address)?.made?.series, 'a');
    await extension.run('keepUpToDate', file);
    assert.equal(kept.get(address)?.made?.series, 'a');
    kept.keep(address, false);
  });

  it('is not kept up to date if many of its series are forecast, and a message says why', async () => {
    const columns = { a: seasonal, b: seasonal, c: seasonal, d: seasonal, e: seasonal };
    const file = extension.file('wide.csv', months(36, columns));
    extension.person.picks('a', 'b', 'c', 'd', 'e');
    await extension.run('keepUpToDate', file);
    assert.equal(extension.app.kept.has(file.toString()), false);
    const said = 'Only one series of a file is kept up to date. Forecast one series of wide.csv first.';
    assert.ok(extension.person.texts.includes(said), extension.person.texts.join());
    assert.doesNotMatch(extension.window.statusMessages.join(), /wide\.csv is forecast again/);
  });
});
