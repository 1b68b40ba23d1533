import type { Place } from '#platform/shelf';
import * as z from 'zod/mini';
import { LocalFineTunedModel } from '../../contract/resources.ts';
import { Records } from './records.ts';

const Made = z.object({
  serviceId: z.string(),
  /** When its status was last reported (epoch milliseconds). */
  asOf: z.number(),
  model: LocalFineTunedModel,
  /** Why its service did not accept it, in its own words. */
  said: z.optional(z.string()),
});
type Made = z.infer<typeof Made>;

const MOST = 500;

const keyOf = (serviceId: string, id: string): string => `${serviceId} ${id}`;

/** Fine-tuned models that were made from this editor: a service may be unable to list them. */
export class MadeModels {
  readonly #records: Records<typeof Made>;

  constructor(place: Place, onProblem?: (error: unknown) => void) {
    this.#records = new Records(place, Made, MOST, onProblem);
  }

  /** Newest first, also those of other windows. */
  of(serviceId: string): readonly Made[] {
    const own = this.#records.all().filter((made) => made.serviceId === serviceId);
    return own.toSorted((a, b) => b.asOf - a.asOf);
  }

  /** Keeps a model, without its training data. */
  keep(serviceId: string, { input_config: _, ...model }: LocalFineTunedModel): Promise<void> {
    this.#records.set(keyOf(serviceId, model.id), { serviceId, asOf: Date.now(), model });
    return Promise.resolve();
  }

  /** A forecast with the model succeeded, so it is trained. @returns whether that is news */
  async settle(serviceId: string, id: string): Promise<boolean> {
    const known = this.#records.get(keyOf(serviceId, id));
    if (!known || known.model.status === 'COMPLETED') return false;
    await this.keep(serviceId, { ...known.model, status: 'COMPLETED' });
    return true;
  }

  /** A forecast with the model was refused for its status. @returns whether the model is known */
  refused(serviceId: string, id: string, said: string): Promise<boolean> {
    const known = this.#records.get(keyOf(serviceId, id));
    if (known) this.#records.set(keyOf(serviceId, id), { ...known, asOf: Date.now(), said });
    return Promise.resolve(known !== undefined);
  }

  forget(serviceId: string, id: string): Promise<boolean> {
    return Promise.resolve(this.#records.delete(keyOf(serviceId, id)));
  }
}
