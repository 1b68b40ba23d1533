import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { Bounds } from '../../contract/requests.ts';

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

const Records = z.catch(z.array(z.tuple([z.string(), Chosen])), []);

const KEY = 'forecasts.choices';
const MOST = 500;

/** What was chosen about files, by file and header shape, so that it is asked once. */
export class Choices {
  readonly #state: vscode.Memento;

  /** @param state that of the workspace, as files belong to one */
  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** What was chosen last about a file, whatever its shape was then. */
  latest(uri: vscode.Uri): Chosen | undefined {
    return this.#read().findLast(([file]) => file === uri.toString())?.[1];
  }

  /** What was chosen about a file of this shape. */
  recall(uri: vscode.Uri, shape: string): Chosen | undefined {
    return this.#read().findLast(([file, chosen]) => file === uri.toString() && chosen.shape === shape)?.[1];
  }

  /** Keeps a choice over an earlier one; the oldest of very many are forgotten. */
  async remember(uri: vscode.Uri, chosen: Chosen): Promise<void> {
    const key = uri.toString();
    const others = this.#read().filter(([file, { shape }]) => file !== key || shape !== chosen.shape);
    await this.#state.update(KEY, [...others, [key, chosen] as const].slice(-MOST));
  }

  /** As stored now, also by another window; the newest last. */
  #read(): readonly (readonly [uri: string, chosen: Chosen])[] {
    return Records.parse(this.#state.get(KEY));
  }
}
