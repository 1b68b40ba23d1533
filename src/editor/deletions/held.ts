import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { inBackground } from '../ui/background.ts';
import { deleteEach } from './each.ts';

const Item = z.object({
  serviceId: z.string(),
  kind: z.enum(['prediction', 'fineTunedModel', 'dataset']),
  id: z.string(),
});
/** Something that is to be deleted at a service. */
export type DeletionItem = z.infer<typeof Item>;

const Batch = z.object({ /** Epoch milliseconds. */ due: z.number(), items: z.array(Item) });

interface Held {
  readonly items: readonly DeletionItem[];
  /** Puts back what was closed with it. */
  readonly undone: () => void;
  timer: NodeJS.Timeout | undefined;
  /** Whether the service is asked now, so that it is too late to undo it. */
  isGoing: boolean;
}

export interface HeldOptions {
  /** Where what is held is written down, so that a window that ends before its time leaves it to the next one. */
  readonly folder: string;
  readonly log: vscode.LogOutputChannel;
  /** Deletes it at its service. @throws ServiceError */
  readonly remove: (item: DeletionItem, signal: AbortSignal) => Promise<void>;
  /** The service was asked: what it has now is to be read, and a failure told. */
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
export class HeldDeletions implements vscode.Disposable {
  readonly #options: HeldOptions;
  readonly #held = new Map<string, Held>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(options: HeldOptions) {
    this.#options = options;
  }

  /** Whether something is not to be shown any more. */
  isHeld(serviceId: string, id: string): boolean {
    for (const { items } of this.#held.values())
      if (items.some((item) => item.id === id && item.serviceId === serviceId)) return true;
    return false;
  }

  /** The newest of those that can be undone. */
  get latest(): string | undefined {
    return [...this.#held].findLast(([, { isGoing }]) => !isGoing)?.[0];
  }

  /**
   * Holds what is to be deleted together.
   * @param undone called where it is undone @returns what names it
   */
  hold(items: readonly DeletionItem[], undone: () => void): string {
    const { folder, wait = WAIT } = this.#options;
    const name = `${randomUUID()}.json`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, name), JSON.stringify({ due: Date.now() + wait, items }));
    const commit = () => {
      inBackground(this.#options.log, this.commit(name));
    };
    this.#held.set(name, { items, undone, timer: setTimeout(commit, wait), isGoing: false });
    this.#changed.fire();
    return name;
  }

  /** @returns whether it was not too late; then all is as before */
  undo(name: string): boolean {
    const held = this.#held.get(name);
    if (!held || held.isGoing) return false;
    clearTimeout(held.timer);
    this.#forget(name);
    held.undone();
    return true;
  }

  /** Deletes what was held, now. */
  async commit(name: string): Promise<void> {
    const held = this.#begin(name);
    if (!held) return;
    const problem = await this.#ask(held, new AbortController().signal);
    // a failure is told, and what is still there is seen again
    rmSync(this.#fileOf(name), { force: true });
    try {
      await this.#options.onDone(held.items, problem);
    } finally {
      this.#forget(name);
    }
  }

  /** Deletes all that is held, as the window closes. What does not come through is left to the next one. */
  async finish(): Promise<void> {
    const signal = AbortSignal.timeout(LAST);
    const asking = [...this.#held.keys()].map(async (name) => {
      const held = this.#begin(name);
      if (held && (await this.#ask(held, signal)) === undefined) rmSync(this.#fileOf(name), { force: true });
    });
    await Promise.all(asking);
  }

  /** Takes on what an earlier window has left. One that is open still does its own. */
  resume(): void {
    for (const name of this.#names()) {
      const batch = this.#read(name);
      if (!batch) rmSync(this.#fileOf(name), { force: true });
      else if (!this.#held.has(name)) this.#takeOn(name, batch);
    }
  }

  dispose(): void {
    for (const { timer } of this.#held.values()) clearTimeout(timer);
    this.#changed.dispose();
  }

  #takeOn(name: string, { items, due }: z.infer<typeof Batch>): void {
    const held: Held = { items, isGoing: true, timer: undefined, undone: () => undefined };
    this.#held.set(name, held);
    const goOn = () => {
      held.isGoing = false;
      // undone or done by the window that it was of
      if (this.#read(name)) inBackground(this.#options.log, this.commit(name));
      else this.#forget(name);
    };
    held.timer = setTimeout(goOn, Math.max(0, due + GRACE - Date.now()));
    this.#changed.fire();
  }

  #begin(name: string): Held | undefined {
    const held = this.#held.get(name);
    if (!held || held.isGoing) return undefined;
    clearTimeout(held.timer);
    held.isGoing = true;
    this.#changed.fire();
    return held;
  }

  /** @returns why some were not deleted; the others are */
  async #ask({ items }: Held, signal: AbortSignal): Promise<unknown> {
    try {
      await deleteEach(items, (item) => this.#options.remove(item, signal));
      return undefined;
    } catch (problem) {
      return problem;
    }
  }

  #forget(name: string): void {
    rmSync(this.#fileOf(name), { force: true });
    if (this.#held.delete(name)) this.#changed.fire();
  }

  #fileOf(name: string): string {
    return path.join(this.#options.folder, name);
  }

  #names(): string[] {
    try {
      return readdirSync(this.#options.folder).filter((name) => name.endsWith('.json'));
    } catch {
      // nothing was ever deleted
      return [];
    }
  }

  #read(name: string): z.infer<typeof Batch> | undefined {
    try {
      return z.parse(Batch, JSON.parse(readFileSync(this.#fileOf(name), 'utf8')));
    } catch {
      // done or undone meanwhile, or spoilt by the disk
      return undefined;
    }
  }
}
