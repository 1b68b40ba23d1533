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
