import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type * as vscode from 'vscode';
import { Capabilities } from '../../../../../src/client/capabilities.ts';
import { ServiceError } from '../../../../../src/client/errors.ts';
import type { LocalFineTunedModel, LocalPrediction } from '../../../../../src/contract/resources.ts';
import type { Service } from '../../../../../src/editor/views/tree/resource-tree.ts';
import type { Connection, Tokens } from '../../../../../src/editor/connection/connection.ts';
import { KeptFiles, type MadeModels, type Memory, type Note } from '../../../../../src/editor/connection/memory.ts';
import { VIEWS } from '../../../../../src/editor/names.ts';
import { loadModels, treeSources } from '../../../../../src/editor/views/tree/sources.ts';
import type { ResourceNode } from '../../../../../src/editor/views/tree/kinds.ts';
import { clientOf, log, offering, predictionOf, settled, useWindow } from '../panels.ts';

const page = <T>(...items: T[]) => Promise.resolve({ items, unreadable: [], total: items.length, next: undefined, previous: undefined }); // prettier-ignore
const query = { cursor: undefined, signal: new AbortController().signal };
const model = (id: string, status = 'COMPLETED'): LocalFineTunedModel => ({ id, status, name: id });

describe('items of the sidebar views', () => {
  const window = useWindow();
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'sidebar-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  function make({ client = {}, offers = [] as readonly string[], pins = [] as readonly string[], notes = {} as Record<string, object>, made = [] as readonly LocalFineTunedModel[], kind = 'local', isShown = false } = {}) {
    const forgotten: string[] = [];
    const asked: unknown[] = [];
    const all = clientOf({
      capabilities: () => Promise.resolve(offering(...offers) as unknown as Capabilities),
      listPredictions: () => page<LocalPrediction>(),
      listBaseModels: () => page(),
      learned: { models: {} },
      ...client,
    });
    const known = {
      log: log(),
      memory: { recall: (_: string, id: string) => notes[id], pins: () => pins } as unknown as Memory,
      madeModels: { of: () => made.map((one) => ({ model: one, asOf: 5 })), keep: () => Promise.resolve(), forget: (_: string, id: string) => Promise.resolve(void forgotten.push(id)) } as unknown as MadeModels,
      globalState: { get: () => isShown } as unknown as vscode.Memento,
      tokens: { get: () => Promise.resolve('ours') } as unknown as Tokens,
      connection: { current: { origin: 'local' } } as Connection,
      kept: new KeptFiles(folder),
    };
    const service = { client: all, info: { id: 'local', kind, name: 'x', origin: 'local' } } as Service;
    const sources = treeSources(known);
    const load = async (view: keyof typeof VIEWS, of: typeof query | { cursor: string; signal: AbortSignal } = query) => {
      const { load: read, arrange = (items: readonly ResourceNode[]) => items } = sources.find(({ viewId }) => viewId === VIEWS[view])!;
      return arrange((await read(service, of)).items.map((entry) => ({ ...entry, note: entry.note ?? notes[entry.id] as Note, serviceId: 'local', offers: {} as Capabilities }))); // prettier-ignore
    };
    return { load, sources, service, known, forgotten, asked, models: async () => (await loadModels(service, query, known)).items };
  } // prettier-ignore

  it('start with pinned predictions in pinning order, from any page', async () => {
    const { load } = make({
      offers: ['getPrediction'],
      pins: ['far', 'b'],
      client: { listPredictions: () => page(predictionOf('a'), predictionOf('b')), getPrediction: (id: string) => Promise.resolve(predictionOf(id)) }, // prettier-ignore
    });
    const items = await load('predictions');
    assert.deepEqual(items.map((one) => [one.id, one.kind === 'prediction' && one.isPinned]), [['far', true], ['b', true], ['a', false]]); // prettier-ignore
    const next = await load('predictions', { ...query, cursor: '2' });
    assert.deepEqual(next.map(({ id }) => id), ['b', 'a'], 'only on the first page'); // prettier-ignore
  });

  it('read a batch to its end, so that later items are visible', async () => {
    const run = (from: number) => Array.from({ length: 50 }, (_, index) => predictionOf(`r${from + index}`, { batch_id: 'b1' })); // prettier-ignore
    const all: Record<string, { items: LocalPrediction[]; next?: string }> = {
      first: { items: run(0), next: '2' },
      '2': { items: run(50), next: '3' },
      '3': { items: [...run(100), predictionOf('after')], next: '4' },
    };
    const asked: string[] = [];
    const listPredictions = ({ cursor = 'first' }: { cursor?: string }) => {
      asked.push(cursor);
      return Promise.resolve({ unreadable: [], total: 500, ...all[cursor] });
    };
    const { load, sources, service } = make({ client: { listPredictions } });
    assert.deepEqual([(await load('predictions')).length, asked], [151, ['first', '2', '3']]);
    all.first = { items: run(0), next: 'first' };
    assert.match(String((await sources[0].load(service, query)).problem), /same page again/);
    all.first = { items: [], next: '2' };
    assert.deepEqual([await load('predictions'), asked.slice(5)], [[], ['first']], 'an empty page is of no run');
  });

  it('stop in a batch whose last page the service repeats', async () => {
    const items = Array.from({ length: 50 }, (_, index) => predictionOf(`r${index}`, { batch_id: 'b1' }));
    const asked: (string | undefined)[] = [];
    const listPredictions = ({ cursor }: { cursor?: string }) => {
      asked.push(cursor);
      return Promise.resolve({ items, unreadable: [], total: 50, next: '2' });
    };
    await make({ client: { listPredictions } }).load('predictions');
    assert.deepEqual(asked, [undefined, '2']);
  });

  it('mark the newest prediction of a file that is kept up to date', async () => {
    const note = (uri: string, isPart = false) => ({ label: 'x', source: { uri, isPart } });
    const { load, known } = make({
      notes: { new: note('file:///k.csv'), old: note('file:///k.csv'), part: note('file:///k.csv', true), other: note('file:///o.csv') }, // prettier-ignore
      client: {
        listPredictions: () => page(predictionOf('part', { created_at: '2024-03-03' }), predictionOf('old', { created_at: '2024-01-01' }), predictionOf('new', { created_at: '2024-02-02' }), predictionOf('other')), // prettier-ignore
      },
    });
    known.kept.note('file:///k.csv', { serviceId: 'local', series: 's', fingerprint: 'f' }, false);
    known.kept.keep('file:///k.csv', true);
    const kept = (items: Awaited<ReturnType<typeof load>>) => items.flatMap((one) => (one.kind === 'prediction' && one.isKept ? [one.id] : [])); // prettier-ignore
    assert.deepEqual(kept(await load('predictions')), ['new']);
  });

  it('include internal datasets only on request', async () => {
    const asked: boolean[] = [];
    const client = { listDatasets: (_: unknown, withJobs: boolean) => { asked.push(withJobs); return page({ id: 'd' }); } }; // prettier-ignore
    await make({ client }).load('datasets');
    await make({ client, isShown: true }).load('datasets');
    assert.deepEqual(asked, [false, true]);
  });

  it('mark the key that this editor uses', async () => {
    const { load } = make({ client: { listKeys: () => page({ id: 'k1', secret: 'ours' }, { id: 'k2', secret: 'theirs' }, { id: 'k3' }) } }); // prettier-ignore
    assert.deepEqual((await load('keys')).map((one) => one.kind === 'key' && one.isOwn), [true, false, false]); // prettier-ignore
  });

  it('list trained models before base models', async () => {
    const { load } = make({ offers: ['listFineTunedModels', 'listBaseModels'], client: { listBaseModels: () => page({ id: 'theta' }), listFineTunedModels: () => page(model('m1')) } }); // prettier-ignore
    assert.deepEqual((await load('models')).map(({ id }) => id), ['m1', 'theta']); // prettier-ignore
  });

  it('take models from predictions if the service lists none', async () => {
    const { models } = make({
      kind: 'remote',
      made: [model('m1')],
      notes: { p2: { label: 'Week 7' } },
      client: { listPredictions: () => page(predictionOf('p1', { ai_model_id: 'met', created_at: '2024-01-02' }), predictionOf('p2', { ai_model_id: 'met' }), predictionOf('p3', { ai_model_id: 'm1' }), predictionOf('p4', { ai_model_id: undefined })) }, // prettier-ignore
    });
    const all = (await models()).map((one) => [one.id, one.made ? 'made here' : one.used && 'prediction']);
    assert.deepEqual(all, [['m1', 'made here'], ['met', 'prediction']]); // prettier-ignore
  });

  it('follow unfinished models of this editor, and drop deleted ones with a message', async () => {
    const client = {
      getFineTunedModel: (id: string) =>
        id === 'gone' ? Promise.reject(new ServiceError('not-found', 'No such model.', { status: 404 })) : id === 'away' ? Promise.reject(new ServiceError('unreachable', 'Nobody answers.')) : Promise.resolve(model(id)), // prettier-ignore
    };
    const { models, forgotten } = make({ offers: ['getFineTunedModel'], client, made: [model('done'), model('going', 'IN_PROGRESS'), model('gone', 'QUEUED'), model('away', 'QUEUED')] }); // prettier-ignore
    const all = (await models()).map((one) => one.kind === 'fineTunedModel' && [one.id, one.item.status]);
    await settled();
    assert.deepEqual(all, [['done', 'COMPLETED'], ['going', 'COMPLETED'], ['away', 'QUEUED']]); // prettier-ignore
    assert.deepEqual(forgotten, ['gone']);
    assert.deepEqual(window().person.texts, ['The model gone no longer exists on its service and was removed from the list of models.']); // prettier-ignore
  });
});
