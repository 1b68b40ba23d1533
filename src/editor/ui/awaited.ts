import type * as vscode from 'vscode';
import * as z from 'zod/mini';

const Job = z.object({
  serviceId: z.string(),
  kind: z.enum(['prediction', 'model']),
  id: z.string(),
  /** What the person calls it. */
  label: z.string(),
});
/** A job whose end is to be told to the person. */
export type AwaitedJob = z.infer<typeof Job>;

const Jobs = z.catch(z.array(Job), []);

const KEY = 'forecasts.awaited';
const MOST = 200;

/** The jobs whose end is still to be told, kept over a reload of the window. */
export class AwaitedJobs {
  readonly #state: vscode.Memento;

  /** @param state that of the workspace, so that only the window that asked for a job tells of it */
  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  get all(): readonly AwaitedJob[] {
    return Jobs.parse(this.#state.get(KEY));
  }

  async add(job: AwaitedJob): Promise<void> {
    await this.#state.update(KEY, [...this.all, job].slice(-MOST));
  }

  async drop({ serviceId, id }: AwaitedJob): Promise<void> {
    const left = this.all.filter((job) => job.serviceId !== serviceId || job.id !== id);
    await this.#state.update(KEY, left.length > 0 ? left : undefined);
  }
}
