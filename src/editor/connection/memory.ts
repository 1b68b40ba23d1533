import { type Place, within } from '#platform/shelf';
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
  /** Where the file is. */
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

/** What has come of a forecast: observations since, and how many of them its interval held. */
const Held = z.object({
  of: z.number(),
  inside: z.optional(z.number()),
  /** Of the interval, in per cent. */
  level: z.optional(z.number()),
  /** On which side of the interval the last ones lie, and for how long. */
  missed: z.optional(z.enum(['above', 'below'])),
  span: z.optional(z.string()),
});
export type Held = z.infer<typeof Held>;

/** The predictions that one request made, and how many they are. */
const Run = z.object({ batchId: z.string(), count: z.number() });
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
  /** The predictions of a request for many series. */
  run: z.optional(Run),
  /** The file it was made from; absent for series that the service had stored. */
  source: z.optional(Source),
});
export type Note = z.infer<typeof Note>;

/** A prediction that is kept at the top of its view. */
const Pin = z.object({ serviceId: z.string(), id: z.string(), at: z.number() });

/** The model of a service, or that there is none any more. */
const ChosenModel = z.object({ model: z.optional(z.string()) });

const MOST = 2000;

const requestOf = (key: string): string => `request ${key}`;
const keyOf = (serviceId: string, id: string): string => `${serviceId} ${id}`;

/** What this editor knows of predictions and models beyond what their service keeps: where they came from. */
export class Memory {
  readonly #notes: Records<typeof Note>;
  readonly #pins: Records<typeof Pin>;
  readonly #models: Records<typeof ChosenModel>;
  #lastPin = 0;
  /** Addresses of files that were forecast in this window. */
  readonly #files = new Set<string>();

  /**
   * @param place where notes, pins and models are kept, each by itself, so that windows do not write over each other
   * @param trouble is told what could not be written, and is then known to this window alone: nothing that was made is to be
   * lost for it
   */
  constructor(place: Place, trouble?: (error: unknown) => void) {
    this.#notes = new Records(place, Note, MOST, trouble);
    this.#pins = new Records(within(place, 'pins'), Pin, MOST, trouble);
    this.#models = new Records(within(place, 'model-of-service'), ChosenModel, MOST, trouble);
  }

  recall(serviceId: string, id: string): Note | undefined {
    return this.#notes.get(keyOf(serviceId, id));
  }

  /** What the newest request with this key made. */
  find(serviceId: string, key: string): Pick<Note, 'made' | 'run'> | undefined {
    return this.recall(serviceId, requestOf(key));
  }

  /** Keeps a note; the oldest of very many are forgotten. */
  note(serviceId: string, id: string, note: Note): Promise<void> {
    this.#notes.set(keyOf(serviceId, id), note);
    if (note.source?.uri !== undefined) this.#files.add(note.source.uri);
    const { label, key, run } = note;
    if (key !== undefined) this.#notes.set(keyOf(serviceId, requestOf(key)), { label, made: id, run });
    return Promise.resolve();
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
    return this.#models.get(serviceId);
  }

  /** The model that the person chose for a service’s forecasts. */
  model(serviceId: string): string | undefined {
    return this.chosenModel(serviceId)?.model;
  }

  /** Keeps the model for the forecasts of a service; `undefined` forgets it. */
  chooseModel(serviceId: string, model: string | undefined): void {
    this.#models.set(serviceId, { model });
  }

  /** The predictions that are kept at the top of their view, the newest pin first. */
  pins(serviceId: string): readonly string[] {
    const pins = this.#pins.all().filter((pin) => pin.serviceId === serviceId);
    return pins.toSorted((a, b) => b.at - a.at).map(({ id }) => id);
  }

  pin(serviceId: string, id: string, isPinned: boolean): void {
    // several that are pinned in one go have an order too
    this.#lastPin = Math.max(Date.now(), this.#lastPin + 1);
    if (isPinned) this.#pins.set(keyOf(serviceId, id), { serviceId, id, at: this.#lastPin });
    else this.#pins.delete(keyOf(serviceId, id));
  }
}
