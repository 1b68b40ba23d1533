import type { Place } from '#platform/shelf';
import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { Layout as AskedLayout } from '../../agents/source.ts';
import { Bounds } from '../../contract/resources.ts';
import { Records } from '../connection/memory.ts';

const Names = z.readonly(z.array(z.string()));

/** The layout of a file, as far as the person was asked. The step of its rows is always inferred. */
export const Layout = z.object({
  ...AskedLayout.shape,
  valueColumns: z.optional(Names),
  idColumns: z.optional(Names),
  delimiter: z.optional(z.enum([',', ';', '\t', '|', ' ', ''])),
  header: z.optional(z.boolean()),
  closed: z.optional(z.boolean()),
  covariates: z.optional(Names),
});

/** What the person chose about a file of one header shape; absent: not asked. */
const Chosen = z.object({
  shape: z.string(),
  layout: Layout,
  series: z.optional(Names),
  covariates: z.optional(Names),
  bounds: z.optional(Bounds),
  sums: z.optional(z.boolean()),
});

export type Chosen = z.infer<typeof Chosen>;

const OfFile = z.array(Chosen);

const MOST = 2000;
const MOST_SHAPES = 50;

export class Choices {
  readonly #records: Records<typeof OfFile>;
  /** Other windows have other untitled texts by the same address. */
  readonly #window = crypto.randomUUID();

  constructor(place: Place, onProblem?: (error: unknown) => void) {
    this.#records = new Records(place, OfFile, MOST, onProblem);
  }

  latest(uri: vscode.Uri): Chosen | undefined {
    return this.#of(uri).at(-1);
  }

  recall(uri: vscode.Uri, shape: string): Chosen | undefined {
    return this.#of(uri).find((chosen) => chosen.shape === shape);
  }

  change(uri: vscode.Uri, shape: string, change: Partial<Omit<Chosen, 'shape'>>): void {
    const before = this.recall(uri, shape);
    const { layout = {}, ...others } = { ...before, ...change, shape: undefined };
    const isPlain = Object.keys(layout).length === 0 && Object.values(others).every((value) => value === undefined);
    if (isPlain && !before) return;
    const kept = [...this.#of(uri).filter((chosen) => chosen.shape !== shape), { ...others, layout, shape }];
    this.#records.set(this.#keyOf(uri), kept.slice(-MOST_SHAPES));
  }

  #of(uri: vscode.Uri): readonly Chosen[] {
    return this.#records.get(this.#keyOf(uri)) ?? [];
  }

  #keyOf(uri: vscode.Uri): string {
    return uri.scheme === 'untitled' ? `${this.#window} ${uri.toString()}` : uri.toString();
  }
}
