import { repairStore, type Repair } from '../database/repair.ts';
import { openService, type Service, type ServiceOptions } from './service.ts';

/** The local service of a folder: opened by the first request, and anew where its database was replaced. */
export class KeptService {
  readonly #options: ServiceOptions;
  #keepDays: number | undefined;
  #service: Service | undefined;
  #opening: Promise<Service> | undefined;
  /** What opens or closes it: one after the other. */
  #turns: Promise<unknown> = Promise.resolve();

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.#keepDays = options.keepDays;
  }

  /** Who asks at the same time waits for the same: a locked store is waited for once. */
  open(): Promise<Service> {
    this.#opening ??= this.#inTurn(async () => {
      // another program has repaired the database or taken it away: what is written into the old one would be lost
      if (this.#service?.isInPlace() === false) await this.#end();
      return (this.#service ??= await openService({ ...this.#options, keepDays: this.#keepDays }));
    }).finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  keepFor(days: number): Promise<void> {
    this.#keepDays = days;
    return this.#inTurn(() => this.#service?.keepFor(days));
  }

  /** Sets the database aside and saves what can be read of it; requests wait meanwhile. @throws StoreError */
  repair(): Promise<Repair> {
    return this.#inTurn(async () => {
      await this.#end();
      return repairStore(this.#options.folder);
    });
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.#end());
  }

  async #end(): Promise<void> {
    const service = this.#service;
    this.#service = undefined;
    await service?.close();
  }

  #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    this.#opening = undefined; // what is asked for from now on is opened after this
    const done = this.#turns.then(work);
    this.#turns = done.catch(() => undefined);
    return done;
  }
}
