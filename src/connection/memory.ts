import type * as vscode from 'vscode';
import * as z from 'zod/mini';

const Note = z.object({
  /** What the person calls it: the file's name, and the series where it has several. */
  label: z.string(),
  /** What the numbers are, such as the column's name. */
  valueLabel: z.optional(z.string()),
  /** A sentence about how the series was read, shown above its chart. */
  remark: z.optional(z.string()),
});
export type Note = z.infer<typeof Note>;

const Notes = z.catch(z.array(z.tuple([z.string(), Note])), []);

const KEY = 'forecasts.notes';
const MOST = 2000;

/** What this editor knows of predictions and models beyond what their service keeps: where they came from. */
export class Memory {
  readonly #state: vscode.Memento;
  readonly #notes: Map<string, Note>;

  constructor(state: vscode.Memento) {
    this.#state = state;
    this.#notes = new Map(Notes.parse(state.get(KEY)));
  }

  recall(serviceId: string, id: string): Note | undefined {
    return this.#notes.get(`${serviceId} ${id}`);
  }

  /** Keeps a note; the oldest of very many are forgotten. */
  async note(serviceId: string, id: string, note: Note): Promise<void> {
    this.#notes.set(`${serviceId} ${id}`, note);
    for (const key of [...this.#notes.keys()].slice(0, -MOST)) this.#notes.delete(key);
    await this.#state.update(KEY, [...this.#notes]);
  }
}
