import * as vscode from 'vscode';
import { isPassing, type ServiceError } from '../../../client/errors.ts';
import type { Connection, Session } from '../../connection/connection.ts';
import type { Memory } from '../../connection/memory.ts';
import { type Page, PagedList } from '../../ui/paged-list.ts';
import { inBackground, MessageError, say } from '../../ui/say.ts';
import { ago } from '../shared/ago.ts';
import { type Entry, grouped, type Grouping, GROUPINGS, hover, inRuns, isResource, isUnfinished } from './kinds.ts';
import { matches, type Node, type ResourceNode, treeItem } from './kinds.ts';

export interface PageQuery {
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
}

export type Service = Pick<Session, 'client' | 'info'>;

export interface TreeSource {
  readonly viewId: string;
  readonly load: (service: Service, query: PageQuery, parent?: Entry) => Promise<Page<Entry>>;
  readonly arrange?: (entries: readonly ResourceNode[]) => readonly ResourceNode[];
  readonly onDrop?: (files: readonly vscode.Uri[]) => void;
  readonly isNested?: boolean;
}

interface Services {
  readonly connection: Connection;
  readonly memory: Memory;
  readonly log: vscode.LogOutputChannel;
  readonly state: vscode.Memento;
  readonly deletions: { has(serviceId: string, id: string): boolean };
}

const ROOT = '';
const problemNode = (what: string, list: string, error: unknown): Node => ({
  kind: 'problem',
  id: `${what} ${list}`,
  error,
});
const GROUPING_KEY = 'forecasts.grouping';

const ENOUGH = 20; // a filter loads pages until it has so many matches, or so many pages
const MOST_SEARCHED = 40;

/** Milliseconds until a failed list is loaded again, at first and at most. */
const FIRST_RETRY = 2_000;
const LAST_RETRY = 60_000;

export class ResourceTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly view: vscode.TreeView<Node>;
  readonly #source: TreeSource;
  readonly #services: Services;
  readonly #changed = new vscode.EventEmitter<Node | undefined>();
  readonly #lists = new Map<string, PagedList<ResourceNode>>();
  readonly #disposables: vscode.Disposable[];
  readonly #watched = new Map<string, () => void>();
  filter = '';
  grouping: Grouping;
  #refusal: ServiceError | undefined;
  #retry: NodeJS.Timeout | undefined;
  #wait = FIRST_RETRY;

  constructor(source: TreeSource, services: Services) {
    const { connection, log, state } = services;
    this.#source = source;
    this.#services = services;
    this.grouping = GROUPINGS.find((one) => one === state.get(`${GROUPING_KEY} ${source.viewId}`)) ?? 'none';
    const { onDrop } = source;
    this.view = vscode.window.createTreeView<Node>(source.viewId, {
      treeDataProvider: this,
      canSelectMany: true,
      ...(onDrop && {
        dragAndDropController: {
          dragMimeTypes: [],
          dropMimeTypes: [URIS, FILES],
          handleDrop: (_target: unknown, dropped: vscode.DataTransfer) => takeDropped(dropped, onDrop),
        },
      }),
      showCollapseAll: source.isNested === true,
    });
    this.#disposables = [
      this.view,
      this.#changed,
      connection.onDidChange(() => {
        this.#reset();
        this.repaint();
      }),
      this.view.onDidChangeVisibility(({ visible }) => {
        this.#watchUnfinished();
        const list = this.#lists.get(ROOT);
        if (visible && isPassing(list?.read.problem)) inBackground(log, list?.refresh());
      }),
    ];
  }

  readonly onDidChangeTreeData = this.#changed.event;

  getTreeItem(node: Node): vscode.TreeItem {
    return treeItem(node, Date.now());
  }

  async resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    if (node.kind !== 'prediction') return item;
    const client = this.#services.connection.session(node.serviceId)?.client;
    const isReadable = node.item.status === 'COMPLETED' && node.offers.has('getPrediction');
    const reading = isReadable ? client?.getPrediction(node.id) : undefined;
    const prediction = await reading?.catch((error: unknown) => {
      this.#services.log.debug(`No drawing of ${node.id}: ${String(error)}`);
      return undefined;
    });
    item.tooltip = hover(node, Date.now(), prediction);
    return item;
  }

  async getChildren(parent?: Node): Promise<Node[]> {
    const { connection, memory } = this.#services;
    if (parent?.kind === 'group')
      return parent.batchId === undefined ? inRuns(parent.entries, memory) : [...parent.entries];
    if (parent && !isResource(parent)) return [];
    if (!parent && (await connection.missing().catch(() => undefined))) return [];
    const list = this.#list(parent);
    if (!parent && !list.isLoaded) this.view.message = vscode.l10n.t('Loading…');
    await list.first();
    const refusal = parent || list.read.problem !== undefined ? undefined : this.#refusal;
    return [
      ...(refusal ? [problemNode('refusal', ROOT, refusal)] : []),
      ...(parent ? this.#seen(list.items) : this.#arranged(list.items)),
      ...this.#rest(list, parent),
    ];
  }

  #rest(list: PagedList<ResourceNode>, parent: ResourceNode | undefined): Node[] {
    const { unreadable, problem, total } = list.read;
    const { viewId } = this.#source;
    const id = parent?.id ?? ROOT;
    const [reason = ''] = unreadable;
    const format = vscode.l10n.t('{0} more do not have the expected format: {1}', unreadable.length, reason);
    const hasFailed = problem !== undefined && (parent !== undefined || !list.isStale);
    if (hasFailed) this.#services.log.warn(`${viewId}: ${String(problem)}`);
    const more = { kind: 'more', id: `more ${id}`, viewId, loaded: list.items.length, total, parent } as const;
    return [
      ...(unreadable.length > 0 ? [problemNode('unreadable', id, new MessageError(format))] : []),
      ...(hasFailed ? [problemNode('problem', id, problem)] : []),
      ...(list.hasMore && !list.isLoading ? [more] : []),
    ];
  }

  async setFilter(words: string): Promise<void> {
    this.filter = words.trim();
    this.view.description = this.filter === '' ? undefined : `“${this.filter}”`;
    this.repaint();
    const list = this.#list(undefined);
    if (this.filter !== '') await list.first();
    for (let pages = 0; this.filter !== '' && list.hasMore && pages < MOST_SEARCHED; pages++) {
      if (this.#arranged(list.items).length >= ENOUGH) return;
      await list.more();
    }
  }

  async setGrouping(grouping: Grouping): Promise<void> {
    this.grouping = grouping;
    await this.#services.state.update(`${GROUPING_KEY} ${this.#source.viewId}`, grouping);
    this.repaint();
  }

  #arranged(items: readonly ResourceNode[]): Node[] {
    const now = Date.now();
    const seen = this.#seen(items);
    const found = this.filter === '' ? seen : seen.filter((node) => matches(node, this.filter, now));
    return this.grouping === 'none' ? inRuns(found, this.#services.memory) : grouped(found, this.grouping, now);
  }

  get entries(): readonly ResourceNode[] {
    return this.#seen(this.#lists.get(ROOT)?.items ?? []);
  }

  #noted(entry: ResourceNode): ResourceNode {
    const { memory } = this.#services;
    const { serviceId, id } = entry;
    const model = entry.kind === 'prediction' ? entry.item.ai_model_id : undefined;
    return {
      ...entry,
      note: memory.recall(serviceId, id),
      modelLabel: model && memory.recall(serviceId, model)?.label,
    };
  }

  #seen(items: readonly ResourceNode[]): ResourceNode[] {
    return items.filter(({ serviceId, id }) => !this.#services.deletions.has(serviceId, id));
  }

  repaint(): void {
    this.#changed.fire(undefined);
  }

  relabel(): void {
    this.#lists.get(ROOT)?.update((items) => items.map((entry) => this.#noted(entry)));
  }

  add(node: ResourceNode): void {
    const list = this.#lists.get(ROOT);
    if (list?.isLoaded) list.update((items) => [this.#noted(node), ...items.filter(({ id }) => id !== node.id)]);
  }

  async refresh(): Promise<void> {
    await Promise.all([...this.#lists.values()].map((list) => list.refresh()));
  }

  getParent(): undefined {
    return undefined;
  }

  async reveal(id: string): Promise<boolean> {
    await this.#list(undefined).first();
    const node = this.entries.find((entry) => entry.id === id);
    if (node) await this.view.reveal(node, { select: true, focus: true, expand: true });
    return node !== undefined;
  }

  async loadMore(node: Node & { kind: 'more' }): Promise<void> {
    const loading = this.#list(node.parent).more();
    this.#changed.fire(node.parent);
    await loading;
  }

  dispose(): void {
    this.#reset();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #reset(): void {
    clearTimeout(this.#retry);
    this.#wait = FIRST_RETRY;
    this.view.message = this.#refusal = undefined;
    for (const list of this.#lists.values()) list.dispose();
    this.#lists.clear();
    this.#unwatch();
  }

  #unwatch(isOver = (_id: string) => true): void {
    for (const [id, end] of [...this.#watched].filter(([one]) => isOver(one))) {
      end();
      this.#watched.delete(id);
    }
  }

  /** Says above the list that it is stale, and retries while the view is visible, less and less often. */
  #showState(list: PagedList<ResourceNode>): void {
    const { problem } = list.read;
    const sentence = problem instanceof Error ? problem.message : String(problem);
    this.view.message = list.isStale
      ? vscode.l10n.t('{0} This list was read {1}.', sentence, ago(list.readAt) ?? '')
      : undefined;
    clearTimeout(this.#retry);
    if (problem === undefined) this.#wait = FIRST_RETRY;
    if (!isPassing(problem) || !this.view.visible) return;
    this.#retry = setTimeout(() => inBackground(this.#services.log, list.refresh()), this.#wait);
    this.#wait = Math.min(LAST_RETRY, this.#wait * 2);
  }

  #watchUnfinished(): void {
    const nodes = this.view.visible ? this.entries.filter(isUnfinished) : [];
    const ids = new Set(nodes.map(({ id }) => id));
    this.#unwatch((id) => !ids.has(id));
    for (const node of nodes) {
      const end = this.#watched.get(node.id) ?? this.#watch(node);
      if (end) this.#watched.set(node.id, end);
    }
  }

  #watch(node: ResourceNode): (() => void) | undefined {
    const session = this.#services.connection.session(node.serviceId);
    const onChange = (item: unknown) => {
      const now = (known: ResourceNode) => (known.id === node.id ? ({ ...known, item } as ResourceNode) : known);
      this.#lists.get(ROOT)?.update((items) => items.map(now));
    };
    const onProblem = (problem: ServiceError) => {
      if (problem.kind !== 'unauthorized' || this.#refusal) return;
      this.#refusal = problem;
      this.repaint();
    };
    if (node.kind === 'prediction') return session?.predictions.watch(node.id, { onChange, onProblem });
    return node.offers.tellsOfModels ? session?.models.watch(node.id, { onChange, onProblem }) : undefined;
  }

  #list(parent: ResourceNode | undefined): PagedList<ResourceNode> {
    const key = parent?.id ?? ROOT;
    const known = this.#lists.get(key);
    if (known) return known;
    const { connection } = this.#services;
    const { load, arrange } = this.#source;
    const list = new PagedList<ResourceNode>(
      async (cursor, signal) => {
        const session = connection.inUse;
        const { id: serviceId } = session.info;
        const page = await load(session, { cursor, signal }, parent);
        const offers = await session.client.capabilities();
        if (serviceId === connection.current.id) connection.showOffers(offers);
        return { ...page, items: page.items.map((entry) => this.#noted({ ...entry, serviceId, offers })) };
      },
      () => {
        this.#changed.fire(parent);
        if (parent) return;
        this.#watchUnfinished();
        this.#showState(list);
      },
      parent ? undefined : arrange,
    );
    this.#lists.set(key, list);
    return list;
  }
}

const URIS = 'text/uri-list';
const FILES = 'files';

export async function takeDropped(dropped: vscode.DataTransfer, take: (files: readonly vscode.Uri[]) => void) {
  const text = (await dropped.get(URIS)?.asString()) ?? '';
  const lines = text.split(/[\r\n]+/).filter((line) => line !== '' && !line.startsWith('#'));
  const files = [...dropped].flatMap(([, item]) => item.asFile() ?? []);
  const named = lines.map((line) => vscode.Uri.parse(line, true));
  const found = named.length > 0 ? named : files.flatMap(({ uri }) => uri ?? []);
  if (found.length > 0) return take(found);
  const [file] = files;
  if (!file) return;
  // a browser gives the content of a file, but not its location
  await say.info(
    vscode.l10n.t(
      '{0} cannot be opened from here. Move it into the open folder, and drop it from the Explorer.',
      file.name,
    ),
  );
}
