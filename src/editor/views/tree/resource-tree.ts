import * as vscode from 'vscode';
import type { ListPage } from '../../../client/page.ts';
import type { ServiceClient } from '../../../client/client.ts';
import { isPassing, type ServiceError } from '../../../client/errors.ts';
import type { Connection } from '../../connection/connection.ts';
import { say } from '../../ui/say.ts';
import { grouped, type Grouping, GROUPINGS, inRuns, isMeant } from './arrange.ts';
import { agoOf } from '../shared/ago.ts';
import { cardOf, hover, treeItem } from './item.ts';
import { type Entry, isResource, isUnfinished, type Node, type ResourceNode } from './kinds.ts';
import { PagedList } from './paged-list.ts';
import { inBackground } from '../../ui/background.ts';

export interface PageQuery {
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
}

export interface TreeSource {
  readonly viewId: string;
  readonly load: (client: ServiceClient, query: PageQuery) => Promise<ListPage<Entry>>;
  /** Entries with what this editor knows of them now, in the order that follows from it. */
  readonly again?: (entries: readonly ResourceNode[]) => readonly ResourceNode[];
  /** What the person calls what one request made, whose entries are one row then. */
  readonly labelOfRun?: (serviceId: string, batchId: string) => string | undefined;
  /** Takes files that are dropped on the view. */
  readonly onDrop?: (files: readonly vscode.Uri[]) => void;
  /** Whether an entry is not to be shown, as it is about to be deleted. */
  readonly isPendingDeletion?: (serviceId: string, id: string) => boolean;
  /** The entries below one, for views of two levels. */
  readonly loadChildren?: (client: ServiceClient, parent: Entry, query: PageQuery) => Promise<ListPage<Entry>>;
}

interface Services {
  readonly connection: Connection;
  readonly log: vscode.LogOutputChannel;
  /** Of the workspace. */
  readonly state: vscode.Memento;
}

const ROOT = '';
const GROUPING_KEY = 'forecasts.grouping';

/** A filter reads on until so many are found, but no more than so many pages. */
const ENOUGH = 20;
const MOST_SEARCHED = 40;

/** Milliseconds until a list that could not be read is read again: at first, and at last. */
const FIRST_RETRY = 2_000;
const LAST_RETRY = 60_000;

/** One view of the sidebar: it paints what its page lists hold. The same class serves all views. */
export class ResourceTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly view: vscode.TreeView<Node>;
  readonly #source: TreeSource;
  readonly #services: Services;
  readonly #changed = new vscode.EventEmitter<Node | undefined>();
  readonly #lists = new Map<string, PagedList<ResourceNode>>();
  readonly #disposables: vscode.Disposable[];
  /** Ends of what is followed, by the ids of the entries. */
  readonly #followed = new Map<string, () => void>();
  filter = '';
  grouping: Grouping;
  /** Why its jobs are not followed: the token is no longer accepted. */
  #refusal: ServiceError | undefined;
  #retry: NodeJS.Timeout | undefined;
  #wait = FIRST_RETRY;

  constructor(source: TreeSource, services: Services) {
    const { connection, log, state } = services;
    this.#source = source;
    this.#services = services;
    this.grouping = GROUPINGS.find((one) => one === state.get(`${GROUPING_KEY} ${source.viewId}`)) ?? 'none';
    const { onDrop } = source;
    this.view = vscode.window.createTreeView(source.viewId, {
      treeDataProvider: this,
      canSelectMany: true,
      ...(onDrop
        ? {
            dragAndDropController: {
              dragMimeTypes: [],
              dropMimeTypes: [URIS, FILES],
              handleDrop: (_target, dropped) => takeDropped(dropped, onDrop),
            },
          }
        : {}),
      showCollapseAll: source.loadChildren !== undefined,
    });
    this.#disposables = [
      this.view,
      this.#changed,
      connection.onDidChange(() => {
        this.#forget();
        this.#changed.fire(undefined);
      }),
      this.view.onDidChangeVisibility(({ visible }) => {
        this.#follow();
        const list = this.#lists.get(ROOT);
        if (visible && isPassing(list?.read.problem)) inBackground(log, list?.refresh());
      }),
    ];
  }

  readonly onDidChangeTreeData = this.#changed.event;

  getTreeItem(node: Node): vscode.TreeItem {
    return treeItem(node, Date.now());
  }

  /** The hover of a prediction is made when it is wanted: it draws the series. */
  async resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    if (node.kind !== 'prediction') return item;
    const client = this.#services.connection.session(node.serviceId)?.client;
    const isReadable = node.item.status === 'COMPLETED' && node.offers.has('getPrediction');
    const reading = isReadable ? client?.getPrediction(node.id) : undefined;
    const prediction = await reading?.catch((error: unknown) => {
      this.#services.log.debug(`No drawing of ${node.id}: ${String(error)}`);
      return undefined;
    });
    item.tooltip = hover(node, cardOf(node, Date.now(), prediction));
    return item;
  }

  async getChildren(parent?: Node): Promise<Node[]> {
    if (parent?.kind === 'group')
      return parent.batchId === undefined ? this.#inRuns(parent.entries) : [...parent.entries];
    if (parent && !isResource(parent)) return [];
    if (!parent && (await this.#services.connection.missing())) return [];
    const list = this.#list(parent);
    // without a word the view would say that there is nothing yet
    if (!parent && !list.isLoaded) this.view.message = vscode.l10n.t('Loading…');
    await list.first();
    const nodes = parent ? this.#seen(list.items) : this.#arranged(list.items);
    const refused: Node[] =
      !parent && this.#refusal && list.read.problem === undefined
        ? [{ kind: 'problem', id: 'refusal', error: this.#refusal }]
        : [];
    return [...refused, ...nodes, ...this.#problems(list, parent), ...this.#rest(list, parent)];
  }

  /** What could not be read; it stands after the entries that could. */
  #problems({ read }: PagedList<ResourceNode>, parent: ResourceNode | undefined): Node[] {
    const { unreadable, problem, isStale } = read;
    const id = parent?.id ?? ROOT;
    const nodes: Node[] = [];
    const [first] = unreadable;
    if (first !== undefined) {
      const text = vscode.l10n.t('{0} more do not have the expected format: {1}', unreadable.length, first);
      nodes.push({ kind: 'problem', id: `unreadable ${id}`, error: new Error(text) });
    }
    if (problem !== undefined && (parent !== undefined || !isStale)) {
      this.#services.log.warn(`${this.#source.viewId}: ${String(problem)}`);
      nodes.push({ kind: 'problem', id: `problem ${id}`, error: problem });
    }
    return nodes;
  }

  #rest(list: PagedList<ResourceNode>, parent: ResourceNode | undefined): Node[] {
    if (!list.hasMore || list.isLoading) return [];
    const { viewId } = this.#source;
    const { total } = list.read;
    return [{ kind: 'more', id: `more ${parent?.id ?? ROOT}`, viewId, loaded: list.items.length, total, parent }];
  }

  /** Shows only entries with these words; reads on until enough of them are found. */
  async setFilter(words: string): Promise<void> {
    this.filter = words.trim();
    this.view.description = this.filter === '' ? undefined : `“${this.filter}”`;
    this.#changed.fire(undefined);
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
    this.#changed.fire(undefined);
  }

  #arranged(items: readonly ResourceNode[]): Node[] {
    const now = Date.now();
    const seen = this.#seen(items);
    const meant = this.filter === '' ? seen : seen.filter((node) => isMeant(node, this.filter, now));
    return this.grouping === 'none' ? this.#inRuns(meant) : grouped(meant, this.grouping, now);
  }

  #inRuns(nodes: readonly ResourceNode[]): Node[] {
    const { labelOfRun } = this.#source;
    return labelOfRun ? inRuns(nodes, labelOfRun) : [...nodes];
  }

  /** The entries at the top that were read so far. */
  get entries(): readonly ResourceNode[] {
    return this.#seen(this.#lists.get(ROOT)?.items ?? []);
  }

  /** Without those that are as good as deleted. */
  #seen(items: readonly ResourceNode[]): ResourceNode[] {
    return items.filter(({ serviceId, id }) => !this.#source.isPendingDeletion?.(serviceId, id));
  }

  /** Repaints the loaded entries. */
  repaint(): void {
    this.#changed.fire(undefined);
  }

  /** Refreshes what this editor knows about the loaded entries, without a request. */
  relabel(): void {
    const { again } = this.#source;
    if (again) this.#lists.get(ROOT)?.update((items) => again(items));
  }

  /** Shows one that was just made, without asking for the list; where nothing was read yet, the list will have it. */
  add(node: ResourceNode): void {
    const list = this.#lists.get(ROOT);
    if (!list?.isLoaded) return;
    const { again = (all: readonly ResourceNode[]) => all } = this.#source;
    list.update((items) => again([node, ...items.filter(({ id }) => id !== node.id)]));
  }

  /** Reads again what is shown, and keeps the place. A view that was not seen yet reads nothing. */
  async refresh(): Promise<void> {
    await Promise.all([...this.#lists.values()].map((list) => list.refresh()));
  }

  /** Only entries at the top are ever revealed. */
  getParent(): undefined {
    return undefined;
  }

  /** Selects an entry at the top, with its children open. @returns whether it is among those that were read */
  async reveal(id: string): Promise<boolean> {
    await this.#list(undefined).first();
    const node = this.entries.find((entry) => entry.id === id);
    if (node) await this.view.reveal(node, { select: true, focus: true, expand: true });
    return node !== undefined;
  }

  async loadMore(node: Node & { kind: 'more' }): Promise<void> {
    const list = this.#list(node.parent);
    const loading = list.more();
    this.#changed.fire(node.parent);
    await loading;
  }

  dispose(): void {
    this.#forget();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #forget(): void {
    clearTimeout(this.#retry);
    this.#wait = FIRST_RETRY;
    this.view.message = this.#refusal = undefined;
    for (const list of this.#lists.values()) list.reset();
    this.#lists.clear();
    for (const end of this.#followed.values()) end();
    this.#followed.clear();
  }

  /**
   * Says above the list that it is old, as reading it again failed, and tries again by itself while the view is seen: less
   * and less often, until the service is back.
   */
  #tellState(list: PagedList<ResourceNode>): void {
    const { problem, isStale, readAt } = list.read;
    const sentence = problem instanceof Error ? problem.message : String(problem);
    this.view.message = isStale ? vscode.l10n.t('{0} This list was read {1}.', sentence, agoOf(readAt)) : undefined;
    clearTimeout(this.#retry);
    if (problem === undefined) this.#wait = FIRST_RETRY;
    if (!isPassing(problem) || !this.view.visible) return;
    this.#retry = setTimeout(() => {
      inBackground(this.#services.log, list.refresh());
    }, this.#wait);
    this.#wait = Math.min(LAST_RETRY, this.#wait * 2);
  }

  /** While the view is seen, follows its entries that are not done. */
  #follow(): void {
    const wanted = new Map(this.view.visible ? this.entries.filter(isUnfinished).map((node) => [node.id, node]) : []);
    for (const [id, end] of this.#followed) {
      if (wanted.has(id)) continue;
      end();
      this.#followed.delete(id);
    }
    for (const [id, node] of wanted) {
      const end = this.#followed.has(id) ? undefined : this.#watch(node);
      if (end) this.#followed.set(id, end);
    }
  }

  #watch(node: ResourceNode): (() => void) | undefined {
    const session = this.#services.connection.session(node.serviceId);
    const list = this.#lists.get(ROOT);
    const onChange = (item: unknown) => {
      const now = { ...node, item } as ResourceNode;
      list?.update((items) => items.map((known) => (known.id === node.id ? now : known)));
    };
    const onProblem = (problem: ServiceError) => {
      if (problem.kind !== 'unauthorized' || this.#refusal) return;
      this.#refusal = problem;
      this.#changed.fire(undefined);
    };
    if (node.kind === 'prediction') return session?.predictions.watch(node.id, { onChange, onProblem });
    const canWatch = node.offers.tellsOfModels;
    return node.kind === 'fineTunedModel' && canWatch
      ? session?.models.watch(node.id, { onChange, onProblem })
      : undefined;
  }

  #list(parent: ResourceNode | undefined): PagedList<ResourceNode> {
    const key = parent?.id ?? ROOT;
    const known = this.#lists.get(key);
    if (known) return known;
    const list = new PagedList<ResourceNode>(
      async (cursor, signal) => {
        const serviceId = this.#services.connection.current.id;
        const client = this.#services.connection.client();
        const query = { cursor, signal };
        const page = await (parent && this.#source.loadChildren
          ? this.#source.loadChildren(client, parent, query)
          : this.#source.load(client, query));
        const offers = await client.capabilities();
        if (serviceId === this.#services.connection.current.id) this.#services.connection.showOffers(offers);
        return { ...page, items: page.items.map((entry) => ({ ...entry, serviceId, offers })) };
      },
      () => {
        this.#changed.fire(parent);
        if (parent) return;
        this.#follow();
        this.#tellState(list);
      },
    );
    this.#lists.set(key, list);
    return list;
  }
}

const URIS = 'text/uri-list';
/** As the editor calls files from another program, whatever is in them. */
const FILES = 'files';

/** Takes files that are dropped on a view, from the explorer or from another program. */
export async function takeDropped(
  dropped: vscode.DataTransfer,
  take: (files: readonly vscode.Uri[]) => void,
): Promise<void> {
  const text = (await dropped.get(URIS)?.asString()) ?? '';
  const lines = text.split(/[\r\n]+/).filter((line) => line !== '' && !line.startsWith('#'));
  const files = [...dropped].flatMap(([, item]) => item.asFile() ?? []);
  const found =
    lines.length > 0 ? lines.map((line) => vscode.Uri.parse(line, true)) : files.flatMap(({ uri }) => uri ?? []);
  if (found.length > 0) take(found);
  // a browser hands over what is in a file, but not where it is
  else if (files.length > 0)
    await say.info(
      vscode.l10n.t(
        '{0} cannot be opened from here. Move it into the open folder, and drop it from the Explorer.',
        files[0].name,
      ),
    );
}
