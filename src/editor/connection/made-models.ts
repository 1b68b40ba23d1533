import { type Place, Shelf } from '#platform/shelf';
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

const MOST = 500;
/** Milliseconds after which a later change of a folder has another time, on any file system. */
const SETTLED = 2_000;

const keyOf = (serviceId: string, id: string): string => `${serviceId} ${id}`;

/** Fine-tuned models that were made from this editor, as the interface can make them but not list them. */
export class MadeModels {
  readonly #shelf: Shelf;
  readonly #records: Records<typeof Made>;
  /** As they were read last, and when it had changed then. */
  #known: { readonly changed: number; readonly models: readonly Made[] } | undefined;

  /**
   * @param place where they are kept, each by itself, so that windows do not write over each other
   * @param trouble is told what could not be written, and is then known to this window alone
   */
  constructor(place: Place, trouble?: (error: unknown) => void) {
    this.#shelf = new Shelf(place);
    this.#records = new Records(place, Made, MOST, trouble);
  }

  /**
   * Newest first, each with the time at which its status was last told (epoch milliseconds), also by another window; the
   * files are read anew only where their folder has changed.
   */
  of(serviceId: string): readonly Made[] {
    const { changed } = this.#shelf;
    if (this.#known?.changed !== changed) {
      const models = this.#records.all().toSorted((a, b) => b.asOf - a.asOf);
      this.#known = { changed, models };
    }
    const { models } = this.#known;
    // a folder that another window is just writing to can change again without another time
    if (Date.now() - changed <= SETTLED) this.#known = undefined;
    return models.filter((made) => made.serviceId === serviceId);
  }

  /** Keeps a model, without its training data. */
  keep(serviceId: string, { input_config: _, ...model }: LocalFineTunedModel): Promise<void> {
    this.#set({ serviceId, asOf: Date.now(), model });
    return Promise.resolve();
  }

  /** A forecast with the model was taken, so that it is trained. @returns whether that was not known */
  async settle(serviceId: string, id: string): Promise<boolean> {
    const known = this.#get(serviceId, id);
    if (!known || known.model.status === 'COMPLETED') return false;
    await this.keep(serviceId, { ...known.model, status: 'COMPLETED' });
    return true;
  }

  /** A forecast with the model was refused for its state. @param said by the service @returns whether the model is known */
  refused(serviceId: string, id: string, said: string): Promise<boolean> {
    const known = this.#get(serviceId, id);
    if (known) this.#set({ ...known, asOf: Date.now(), said });
    return Promise.resolve(known !== undefined);
  }

  /** @returns whether it was there */
  forget(serviceId: string, id: string): Promise<boolean> {
    this.#known = undefined;
    return Promise.resolve(this.#records.delete(keyOf(serviceId, id)));
  }

  #get(serviceId: string, id: string): Made | undefined {
    return this.#records.get(keyOf(serviceId, id));
  }

  #set(made: Made): void {
    this.#known = undefined;
    this.#records.set(keyOf(made.serviceId, made.model.id), made);
  }
}
