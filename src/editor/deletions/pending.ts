import type { Place } from '#platform/shelf';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { ServiceError, type ServiceErrorKind } from '../../client/errors.ts';
import { Records } from '../connection/records.ts';
import { inBackground } from '../ui/background.ts';

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
  /** Puts back what was closed with it. */
  readonly undone: () => void;
  timer?: NodeJS.Timeout;
  /** Whether the service is asked now, so that it is too late to undo it. */
  isGoing: boolean;
}

export interface PendingOptions {
  /** Where they are written down, so that a window that ends before its time leaves them to the next one. */
  readonly folder: Place;
  readonly log: vscode.LogOutputChannel;
  /** Deletes it at its service. @throws ServiceError */
  readonly remove: (item: DeletionItem, signal: AbortSignal) => Promise<void>;
  /** Called once the service was asked: its data must be read again, and a failure shown. */
  readonly onDone: (items: readonly DeletionItem[], problem: unknown) => Promise<void>;
  /** Milliseconds in which a deletion can be undone. */
  readonly wait?: number;
}

const WAIT = 20_000;
/** So much later what another window has left is taken on. */
const GRACE = 10_000;
/** An editor that closes does not wait longer. */
const LAST = 3000;

/**
 * Deletions that can still be undone: nothing was asked of a service yet, and views leave them out. After some seconds, or
 * where the window closes, the service deletes them. What a window that broke off had not done, the next one does.
 */
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

  /** Whether an item is hidden because it is about to be deleted. */
  has(serviceId: string, id: string): boolean {
    const isIt = (item: DeletionItem) => item.id === id && item.serviceId === serviceId;
    return [...this.#pending.values()].some(({ items }) => items.some(isIt));
  }

  /** The newest of those that can be undone. */
  get latest(): string | undefined {
    return [...this.#pending].findLast(([, { isGoing }]) => !isGoing)?.[0];
  }

  /**
   * Leaves what is to be deleted together out of the views.
   * @param undone called where it is undone @returns what names it
   */
  add(items: readonly DeletionItem[], undone: () => void): string {
    const { wait = WAIT } = this.#options;
    const name = crypto.randomUUID();
    this.#written.set(name, { name, due: Date.now() + wait, items: [...items] });
    const timer = setTimeout(() => {
      inBackground(this.#options.log, this.commit(name));
    }, wait);
    this.#pending.set(name, { items, undone, timer, isGoing: false });
    this.#changed.fire();
    return name;
  }

  /** @returns whether it was not too late; then all is as before */
  undo(name: string): boolean {
    const pending = this.#pending.get(name);
    if (!pending || pending.isGoing) return false;
    clearTimeout(pending.timer);
    this.#forget(name);
    pending.undone();
    return true;
  }

  /** Deletes what is pending, now. */
  async commit(name: string): Promise<void> {
    const pending = this.#begin(name);
    if (!pending) return;
    const problem = await this.#ask(pending, new AbortController().signal);
    // show the failure, and the items that still exist
    this.#written.delete(name);
    try {
      await this.#options.onDone(pending.items, problem);
    } finally {
      this.#forget(name);
    }
  }

  /** Deletes all that is pending, as the window closes. What does not come through is left to the next one. */
  async finish(): Promise<void> {
    const signal = AbortSignal.timeout(LAST);
    const asking = [...this.#pending.keys()].map(async (name) => {
      const pending = this.#begin(name);
      if (pending && (await this.#ask(pending, signal)) === undefined) this.#written.delete(name);
    });
    await Promise.all(asking);
  }

  /** Takes on what an earlier window has left. One that is open still does its own. */
  resume(): void {
    for (const { name, items, due } of this.#written.all()) {
      if (this.#pending.has(name)) continue;
      const pending: Pending = { items, isGoing: true, undone: () => undefined };
      const goOn = () => {
        pending.isGoing = false;
        // undone or done by the window that it was of
        if (this.#written.get(name)) inBackground(this.#options.log, this.commit(name));
        else this.#forget(name);
      };
      pending.timer = setTimeout(goOn, Math.max(0, due + GRACE - Date.now()));
      this.#pending.set(name, pending);
      this.#changed.fire();
    }
  }

  dispose(): void {
    for (const { timer } of this.#pending.values()) clearTimeout(timer);
    this.#changed.dispose();
  }

  #begin(name: string): Pending | undefined {
    const pending = this.#pending.get(name);
    if (!pending || pending.isGoing) return undefined;
    clearTimeout(pending.timer);
    pending.isGoing = true;
    this.#changed.fire();
    return pending;
  }

  /** @returns why some were not deleted; the others are */
  async #ask({ items }: Pending, signal: AbortSignal): Promise<unknown> {
    return deleteEach(items, (item) => this.#options.remove(item, signal)).catch((problem: unknown) => problem);
  }

  #forget(name: string): void {
    this.#written.delete(name);
    if (this.#pending.delete(name)) this.#changed.fire();
  }
}

/** Of the service as a whole: what comes after would meet the same, each after a wait of its own. */
const OF_ALL: readonly ServiceErrorKind[] = [
  'unauthorized',
  'unreachable',
  'not-a-service',
  'redirected',
  'unavailable',
  'timeout',
  'busy',
];
/** One thing may fail by itself; when the next one fails too, it is the service. */
const MOST_FAILED = 2;

/**
 * Deletes one after another. One that is refused does not keep the others; what is of the
 * service as a whole does, as does being called off.
 * @throws the first failure, of several things with how many were deleted; at once what is no failure of the service
 */
export async function deleteEach<T>(items: readonly T[], remove: (item: T) => Promise<unknown>): Promise<void> {
  const problems: ServiceError[] = [];
  let [deleted, failed] = [0, 0];
  for (const item of items) {
    try {
      await remove(item);
      deleted++;
      failed = 0;
    } catch (problem) {
      // called off: what was refused before is no reason for that
      if (!(problem instanceof ServiceError)) throw problem;
      problems.push(problem);
      failed = problem.kind === 'failed' ? failed + 1 : 0;
      if (failed === MOST_FAILED || OF_ALL.includes(problem.kind)) break;
    }
  }
  const [first] = problems;
  const all = items.length;
  if (!first) return;
  if (all === 1) throw first;
  const { kind, message, status, outcomeUnknown, faults, reason } = first;
  const sentence =
    deleted === 0
      ? vscode.l10n.t('None of the {0} items was deleted. {1}', all, message)
      : vscode.l10n.t('Only {0} of {1} could be deleted. {2}', deleted, all, message);
  throw new ServiceError(kind, sentence, { status, outcomeUnknown, faults, reason, cause: first });
}
