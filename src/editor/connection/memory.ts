import path from 'node:path';
import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { ENCODINGS } from '../../reading/types.ts';
import { Records } from './records.ts';

const Member = z.object({
  /** Unique among the members. */
  file: z.string(),
  series: z.optional(z.string()),
  timeKind: z.optional(z.enum(['instant', 'date', 'period', 'row'])),
  /** Digits after the decimal sign of its values. */
  decimals: z.optional(z.number()),
});
export type Member = z.infer<typeof Member>;

/** How the file was written that a series came from, as `series/write.ts` wants it to write a forecast in the same shape. */
const Source = z.object({
  fileName: z.string(),
  /** Where the file is; absent in what earlier versions kept. */
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
  timeKind: z.enum(['instant', 'date', 'period', 'row']),
  /** Digits after the decimal sign of the file's values. */
  decimals: z.optional(z.number()),
  /** Of series of several files: each file, and its series where it has only one. */
  members: z.optional(z.array(Member)),
  /** The zone that its times are written in; absent for UTC. */
  timeZone: z.optional(z.string()),
  /** Of the numbers that were forecast, to tell whether the file still has them. */
  fingerprint: z.optional(z.string()),
  /** Whether it was only a part of the file that was selected. */
  isPart: z.optional(z.boolean()),
});
export type Source = z.infer<typeof Source>;

/** What was done with rows of the file on the way to the series; see `Remark` in `reading/types.ts`. */
const Remark = z.object({
  kind: z.enum(['merged', 'left-out', 'totals', 'missing', 'cut', 'offset', 'columns']),
  rows: z.number(),
  text: z.string(),
  lines: z.array(z.tuple([z.number(), z.number()])),
});

/** What has come of a forecast: observations since, and how many of them its band held. */
const Held = z.object({
  of: z.number(),
  inside: z.optional(z.number()),
  /** Of the band, in per cent. */
  level: z.optional(z.number()),
  /** On which side of the band the last ones lie, and for how long. */
  missed: z.optional(z.enum(['above', 'below'])),
  span: z.optional(z.string()),
});
export type Held = z.infer<typeof Held>;

/** Predictions that were queued together stand beside each other in a list: the first and the last, and how many. */
const Run = z.object({ first: z.string(), last: z.string(), count: z.number() });
export type Run = z.infer<typeof Run>;

const Note = z.object({
  /** What the person calls it: the file's name, and the series where it has several. */
  label: z.string(),
  /** What the numbers are, such as the column's name. */
  valueLabel: z.optional(z.string()),
  /** What the head of its chart says about how the series was read. */
  remarks: z.optional(z.array(Remark)),
  /** Whether an agent asked for it. */
  byAgent: z.optional(z.boolean()),
  /** Of a scenario: its name, with which the label ends. */
  scenario: z.optional(z.string()),
  /** Steps without a row that are holidays and no gaps. */
  holidays: z.optional(z.number()),
  /** What tells the same request from another one. */
  key: z.optional(z.string()),
  /** Of a request: what it made last. */
  made: z.optional(z.string()),
  held: z.optional(Held),
  /** The predictions of a request for many series, in the order of their dataset’s list. */
  run: z.optional(Run),
  /** The file it was made from; absent for series that the service had stored. */
  source: z.optional(Source),
});
export type Note = z.infer<typeof Note>;

/** What earlier versions kept in one value of the editor. */
const Notes = z.catch(z.array(z.tuple([z.string(), Note])), []);

const KEY = 'forecasts.notes';
/** What earlier versions kept of all services in one value each. */
const EarlierPins = z.catch(z.record(z.string(), z.array(z.string())), {});
const PINS_KEY = 'forecasts.pins';
const EarlierModels = z.catch(z.record(z.string(), z.string()), {});
const MODELS_KEY = 'forecasts.modelOfService';

/** Whether a prediction is kept at the top; that it is not is kept only where an earlier version says otherwise. */
const Pin = z.object({ serviceId: z.string(), id: z.string(), isPinned: z.boolean(), at: z.number() });

/** The model of a service, or that there is none any more. */
const ChosenModel = z.object({ model: z.optional(z.string()) });

const MOST = 2000;

const requestOf = (key: string): string => `request ${key}`;
const keyOf = (serviceId: string, id: string): string => `${serviceId} ${id}`;

/** What this editor knows of predictions and models beyond what their service keeps: where they came from. */
export class Memory {
  readonly #state: vscode.Memento;
  readonly #notes: Records<typeof Note>;
  readonly #pins: Records<typeof Pin>;
  readonly #models: Records<typeof ChosenModel>;
  readonly #trouble: ((error: unknown) => void) | undefined;
  #lastPin = 0;
  /** Addresses of files that were forecast in this window. */
  readonly #files = new Set<string>();

  /**
   * @param folder where notes, pins and models are kept, a file each, so that windows do not write over each other
   * @param trouble is told what could not be written, and is then known to this window alone: nothing that was made is to be
   * lost for it
   */
  constructor(state: vscode.Memento, folder: string, trouble?: (error: unknown) => void) {
    this.#state = state;
    this.#trouble = trouble;
    this.#notes = new Records(folder, Note, MOST, trouble);
    this.#pins = new Records(path.join(folder, 'pins'), Pin, MOST, trouble);
    this.#models = new Records(path.join(folder, 'model-of-service'), ChosenModel, MOST, trouble);
  }

  recall(serviceId: string, id: string): Note | undefined {
    return this.#notes.get(keyOf(serviceId, id)) ?? this.#ofEarlierVersion(keyOf(serviceId, id));
  }

  /** The newest resource of a service that was asked for in the same way. @param key as in its note */
  find(serviceId: string, key: string): string | undefined {
    return this.#notes.get(keyOf(serviceId, requestOf(key)))?.made;
  }

  /** The predictions that were made together when many series were asked for in the same way. */
  findRun(serviceId: string, key: string): Run | undefined {
    return this.#notes.get(keyOf(serviceId, requestOf(key)))?.run;
  }

  /** Keeps a note; the oldest of very many are forgotten. */
  async note(serviceId: string, id: string, note: Note): Promise<void> {
    this.#notes.set(keyOf(serviceId, id), note);
    if (note.source?.uri !== undefined) this.#files.add(note.source.uri);
    const { label, key, run } = note;
    if (key !== undefined) this.#notes.set(keyOf(serviceId, requestOf(key)), { label, made: id, run });
    await this.#moveEarlier().catch(this.#trouble);
  }

  /** Whether a file was forecast, or its forecast seen, in this window. */
  hasForecast(address: string): boolean {
    return this.#files.has(address);
  }

  /** Keeps what has come of a forecast. @returns whether it is news */
  hold(serviceId: string, id: string, held: Held): boolean {
    const note = this.recall(serviceId, id);
    if (!note || JSON.stringify(note.held) === JSON.stringify(held)) return false;
    this.#notes.set(keyOf(serviceId, id), { ...note, held });
    return true;
  }

  /** The choice of a model for a service’s forecasts, which may be none; `undefined` where nobody has chosen. */
  chosenModel(serviceId: string): { readonly model?: string | undefined } | undefined {
    return (
      this.#models.get(serviceId) ??
      (this.model(serviceId) === undefined ? undefined : { model: this.model(serviceId) })
    );
  }

  /** The model that the person chose for a service’s forecasts. */
  model(serviceId: string): string | undefined {
    const chosen = this.#models.get(serviceId);
    return chosen ? chosen.model : EarlierModels.parse(this.#state.get(MODELS_KEY))[serviceId];
  }

  /** Keeps the model for the forecasts of a service; `undefined` forgets it. */
  chooseModel(serviceId: string, model: string | undefined): void {
    this.#models.set(serviceId, { model });
  }

  /** The predictions that are kept at the top of their view, the newest pin first. */
  pins(serviceId: string): readonly string[] {
    const pins = this.#pins.all().filter((pin) => pin.serviceId === serviceId);
    const known = new Set(pins.map(({ id }) => id));
    const pinned = pins.filter(({ isPinned }) => isPinned).toSorted((a, b) => b.at - a.at);
    return [...pinned.map(({ id }) => id), ...this.#earlierPins(serviceId).filter((id) => !known.has(id))];
  }

  pin(serviceId: string, id: string, isPinned: boolean): void {
    const key = keyOf(serviceId, id);
    // several that are pinned in one go have an order too
    this.#lastPin = Math.max(Date.now(), this.#lastPin + 1);
    if (isPinned || this.#earlierPins(serviceId).includes(id))
      this.#pins.set(key, { serviceId, id, isPinned, at: this.#lastPin });
    else this.#pins.delete(key);
  }

  #earlierPins(serviceId: string): readonly string[] {
    return EarlierPins.parse(this.#state.get(PINS_KEY))[serviceId] ?? [];
  }

  #ofEarlierVersion(key: string): Note | undefined {
    return Notes.parse(this.#state.get(KEY)).find(([known]) => known === key)?.[1];
  }

  /** Brings notes of an earlier version into files. */
  async #moveEarlier(): Promise<void> {
    if (this.#state.get(KEY) === undefined) return;
    // up to the first that cannot be written: as long as all are not, they stay where they were
    const areMoved = Notes.parse(this.#state.get(KEY)).every(
      ([key, note]) => this.#notes.isWritten(key) || this.#notes.set(key, this.#notes.get(key) ?? note),
    );
    if (areMoved) await this.#state.update(KEY, undefined);
  }
}
