import assert from 'node:assert/strict';
import type { Capabilities } from '../../../../../src/client/capabilities.ts';
import { COMMANDS } from '../../../../../src/editor/names.ts';
import {
  type Entry,
  hover,
  type Node,
  type ResourceNode,
  treeItem,
} from '../../../../../src/editor/views/tree/kinds.ts';
import { offering, useWindow } from '../panels.ts';

const NOW = Date.UTC(2024, 4, 1);
const ALL = ['deletePrediction', 'deleteDataset', 'deleteFineTunedModel', 'deleteKey', 'listDatasetSeries', 'getSeries', 'getFineTunedModel']; // prettier-ignore
const nodeOf = (entry: Entry, ...offers: readonly string[]): ResourceNode => ({ ...entry, serviceId: 'local', offers: offering(...offers) as unknown as Capabilities }); // prettier-ignore
const prediction = (more: object = {}, about: object = {}) => nodeOf({ kind: 'prediction', id: 'p1', item: { id: 'p1', status: 'COMPLETED', name: 'sales.csv', ...more }, ...about } as Entry, ...ALL); // prettier-ignore
const paint = (node: Node) => treeItem(node, NOW);
const iconOf = (node: Node) => (paint(node).iconPath as { id: string }).id;
const words = (node: Node) => (paint(node).contextValue ?? '').split(' ');

describe('row of the sidebar', () => {
  useWindow();

  it('of a prediction shows its status by an icon', () => {
    const icons = ['QUEUED', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'PAUSED'].map((status) => iconOf(prediction({ status }))); // prettier-ignore
    assert.deepEqual(icons, ['circle-outline', 'sync~spin', 'pass', 'error', 'question']);
    assert.equal(iconOf(prediction({}, { isKept: true })), 'sync', 'it is made again by itself');
  });

  it('opens its chart, model or readable series', () => {
    const opens = (node: Node) => paint(node).command?.command;
    assert.equal(opens(prediction()), COMMANDS.open);
    assert.equal(opens(nodeOf({ kind: 'fineTunedModel', id: 'm', item: { id: 'm', status: 'COMPLETED' } }, ...ALL)), COMMANDS.open); // prettier-ignore
    const series: Entry = { kind: 'series', id: 's', item: { id: 's', name: 'north' } };
    assert.equal(opens(nodeOf(series, ...ALL)), COMMANDS.open);
    assert.equal(opens(nodeOf(series)), undefined, 'a service that shows no series has no plot of one');
    assert.equal(opens(nodeOf({ kind: 'dataset', id: 'd', item: { id: 'd' } }, ...ALL)), undefined);
  });

  it('has a unique id, also beside one of another service', () => {
    const other = { ...prediction(), serviceId: 'https://other.example' };
    assert.notEqual(paint(prediction()).id, paint(other).id);
    const dataset = nodeOf({ kind: 'dataset', id: 'p1', item: { id: 'p1' } });
    assert.notEqual(paint(prediction()).id, paint(dataset).id);
  });

  it('has only applicable actions in its menus', () => {
    assert.deepEqual(words(prediction()), ['prediction', 'deletable']);
    assert.deepEqual(words(prediction({ status: 'FAILED' }, { isPinned: true })), ['prediction', 'deletable', 'failed', 'pinned']); // prettier-ignore
    const note = { label: 'x', source: { uri: 'file:///a.csv' } };
    assert.ok(words(prediction({}, { note })).includes('ofFile'));
    assert.ok(!words(prediction({}, { note: { ...note, source: { ...note.source, isPart: true } } })).includes('ofFile'), 'a part of a file is not kept up to date'); // prettier-ignore
    assert.deepEqual(words(prediction({}, { note, isKept: true })).slice(2), ['kept']);
    assert.deepEqual(words(nodeOf({ kind: 'prediction', id: 'p', item: { id: 'p', status: 'COMPLETED' } })), ['prediction']); // prettier-ignore
  });

  it('of a model is usable once trained or if its status is unknown', () => {
    const model = (status: string, ...offers: string[]) => words(nodeOf({ kind: 'fineTunedModel', id: 'm', item: { id: 'm', status } }, ...offers)).includes('usable'); // prettier-ignore
    assert.deepEqual([model('COMPLETED', ...ALL), model('IN_PROGRESS', ...ALL), model('FAILED', ...ALL)], [true, false, false]); // prettier-ignore
    assert.deepEqual([model('QUEUED'), model('FAILED')], [true, false], 'it may be done by now');
    assert.deepEqual(words(nodeOf({ kind: 'baseModel', id: 'b', item: { id: 'b' } })), ['baseModel', 'usable']);
  });

  it('of a key shows whether it is active, never its secret', () => {
    const key = (more: object, isOwn = false) => nodeOf({ kind: 'key', id: 'k1', isOwn, item: { id: 'k1', name: 'ci', status: 'ACTIVE', secret: 'sk-very-secret', ...more } }, ...ALL); // prettier-ignore
    assert.deepEqual(words(key({})), ['key', 'deletable', 'secret', 'active']);
    assert.deepEqual(words(key({ secret: undefined, status: 'REVOKED' }, true)), ['key'], 'that of this editor stays');
    const { tooltip, label, description, accessibilityInformation } = paint(key({}));
    assert.doesNotMatch(JSON.stringify([tooltip, label, description, accessibilityInformation]), /very-secret/);
  });

  it('of a dataset expands to series if the service lists them', () => {
    const dataset: Entry = { kind: 'dataset', id: 'd', item: { id: 'd', name: 'shops' } };
    assert.deepEqual([paint(nodeOf(dataset, ...ALL)).collapsibleState, paint(nodeOf(dataset)).collapsibleState], [1, 0]); // prettier-ignore
  });

  it('of another kind counts further items, names a group, or reports a problem', () => {
    const more = { kind: 'more', id: 'm', viewId: 'v', loaded: 20, parent: undefined } as const;
    assert.equal(paint({ ...more, total: 1234 }).description, '20 of 1,234');
    assert.equal(paint({ ...more, total: undefined }).description, '20 shown');
    assert.equal(paint({ ...more, total: 3 }).command?.command, COMMANDS.loadMore);
    assert.equal(paint({ kind: 'group', id: 'g', label: 'Today', entries: [prediction()] }).description, '1');
    const problem = paint({ kind: 'problem', id: 'x', error: new Error('Nobody answers.') });
    assert.deepEqual([problem.label, problem.command?.command], ['Nobody answers.', COMMANDS.explainProblem]);
    assert.equal(paint({ kind: 'problem', id: 'x', error: 'a text' }).label, 'a text');
  });

  it('is read out with its full name, which its label shortens', () => {
    const name = 'a-very-long-name-of-a-file-2024.csv · north-west';
    const { label, accessibilityInformation } = paint(prediction({ name }));
    assert.ok(String(label).length < name.length);
    assert.ok(accessibilityInformation?.label.startsWith(name));
  });
});

describe('tooltip of a row', () => {
  useWindow();

  it('shows names as text, and runs only its own commands', () => {
    const { value, isTrusted } = hover(prediction({ name: '[x](command:evil) **b**', status: 'FAILED', error: 'why' }), NOW); // prettier-ignore
    assert.doesNotMatch(value, /\[x\]\(command:evil\)/);
    assert.doesNotMatch(value, /\*\*b\*\*/);
    assert.match(value, /Reason: /);
    assert.deepEqual(isTrusted, { enabledCommands: [COMMANDS.open, COMMANDS.forecastAgain] });
  });

  it('names its prediction to the commands of its links', () => {
    const { value } = hover(prediction(), NOW);
    const [argument] = /command:forecasts\.open\?([^)]+)/.exec(value)!.slice(1);
    assert.deepEqual(JSON.parse(decodeURIComponent(argument)), [{ serviceId: 'local', predictionId: 'p1' }]);
  });

  it('of a loaded forecast has its score and picture', () => {
    const at = (month: number, value: number | null) => ({ timestamp: new Date(Date.UTC(2024, month, 1)).toISOString(), value }); // prettier-ignore
    const details = { frequency: 'P1M', seasonal_periods: [12], backtest: { origins: 3, horizon: 2, skill: 0.31, coverage80: 0.82 } }; // prettier-ignore
    const item = { id: 'p1', status: 'COMPLETED', details, input_series: [at(0, 1), at(1, null), at(2, 2)], prediction_series: [at(3, 3), at(4, 4)] }; // prettier-ignore
    const { value } = hover(prediction(item), NOW, item as never);
    assert.match(value, /31%.better.than.the.seasonal.naive.baseline/);
    const [, drawing] = /data:image\/svg\+xml;base64,([^)]+)/.exec(value)!;
    const svg = Buffer.from(drawing, 'base64').toString();
    assert.match(svg, /^<svg xmlns.*#8a8a8a.*#3794ff.*<\/svg>$/);
    assert.doesNotMatch(svg, /NaN|Infinity/);
    assert.doesNotMatch(value.replaceAll(drawing, ''), /data:image\/svg.*data:image/);
  });

  it('has only applicable links', () => {
    assert.doesNotMatch(hover(nodeOf({ kind: 'key', id: 'k', item: { id: 'k', status: 'ACTIVE' } }), NOW).value, /command:/); // prettier-ignore
  });
});
