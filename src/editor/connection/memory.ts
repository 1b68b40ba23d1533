import { type Place, Shelf, within } from '#platform/shelf';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { ENCODINGS } from '../../reading/types.ts';
import { LocalFineTunedModel } from '../../contract/resources.ts';
import { createHash } from '#platform/hash';

const ROOM = 100; // records above the limit before the oldest are removed

/** Small records by their keys, a file each, so that windows do not overwrite each other's. */
export class Records<T extends z.ZodMiniType> {
  readonly #shelf: Shelf;
  readonly #file: z.ZodMiniObject<{ key: z.ZodMiniString; value: T }>;
  readonly #most: number;
  readonly #onProblem: (error: unknown) => void;
  /** Values that could not be written, newest last, or deleted (`undefined`): known to this window alone. */
  readonly #own = new Map<string, z.infer<T> | undefined>();
  /** Whether a record stays although it is one of the oldest. */
  protected isLasting?(value: z.infer<T> | undefined): boolean;

  /** @param most the oldest are forgotten beyond it @param onProblem gets an error of the file system; throws by default */
  constructor(
    place: Place,
    schema: T,
    most: number,
    onProblem = (error: unknown): void => {
      throw error;
    },
  ) {
    this.#shelf = new Shelf(place);
    this.#file = z.object({ key: z.string(), value: schema });
    this.#most = most;
    this.#onProblem = onProblem;
  }

  /** As it is now, also by another window; `undefined` if there is none that can be read. */
  get(key: string): z.infer<T> | undefined {
    return this.#own.has(key) ? this.#own.get(key) : this.#read(nameOf(key))?.value;
  }

  all(): readonly z.infer<T>[] {
    const own = [...this.#own.values()].filter((value) => value !== undefined);
    const written = this.#shelf.byAge().flatMap((name) => {
      const read = this.#read(name);
      return read && !this.#own.has(read.key) ? [read.value] : [];
    });
    return [...written, ...own].reverse();
  }

  set(key: string, value: z.infer<T>): void {
    this.#keep(key, value, () => this.#shelf.write(nameOf(key), JSON.stringify({ key, value })));
    const names = this.#shelf.names().length > this.#most + ROOM ? this.#shelf.byAge() : [];
    for (const name of names.slice(0, -this.#most))
      if (!this.isLasting?.(this.#read(name)?.value)) this.#try(() => this.#shelf.remove(name));
  }

  delete(key: string): boolean {
    const isThere = this.get(key) !== undefined;
    this.#keep(key, undefined, () => this.#shelf.remove(nameOf(key)));
    return isThere;
  }

  #keep(key: string, value: z.infer<T> | undefined, write: () => void): void {
    this.#own.delete(key);
    this.#own.set(key, value);
    for (const oldest of this.#own.keys()) if (this.#own.size > this.#most) this.#own.delete(oldest);
    if (this.#try(write)) this.#own.delete(key);
  }

  #try(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      this.#onProblem(error);
      return false;
    }
  }

  #read(name: string): { readonly key: string; readonly value: z.infer<T> } | undefined {
    try {
      return z.parse(this.#file, JSON.parse(this.#shelf.read(name))) as { key: string; value: z.infer<T> };
    } catch {
      // missing, deleted by another window just now, or damaged
      return undefined;
    }
  }
}

const nameOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 40);

const TimeKind = z.enum(['instant', 'date', 'period', 'row']);

const Member = z.object({
  file: z.string(),
  series: z.optional(z.string()),
  timeKind: z.optional(TimeKind),
  decimals: z.optional(z.number()),
});
export type Member = z.infer<typeof Member>;

const Source = z.object({
  fileName: z.string(),
  uri: z.optional(z.string()),
  format: z.object({
    kind: z.enum(['csv', 'json', 'ndjson']),
    encoding: z.enum(ENCODINGS),
    delimiter: z.optional(z.enum([',', ';', '\t', '|', ' ', ''])),
    decimal: z.enum(['.', ',']),
    thousands: z.optional(z.string()),
    dateFormat: z.optional(z.string()),
    header: z.boolean(),
    skippedLines: z.number(),
  }),
  id: z.string(),
  valueColumn: z.optional(z.string()),
  timeColumn: z.optional(z.string()),
  idColumn: z.optional(z.string()),
  timeKind: TimeKind,
  decimals: z.optional(z.number()),
  /** Of series of several files: each file, and its series if it has only one. */
  members: z.optional(z.array(Member)),
  timeZone: z.optional(z.string()),
  fingerprint: z.optional(z.string()),
  isPart: z.optional(z.boolean()),
});
export type Source = z.infer<typeof Source>;

const Remark = z.object({
  kind: z.enum(['merged', 'left-out', 'totals', 'missing', 'cut', 'offset', 'columns']),
  rows: z.number(),
  text: z.string(),
  lines: z.readonly(z.array(z.readonly(z.tuple([z.number(), z.number()])))),
});

export type Remark = z.infer<typeof Remark>;
export const remark = (kind: Remark['kind'], rows: number, text: string): Remark => ({ kind, rows, text, lines: [] });

const Coverage = z.object({
  of: z.number(),
  inside: z.optional(z.number()),
  level: z.optional(z.number()),
  missed: z.optional(z.enum(['above', 'below'])),
  span: z.optional(z.string()),
});
export type Coverage = z.infer<typeof Coverage>;

const Note = z.object({
  label: z.string(),
  valueLabel: z.optional(z.string()),
  remarks: z.optional(z.array(Remark)),
  byAgent: z.optional(z.boolean()),
  scenario: z.optional(z.string()),
  holidays: z.optional(z.number()),
  key: z.optional(z.string()),
  made: z.optional(z.string()),
  coverage: z.optional(Coverage),
  run: z.optional(z.object({ batchId: z.string(), count: z.number() })),
  source: z.optional(Source),
});
export type Note = z.infer<typeof Note>;

const Pin = z.object({ serviceId: z.string(), id: z.string(), at: z.number() });
const ChosenModel = z.object({ model: z.optional(z.string()) });

const Made = z.object({
  serviceId: z.string(),
  asOf: z.number(),
  model: LocalFineTunedModel,
  said: z.optional(z.string()),
});

const MOST = 2000;
const MOST_MADE = 500;

const requestOf = (key: string): string => `request ${key}`;
const keyOf = (serviceId: string, id: string): string => `${serviceId} ${id}`;

export class Memory {
  readonly #notes: Records<typeof Note>;
  readonly #pins: Records<typeof Pin>;
  readonly #models: Records<typeof ChosenModel>;
  #lastPin = 0;
  readonly #files = new Set<string>();

  constructor(place: Place, onProblem?: (error: unknown) => void) {
    this.#notes = new Records(place, Note, MOST, onProblem);
    this.#pins = new Records(within(place, 'pins'), Pin, MOST, onProblem);
    this.#models = new Records(within(place, 'model-of-service'), ChosenModel, MOST, onProblem);
  }

  recall(serviceId: string, id: string): Note | undefined {
    return this.#notes.get(keyOf(serviceId, id));
  }

  find(serviceId: string, key: string): Pick<Note, 'made' | 'run'> | undefined {
    return this.recall(serviceId, requestOf(key));
  }

  note(serviceId: string, id: string, note: Note): void {
    this.#notes.set(keyOf(serviceId, id), note);
    if (note.source?.uri !== undefined) this.#files.add(note.source.uri);
    const { label, key, run } = note;
    if (key !== undefined) this.#notes.set(keyOf(serviceId, requestOf(key)), { label, made: id, run });
  }

  hasForecast(address: string): boolean {
    return this.#files.has(address);
  }

  keepCoverage(serviceId: string, id: string, coverage: Coverage): boolean {
    const note = this.recall(serviceId, id);
    if (!note || JSON.stringify(note.coverage) === JSON.stringify(coverage)) return false;
    this.#notes.set(keyOf(serviceId, id), { ...note, coverage });
    return true;
  }

  /** The choice of a model for a service’s forecasts, which may be none; `undefined` if nobody has chosen. */
  chosenModel(serviceId: string): { readonly model?: string | undefined } | undefined {
    return this.#models.get(serviceId);
  }

  chooseModel(serviceId: string, model: string | undefined): void {
    this.#models.set(serviceId, { model });
  }

  pins(serviceId: string): readonly string[] {
    const pins = this.#pins.all().filter((pin) => pin.serviceId === serviceId);
    return pins.toSorted((a, b) => b.at - a.at).map(({ id }) => id);
  }

  pin(serviceId: string, id: string, isPinned: boolean): void {
    this.#lastPin = Math.max(Date.now(), this.#lastPin + 1);
    if (isPinned) this.#pins.set(keyOf(serviceId, id), { serviceId, id, at: this.#lastPin });
    else this.#pins.delete(keyOf(serviceId, id));
  }
}

export class MadeModels extends Records<typeof Made> {
  constructor(place: Place, onProblem?: (error: unknown) => void) {
    super(place, Made, MOST_MADE, onProblem);
  }

  of(serviceId: string): readonly z.infer<typeof Made>[] {
    const own = this.all().filter((made) => made.serviceId === serviceId);
    return own.toSorted((a, b) => b.asOf - a.asOf);
  }

  keep(serviceId: string, { input_config: _, ...model }: LocalFineTunedModel): void {
    this.set(keyOf(serviceId, model.id), { serviceId, asOf: Date.now(), model });
  }

  /** A forecast with the model succeeded, so it is trained. @returns whether that is news */
  settle(serviceId: string, id: string): boolean {
    const known = this.get(keyOf(serviceId, id));
    if (!known || known.model.status === 'COMPLETED') return false;
    this.keep(serviceId, { ...known.model, status: 'COMPLETED' });
    return true;
  }

  /** A forecast with the model was refused for its status. @returns whether the model is known */
  refused(serviceId: string, id: string, said: string): boolean {
    const known = this.get(keyOf(serviceId, id));
    if (known) this.set(keyOf(serviceId, id), { ...known, asOf: Date.now(), said });
    return known !== undefined;
  }

  forget(serviceId: string, id: string): boolean {
    return this.delete(keyOf(serviceId, id));
  }
}

const KeptForecast = z.object({
  serviceId: z.string(),
  series: z.string(),
  model: z.optional(z.string()),
  horizon: z.optional(z.number()),
  intervals: z.optional(z.array(z.number())),
  fingerprint: z.string(),
});
export type KeptForecast = z.infer<typeof KeptForecast>;

const KeptFile = z.object({ isKept: z.boolean(), isNext: z.optional(z.boolean()), made: z.optional(KeptForecast) });

/** Each workspace has its own: of two windows on a file, the one in which it is kept up to date forecasts it. */
export class KeptFiles extends Records<typeof KeptFile> {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #workspace = String(vscode.workspace.workspaceFile ?? vscode.workspace.workspaceFolders?.[0]?.uri ?? '');
  readonly #window = crypto.randomUUID();

  constructor(place: Place, onProblem?: (error: unknown) => void) {
    super(place, KeptFile, MOST, onProblem);
  }

  protected override isLasting(file: z.infer<typeof KeptFile> | undefined): boolean {
    return file?.isKept === true;
  }

  override get(address: string) {
    return super.get(this.#keyOf(address));
  }

  override set(address: string, file: z.infer<typeof KeptFile>): void {
    super.set(this.#keyOf(address), file);
  }

  has(address = ''): boolean {
    return this.get(address)?.isKept === true;
  }

  keep(address: string, isKept: boolean): void {
    if (this.has(address) === isKept) return;
    this.set(address, { isKept, isNext: isKept, made: this.get(address)?.made });
    this.#changed.fire();
  }

  /** @param isAgain whether a save made it; others do not change the options of a file that is kept up to date */
  note(address: string, made: KeptForecast, isAgain: boolean): void {
    const { isKept = false, isNext = false } = this.get(address) ?? {};
    if (!isKept || isNext || isAgain) this.set(address, { isKept, made });
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #keyOf(address: string): string {
    return `${address.startsWith('untitled:') ? this.#window : this.#workspace} ${address}`;
  }
}
