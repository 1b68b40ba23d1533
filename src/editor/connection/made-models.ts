import { statSync } from 'node:fs';
import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { LocalFineTunedModel } from '../../contract/local.ts';
import { Records } from './records.ts';

const Made = z.object({
  serviceId: z.string(),
  asOf: z.number(),
  model: LocalFineTunedModel,
  /** Why its service did not take it, in its own words. */
  said: z.optional(z.string()),
});
type Made = z.infer<typeof Made>;

/** What earlier versions kept in one value of the editor. */
const Earlier = z.catch(z.array(Made), []);
const KEY = 'forecasts.madeModels';
const MOST = 500;
/** Milliseconds after which a later change of a folder has another time, on any file system. */
const SETTLED = 2_000;

const keyOf = (serviceId: string, id: string): string => `${serviceId} ${id}`;

/** Fine-tuned models that were made from this editor, as the interface can make them but not list them. */
export class MadeModels {
  readonly #state: vscode.Memento;
  readonly #folder: string;
  readonly #records: Records<typeof Made>;
  /** As the folder was read last, and when it had changed then. */
  #known: { readonly changed: number; readonly models: readonly Made[] } | undefined;

  /**
   * @param folder where they are kept, a file each, so that windows do not write over each other
   * @param trouble is told what could not be written, and is then known to this window alone
   */
  constructor(state: vscode.Memento, folder: string, trouble?: (error: unknown) => void) {
    this.#state = state;
    this.#folder = folder;
    this.#records = new Records(folder, Made, MOST, trouble);
  }

  /** Newest first, each with the time at which its status was last told (epoch milliseconds). */
  of(serviceId: string): readonly Made[] {
    return [...this.#all(), ...this.#earlier()].filter((made) => made.serviceId === serviceId);
  }

  /** Keeps a model, without its training data. */
  async keep(serviceId: string, { input_config: _, ...model }: LocalFineTunedModel): Promise<void> {
    await this.#moveEarlier();
    this.#set({ serviceId, asOf: Date.now(), model });
  }

  /** A forecast with the model was taken, so that it is trained. @returns whether that was not known */
  async settle(serviceId: string, id: string): Promise<boolean> {
    const known = this.of(serviceId).find(({ model }) => model.id === id);
    if (!known || known.model.status === 'COMPLETED') return false;
    await this.keep(serviceId, { ...known.model, status: 'COMPLETED' });
    return true;
  }

  /** A forecast with the model was refused for its state. @param said by the service @returns whether the model is known */
  async refused(serviceId: string, id: string, said: string): Promise<boolean> {
    const known = this.of(serviceId).find(({ model }) => model.id === id);
    if (!known) return false;
    await this.#moveEarlier();
    this.#set({ ...known, asOf: Date.now(), said });
    return true;
  }

  /** @returns whether it was there */
  async forget(serviceId: string, id: string): Promise<boolean> {
    await this.#moveEarlier();
    this.#known = undefined;
    return this.#records.delete(keyOf(serviceId, id));
  }

  #set(made: Made): boolean {
    this.#known = undefined;
    return this.#records.set(keyOf(made.serviceId, made.model.id), made);
  }

  /** As they are now, also by another window; the files are read anew only where their folder has changed. */
  #all(): readonly Made[] {
    const changed = statSync(this.#folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (this.#known?.changed === changed) return this.#known.models;
    const models = this.#records.all().toSorted((a, b) => b.asOf - a.asOf);
    // a folder that another window is just writing to can change again without another time
    this.#known = Date.now() - changed > SETTLED ? { changed, models } : undefined;
    return models;
  }

  #earlier(): readonly Made[] {
    if (this.#state.get(KEY) === undefined) return [];
    // another window may have moved some already
    return Earlier.parse(this.#state.get(KEY)).filter(
      ({ serviceId, model }) => !this.#records.get(keyOf(serviceId, model.id)),
    );
  }

  /** Brings what an earlier version kept into files. */
  async #moveEarlier(): Promise<void> {
    if (this.#state.get(KEY) === undefined) return;
    const isMoved = Earlier.parse(this.#state.get(KEY)).map((made) => {
      const key = keyOf(made.serviceId, made.model.id);
      return this.#records.isWritten(key) || this.#set(this.#records.get(key) ?? made);
    });
    if (isMoved.every(Boolean)) await this.#state.update(KEY, undefined);
  }
}
