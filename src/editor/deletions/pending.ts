import type { Place } from '#platform/shelf';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { isGone, ServiceError, type ServiceErrorKind } from '../../client/errors.ts';
import type { App } from '../app.ts';
import { Records } from '../connection/memory.ts';
import { VIEWS } from '../names.ts';
import { inBackground, say, showFailure } from '../ui/say.ts';
import { canDelete, describeEntry, kindOf, type ResourceNode } from '../views/tree/kinds.ts';

const Item = z.object({
  serviceId: z.string(),
  kind: z.enum(['prediction', 'fineTunedModel', 'dataset']),
  id: z.string(),
});
type Item = z.infer<typeof Item>;
type Undoable = ResourceNode & { readonly kind: Item['kind'] };

/** Stored, so that the next window finishes those of a window that crashed. */
const Batch = z.object({ name: z.string(), /** Epoch milliseconds. */ due: z.number(), items: z.array(Item) });
const MOST = 2000;

interface Pending {
  readonly items: readonly Item[];
  undone?: (() => void) | undefined;
  timer?: NodeJS.Timeout | undefined;
}

const MOST_NAMED = 3;
const WAIT = 20_000;
/** Milliseconds after which another window’s deletions are overdue. */
const GRACE = 10_000;
const LAST = 3000; // milliseconds that an editor waits when it closes

/** Deletions that can be undone for some seconds: hidden in the views, and then deleted at their service. */
export class PendingDeletions implements vscode.Disposable {
  readonly #app: () => App;
  readonly #wait: number;
  readonly #written: Records<typeof Batch>;
  readonly #pending = new Map<string, Pending>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(app: () => App, place: Place, wait = WAIT) {
    this.#app = app;
    this.#wait = wait;
    this.#written = new Records(place, Batch, MOST);
  }

  has(serviceId: string, id: string): boolean {
    const isIt = (item: Item) => item.id === id && item.serviceId === serviceId;
    return [...this.#pending.values()].some(({ items }) => items.some(isIt));
  }

  get latest(): string | undefined {
    return [...this.#pending].findLast(([, { undone }]) => undone)?.[0];
  }

  /** Deletes resources of one view: keys at once, all else with Undo. Predictions are not confirmed. @throws ServiceError */
  async delete(chosen: readonly ResourceNode[]): Promise<void> {
    const app = this.#app();
    const all = chosen.filter((node) => canDelete(node) && !this.has(node.serviceId, node.id));
    if (all.length === 0) return;
    const names = all.slice(0, MOST_NAMED).map((node) => `“${describeEntry(node).label}”`);
    const more = all.length - names.length;
    const named = more > 0 ? vscode.l10n.t('{0} and {1} more', names.join(', '), String(more)) : names.join(', ');
    const [{ kind }] = all;
    const question =
      kind === 'key' ? vscode.l10n.t('Delete {0}? This cannot be undone.', named) : vscode.l10n.t('Delete {0}?', named);
    if (kind !== 'prediction' && !(await say.confirm(question, vscode.l10n.t('Delete')))) return;
    const undoable = all.filter((node): node is Undoable => node.kind !== 'key');
    if (undoable.length > 0) {
      inBackground(app.log, this.#deleteLater(undoable, named));
      return;
    }
    try {
      await deleteEach(all, (node) => deleteAtService(app, node));
    } finally {
      await app.trees.get(VIEWS.keys)?.refresh();
    }
  }

  async #deleteLater(all: readonly Undoable[], named: string): Promise<void> {
    const closed = all.map((node) => closePage(this.#app(), node));
    const name = this.add(all, () => {
      for (const open of closed) open?.();
    });
    const text =
      all.length === 1 ? vscode.l10n.t('{0} was deleted.', named) : vscode.l10n.t('{0} were deleted.', named);
    if (await say.info(text, vscode.l10n.t('Undo'))) await this.undo(name);
    else await this.commit(name);
  }

  add(all: readonly Item[], undone: () => void): string {
    const name = crypto.randomUUID();
    const items = all.map(({ serviceId, kind, id }) => ({ serviceId, kind, id }));
    this.#written.set(name, { name, due: Date.now() + this.#wait, items });
    this.#hide(name, { items, undone }, this.#wait);
    return name;
  }

  async undo(name = this.latest): Promise<void> {
    const { undone, timer } = this.#pending.get(name ?? '') ?? {};
    if (name === undefined || !undone) {
      await say.info(vscode.l10n.t('There is no deletion to undo. Deletions become permanent after 20 seconds.'));
      return;
    }
    clearTimeout(timer);
    this.#forget(name);
    undone();
  }

  /** @param closing ends as the window closes, which leaves what fails to the next window */
  async commit(name: string, closing?: AbortSignal): Promise<void> {
    const pending = this.#pending.get(name);
    if (!pending?.timer) return;
    clearTimeout(pending.timer);
    pending.timer = pending.undone = undefined;
    this.#changed.fire();
    try {
      const items = this.#written.get(name) ? pending.items : [];
      const deleting = deleteEach(items, (item) => deleteAtService(this.#app(), item, closing));
      const problem = await deleting.catch((error: unknown) => error);
      if (closing && problem !== undefined) return;
      this.#written.delete(name);
      if (!closing) await this.#show(pending.items, problem);
    } finally {
      if (!closing) this.#forget(name);
    }
  }

  async finish(): Promise<void> {
    const closing = AbortSignal.timeout(LAST);
    const own = [...this.#pending].filter(([, { undone }]) => undone);
    await Promise.all(own.map(([name]) => this.commit(name, closing)));
  }

  resume(): void {
    for (const { name, items, due } of this.#written.all())
      if (!this.#pending.has(name)) this.#hide(name, { items }, Math.max(0, due + GRACE - Date.now()));
  }

  dispose(): void {
    for (const { timer } of this.#pending.values()) clearTimeout(timer);
    this.#changed.dispose();
  }

  #hide(name: string, pending: Pending, wait: number): void {
    pending.timer = setTimeout(() => inBackground(this.#app().log, this.commit(name)), wait);
    this.#pending.set(name, pending);
    this.#changed.fire();
  }

  async #show(items: readonly Item[], problem: unknown): Promise<void> {
    const app = this.#app();
    const views = new Set(items.map((item) => kindOf(item).view));
    await Promise.all([...views].map((view) => app.trees.get(view)?.refresh()));
    if (problem !== undefined) inBackground(app.log, showFailure(app, problem));
  }

  #forget(name: string): void {
    this.#written.delete(name);
    if (this.#pending.delete(name)) this.#changed.fire();
  }
}

function closePage({ panels, modelPages }: App, { kind, serviceId, id, item }: Undoable): (() => unknown) | undefined {
  const ref = { serviceId, predictionId: id };
  const model = { serviceId, modelId: id };
  if (kind === 'prediction' && panels.close(ref)) return () => panels.open(ref, item, { preserveFocus: true });
  return kind === 'fineTunedModel' && modelPages.close(model) ? () => modelPages.open(model, item) : undefined;
}

async function deleteAtService(
  app: App,
  { serviceId, kind, id }: Pick<ResourceNode, 'serviceId' | 'kind' | 'id'>,
  signal?: AbortSignal,
): Promise<void> {
  const { deletion } = kindOf({ kind });
  try {
    if (deletion) await app.connection.session(serviceId)?.client.delete(deletion, id, signal);
  } catch (error) {
    if (kind === 'key' || !isGone(error)) throw error;
  }
  if (kind === 'fineTunedModel') app.madeModels.forget(serviceId, id);
}

const MOST_FAILED = 2;
/** All other failures are of the service as a whole, which every further item would meet. */
const OF_ONE: readonly ServiceErrorKind[] = ['refused', 'forbidden', 'failed', 'not-found'];

/** One after another, past those that are refused. @throws the first failure, with the count; at once any other error */
export async function deleteEach<T>(items: readonly T[], remove: (item: T) => Promise<unknown>): Promise<void> {
  const problems: ServiceError[] = [];
  let [deleted, failed] = [0, 0];
  for (const item of items) {
    try {
      await remove(item);
      deleted++;
      failed = 0;
    } catch (problem) {
      if (!(problem instanceof ServiceError)) throw problem;
      problems.push(problem);
      failed = problem.kind === 'failed' ? failed + 1 : 0;
      if (failed === MOST_FAILED || !OF_ONE.includes(problem.kind)) break;
    }
  }
  const [first] = problems;
  if (!first) return;
  if (items.length === 1) throw first;
  throw first.with({}, vscode.l10n.t('{0} of {1} were deleted. {2}', deleted, items.length, first.message));
}
