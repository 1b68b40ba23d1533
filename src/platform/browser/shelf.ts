import type * as vscode from 'vscode';

export interface Place {
  readonly state: vscode.Memento;
  readonly name: string;
}

export const placeOf = ({ globalState: state }: vscode.ExtensionContext): Place => ({ state, name: 'kept' });

export const within = ({ state, name }: Place, inner: string): Place => ({ state, name: `${name}/${inner}` });

export async function keepsFiles(): Promise<boolean> {
  try {
    await navigator.storage.getDirectory();
    return true;
  } catch {
    return false; // refused, as in private windows, or not there at all
  }
}

interface Kept {
  readonly at: number;
  readonly text: string;
}

export class Shelf {
  readonly #state: vscode.Memento;
  readonly #start: string;

  constructor({ state, name }: Place) {
    this.#state = state;
    this.#start = `${name}:`;
  }

  read(name: string): string {
    const kept = this.#state.get<Kept>(this.#start + name);
    if (!kept) throw new Error(`${name} is not there.`);
    return kept.text;
  }

  write(name: string, text: string): void {
    this.#set(name, { at: Date.now(), text });
  }

  remove(name: string): void {
    this.#set(name, undefined);
  }

  names(): readonly string[] {
    const ours = this.#state.keys().filter((key) => key.startsWith(this.#start));
    return ours.map((key) => key.slice(this.#start.length));
  }

  byAge(): readonly string[] {
    const timeOf = (name: string): number => this.#state.get<Kept>(this.#start + name)?.at ?? 0;
    return this.names().toSorted((a, b) => timeOf(a) - timeOf(b));
  }

  #set(name: string, kept: Kept | undefined): void {
    // this window knows it at once; the editor itself reports what cannot be stored
    this.#state.update(this.#start + name, kept).then(undefined, () => undefined);
  }
}
