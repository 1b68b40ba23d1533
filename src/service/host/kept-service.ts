import { repairStore, type Repair } from '../database/repair.ts';
import { openService, type Service, type ServiceOptions } from './service.ts';

/** The local service of a folder: opened by the first request, and anew where its database was replaced. */
export class KeptService {
  readonly #options: ServiceOptions;
  #keepDays: number | undefined;
  #service: Promise<Service> | undefined;

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.#keepDays = options.keepDays;
  }

  async open(): Promise<Service> {
    const opened = this.#service;
    const service = await opened;
    // another program has repaired the database or taken it away: what is written into the old one would be lost
    if (service && opened === this.#service && !service.isInPlace()) this.#service = this.#anew(service);
    if (this.#service === undefined) this.#service = this.#anew();
    const opening = this.#service;
    try {
      return await opening;
    } catch (error) {
      if (this.#service === opening) this.#service = undefined; // the next request tries again
      throw error;
    }
  }

  keepFor(days: number): void {
    this.#keepDays = days;
    this.#service?.then(
      (service) => {
        service.keepFor(days);
      },
      () => undefined, // where it could not be opened, the next one is opened with it
    );
  }

  /** Sets the database aside and saves what can be read of it; requests wait meanwhile. @throws StoreError */
  repair(): Promise<Repair> {
    const closed = this.close();
    const repaired = closed.then(() => repairStore(this.#options.folder));
    const opening = repaired.catch(() => undefined).then(() => this.#anew());
    this.#service = opening;
    opening.catch(() => {
      if (this.#service === opening) this.#service = undefined;
    });
    return repaired;
  }

  async close(): Promise<void> {
    const service = this.#service;
    this.#service = undefined;
    await (await service?.catch(() => undefined))?.close();
  }

  async #anew(before?: Service): Promise<Service> {
    await before?.close();
    return openService({ ...this.#options, keepDays: this.#keepDays });
  }
}
