import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type * as vscode from 'vscode';

export type Place = string;

export const placeOf = ({ globalStorageUri }: vscode.ExtensionContext): Place => globalStorageUri.fsPath;

export const within = (place: Place, name: string): Place => path.join(place, name);

export const keepsFiles = (): Promise<boolean> => Promise.resolve(true);

export class Shelf {
  readonly #folder: string;

  constructor(folder: Place) {
    this.#folder = folder;
  }

  /** As it is now, also by another window. @throws the system's error where there is none that can be read */
  read(name: string): string {
    return readFileSync(this.#pathOf(name), 'utf8');
  }

  /** Whole or not at all, also for a window that reads at this moment. @throws the system's error */
  write(name: string, text: string): void {
    const file = this.#pathOf(name);
    const draft = `${file}.${crypto.randomUUID()}`;
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(draft, text);
      renameSync(draft, file);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  }

  remove(name: string): void {
    rmSync(this.#pathOf(name), { force: true });
  }

  names(): readonly string[] {
    try {
      return readdirSync(this.#folder).flatMap((name) => /^(.*)\.json$/.exec(name)?.[1] ?? []);
    } catch {
      return [];
    }
  }

  byAge(): readonly string[] {
    const timeOf = (name: string): number => statSync(this.#pathOf(name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const times = new Map(this.names().map((name) => [name, timeOf(name)]));
    return [...times].sort(([, a], [, b]) => a - b).map(([name]) => name);
  }

  #pathOf(name: string): string {
    return path.join(this.#folder, `${name}.json`);
  }
}
