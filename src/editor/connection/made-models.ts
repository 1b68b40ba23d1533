import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { LocalFineTunedModel } from '../../contract/local.ts';

const Record = z.object({ serviceId: z.string(), asOf: z.number(), model: LocalFineTunedModel });
type Record = z.infer<typeof Record>;
const Records = z.catch(z.array(Record), []);

const KEY = 'forecasts.madeModels';
const MOST = 500;

/** Fine-tuned models that were made from this editor, as the interface can make them but not list them. */
export class MadeModels {
  readonly #state: vscode.Memento;
  #stored: unknown;
  #records: readonly Record[] = [];

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** Newest first, each with the time at which its status was last told (epoch milliseconds). */
  of(serviceId: string): readonly Record[] {
    return this.#read().filter((record) => record.serviceId === serviceId);
  }

  /** Keeps a model, without its training data. */
  async keep(serviceId: string, { input_config: _, ...model }: LocalFineTunedModel): Promise<void> {
    const others = this.#read().filter((record) => record.serviceId !== serviceId || record.model.id !== model.id);
    await this.#state.update(KEY, [{ serviceId, asOf: Date.now(), model }, ...others].slice(0, MOST));
  }

  /** What a forecast with the model has told of it: its service takes it, or says that its training failed. */
  async settle(serviceId: string, id: string, status: 'COMPLETED' | 'FAILED'): Promise<boolean> {
    const known = this.of(serviceId).find(({ model }) => model.id === id);
    if (!known || known.model.status === status) return false;
    await this.keep(serviceId, { ...known.model, status });
    return true;
  }

  /** @returns whether it was there */
  async forget(serviceId: string, id: string): Promise<boolean> {
    const records = this.#read();
    const others = records.filter((record) => record.serviceId !== serviceId || record.model.id !== id);
    if (others.length < records.length) await this.#state.update(KEY, others);
    return others.length < records.length;
  }

  /** As stored now, also by another window; parsed anew only where that is another value than before. */
  #read(): readonly Record[] {
    const stored = this.#state.get(KEY);
    if (stored !== this.#stored) {
      this.#stored = stored;
      this.#records = Records.parse(stored);
    }
    return this.#records;
  }
}
