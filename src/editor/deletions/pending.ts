import type { Place } from '#platform/shelf';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { ServiceError, type ServiceErrorKind } from '../../client/errors.ts';
import { Records } from '../connection/records.ts';
import { inBackground } from '../ui/say.ts';

const Item = z.object({
  serviceId: z.string(),
  kind: z.enum(['prediction', 'fineTunedModel', 'dataset']),
  id: z.string(),
});
export type DeletionItem = z.infer<typeof Item>;

const Batch = z.object({ name: z.string(), /** Epoch milliseconds. */ due: z.number(), items: z.array(Item) });
const MOST = 2000;

interface Pending {
  readonly items: readonly DeletionItem[];
  /** Absent: of another window, or it can no longer be undone. */
  undone?: (() => void) | undefined;
  /** Absent: it is being deleted. */
  timer?: NodeJS.Timeout | undefined;
}

export interface PendingOptions {
  /** They are stored, so that the next window finishes those of a window that crashed. */
  readonly folder: Place;
  readonly log: vscode.LogOutputChannel;
  readonly remove: (item: DeletionItem, signal: AbortSignal) => Promise<void>;
  readonly onDone: (items: readonly DeletionItem[], problem: unknown) => Promise<void>;
  readonly wait?: number;
}

const WAIT = 20_000;
/** Milliseconds after which another window’s deletions are overdue. */
const GRACE = 10_000;
/** Milliseconds that an editor waits when it closes. */
const LAST = 3000;

/** Deletions that can be undone for some seconds: hidden in the views, and then deleted at their service. */
export class PendingDeletions implements vscode.Disposable {
  readonly #options: PendingOptions;
  readonly #written: Records<typeof Batch>;
  readonly #pending = new Map<string, Pending>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(options: PendingOptions) {
    this.#options = options;
    this.#written = new Records(options.folder, Batch, MOST);
  }

  has(serviceId: string, id: string): boolean {
    const isIt = (item: DeletionItem) => item.id === id && item.serviceId === serviceId;
    return [...this.#pending.values()].some(({ items }) => items.some(isIt));
  }

  get latest(): string | undefined {
    return [...this.#pending].findLast(([, { undone }]) => undone)?.[0];
  }

  add(items: readonly DeletionItem[], undone: () => void): string {
    const { wait = WAIT } = this.#options;
    const name = crypto.randomUUID();
    this.#written.set(name, { name, due: Date.now() + wait, items: [...items] });
    this.#hide(name, { items, undone }, wait, () => this.commit(name));
    return name;
  }

  undo(name: string): boolean {
    const { undone, timer } = this.#pending.get(name) ?? {};
    if (!undone) return false;
    clearTimeout(timer);
    this.#forget(name);
    undone();
    return true;
  }

  async commit(name: string): Promise<void> {
    const pending = this.#begin(name);
    if (!pending) return;
    const problem = await this.#delete(pending, new AbortController().signal);
    this.#written.delete(name);
    try {
      await this.#options.onDone(pending.items, problem);
    } finally {
      this.#forget(name);
    }
  }

  /** Deletes everything of this window as it closes; what fails is left to the next window. */
  async finish(): Promise<void> {
    const signal = AbortSignal.timeout(LAST);
    const own = [...this.#pending].filter(([, { undone }]) => undone);
    const deleting = own.map(async ([name]) => {
      const pending = this.#begin(name);
      if (pending && (await this.#delete(pending, signal)) === undefined) this.#written.delete(name);
    });
    await Promise.all(deleting);
  }

  /** Finishes what an earlier window left. A window that is still open does its own. */
  resume(): void {
    for (const { name, items, due } of this.#written.all()) {
      if (this.#pending.has(name)) continue;
      this.#hide(name, { items }, Math.max(0, due + GRACE - Date.now()), async () => {
        if (this.#written.get(name)) await this.commit(name);
        else this.#forget(name);
      });
    }
  }

  dispose(): void {
    for (const { timer } of this.#pending.values()) clearTimeout(timer);
    this.#changed.dispose();
  }

  #hide(name: string, pending: Pending, wait: number, end: () => Promise<void>): void {
    pending.timer = setTimeout(() => inBackground(this.#options.log, end()), wait);
    this.#pending.set(name, pending);
    this.#changed.fire();
  }

  #begin(name: string): Pending | undefined {
    const pending = this.#pending.get(name);
    if (!pending?.timer) return undefined;
    clearTimeout(pending.timer);
    pending.timer = pending.undone = undefined;
    this.#changed.fire();
    return pending;
  }

  #delete({ items }: Pending, signal: AbortSignal): Promise<unknown> {
    return deleteEach(items, (item) => this.#options.remove(item, signal)).catch((problem: unknown) => problem);
  }

  #forget(name: string): void {
    this.#written.delete(name);
    if (this.#pending.delete(name)) this.#changed.fire();
  }
}

/** Failures of the service as a whole, which every further item would meet. */
const OF_ALL: readonly ServiceErrorKind[] = [
  'unauthorized',
  'unreachable',
  'not-a-service',
  'redirected',
  'unavailable',
  'timeout',
  'busy',
];
const MOST_FAILED = 2;

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
      if (failed === MOST_FAILED || OF_ALL.includes(problem.kind)) break;
    }
  }
  const [first] = problems;
  if (!first) return;
  if (items.length === 1) throw first;
  const { message } = first;
  const sentence =
    deleted === 0
      ? vscode.l10n.t('None of the {0} items was deleted. {1}', items.length, message)
      : vscode.l10n.t('Only {0} of {1} could be deleted. {2}', deleted, items.length, message);
  throw first.with({}, sentence);
}
