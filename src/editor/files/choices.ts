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

/** What is kept of a workspace in one value of the editor: of texts without a file, and what earlier versions kept. */
const InState = z.catch(z.array(z.tuple([z.string(), Chosen])), []);
const KEY = 'forecasts.choices';
/** Files, and shapes of one. */
const MOST = 2000;
const MOST_SHAPES = 50;

/** What was chosen about files, by file and header shape, so that it is asked once. */
export class Choices {
  readonly #state: vscode.Memento;
  readonly #records: Records<typeof OfFile>;

  /**
   * @param state of the workspace, for texts without a file, and with what an earlier version kept
   * @param folder where choices are kept, those of a file in one of their own, so that windows do not write over each other
   * @param trouble is told what could not be written, and is then known to this window alone
   */
  constructor(state: vscode.Memento, folder: string, trouble?: (error: unknown) => void) {
    this.#state = state;
    this.#records = new Records(folder, OfFile, MOST, trouble);
  }

  /** What was chosen last about a file, whatever its shape was then. */
  latest(uri: vscode.Uri): Chosen | undefined {
    return this.#of(uri.toString()).at(-1);
  }

  /** What was chosen about a file of this shape. */
  recall(uri: vscode.Uri, shape: string): Chosen | undefined {
    return this.#of(uri.toString()).findLast((chosen) => chosen.shape === shape);
  }

  /** Keeps a choice over an earlier one; the oldest of very many are forgotten. */
  async remember(uri: vscode.Uri, chosen: Chosen): Promise<void> {
    const file = uri.toString();
    const all = [...this.#of(file).filter(({ shape }) => shape !== chosen.shape), chosen].slice(-MOST_SHAPES);
    const inState = this.#inState();
    const others = inState.filter(([known]) => known !== file);
    if (uri.scheme === 'untitled') {
      // other windows call other texts so
      await this.#state.update(KEY, [...others, ...all.map((each) => [file, each] as const)].slice(-MOST));
      return;
    }
    const isWritten = this.#records.set(file, all);
    if (isWritten && others.length < inState.length) await this.#state.update(KEY, others);
  }

  /** As stored now, also by another window; the newest last. */
  #of(file: string): readonly Chosen[] {
    return this.#records.get(file) ?? this.#inState().flatMap(([known, chosen]) => (known === file ? [chosen] : []));
  }

  #inState(): readonly (readonly [file: string, chosen: Chosen])[] {
    return InState.parse(this.#state.get(KEY));
  }
}
