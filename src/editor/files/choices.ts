import type { Place } from '#platform/shelf';
import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { Bounds } from '../../contract/requests.ts';
import { Records } from '../connection/records.ts';

const Step = z.object({
  unit: z.enum(['millisecond', 'second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']),
  count: z.number(),
});

/** How a file is to be read, as far as the person was asked. */
const Layout = z.object({
  timeColumn: z.optional(z.nullable(z.string())),
  sheet: z.optional(z.string()),
  valueColumns: z.optional(z.array(z.string())),
  idColumns: z.optional(z.array(z.string())),
  dateOrder: z.optional(z.enum(['dmy', 'mdy'])),
  decimal: z.optional(z.enum(['.', ','])),
  delimiter: z.optional(z.enum([',', ';', '\t', '|', ' ', ''])),
  header: z.optional(z.boolean()),
  missingCode: z.optional(z.nullable(z.number())),
  totals: z.optional(z.enum(['leave', 'take'])),
  timeZone: z.optional(z.string()),
  aggregate: z.optional(
    z.nullable(z.object({ step: Step, by: z.enum(['sum', 'count', 'mean', 'last', 'min', 'max']) })),
  ),
  closed: z.optional(z.boolean()),
  reading: z.optional(z.string()),
  covariates: z.optional(z.array(z.string())),
});

const Chosen = z.object({
  /** `SeriesDocument.shape` of the file at that time. */
  shape: z.string(),
  layout: Layout,
  /** Ids of the series that were chosen; absent where there was no choice. */
  series: z.optional(z.array(z.string())),
  /** Columns that forecasts make use of; absent where that was not asked. */
  covariates: z.optional(z.array(z.string())),
  /** Between what forecasts lie; absent where that was not asked. */
  bounds: z.optional(Bounds),
  /** Whether forecasts of all series add up; absent where that was not asked. */
  sums: z.optional(z.boolean()),
});

/** What the person chose about a file of one header shape. */
export type Chosen = z.infer<typeof Chosen>;

/** What was chosen about one file, of each of its shapes; the newest last. */
const OfFile = z.array(Chosen);

/** Files, and shapes of one. */
const MOST = 2000;
const MOST_SHAPES = 50;

/** What was chosen about files, by file and header shape, so that it is asked once. */
export class Choices {
  readonly #records: Records<typeof OfFile>;
  /** Other windows call other texts without a file by the same address. */
  readonly #window = crypto.randomUUID();

  /**
   * @param place where choices are stored, one record per file, so that windows do not overwrite each other
   * @param trouble is called when a choice cannot be written; this window still knows it
   */
  constructor(place: Place, trouble?: (error: unknown) => void) {
    this.#records = new Records(place, OfFile, MOST, trouble);
  }

  /** What was chosen last about a file, whatever its shape was then; also by another window. */
  latest(uri: vscode.Uri): Chosen | undefined {
    return this.#of(uri).at(-1);
  }

  /** What was chosen about a file of this shape. */
  recall(uri: vscode.Uri, shape: string): Chosen | undefined {
    return this.#of(uri).findLast((chosen) => chosen.shape === shape);
  }

  /** Keeps what was chosen just now; what else was chosen stays, and what is `undefined` is asked again. */
  change(uri: vscode.Uri, shape: string, change: Partial<Omit<Chosen, 'shape'>>): void {
    const all = this.#of(uri);
    const before = all.findLast((chosen) => chosen.shape === shape);
    const { layout = {}, ...others } = { ...before, ...change, shape: undefined };
    const isPlain = Object.keys(layout).length === 0 && Object.values(others).every((value) => value === undefined);
    if (isPlain && !before) return;
    const kept = [...all.filter((chosen) => chosen.shape !== shape), { ...others, layout, shape }];
    this.#records.set(this.#keyOf(uri), kept.slice(-MOST_SHAPES));
  }

  #of(uri: vscode.Uri): readonly Chosen[] {
    return this.#records.get(this.#keyOf(uri)) ?? [];
  }

  #keyOf(uri: vscode.Uri): string {
    return uri.scheme === 'untitled' ? `${this.#window} ${uri.toString()}` : uri.toString();
  }
}
