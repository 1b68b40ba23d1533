import * as vscode from 'vscode';
import { plain } from '../connection/say.ts';
import { Cancelled } from './failure.ts';

/** One input of several. It resolves with what was chosen, or rejects with {@link Back} or {@link Cancelled}. */
export type Step<S> = (state: S, place: Place) => Promise<Partial<S> | undefined>;

/** Where a step stands; shown as “2/4”, and with a Back button from the second on. */
export interface Place {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
}

class Back extends Error {}

/**
 * Runs the steps of a multi-step input one after another, with Back. A step that resolves with `undefined` had nothing
 * to ask and is passed over in both directions.
 * @throws Cancelled
 */
export async function runSteps<S extends object>(title: string, start: S, steps: readonly Step<S>[]): Promise<S> {
  const states: { at: number; state: S }[] = [];
  let state = start;
  let at = 0;
  while (at < steps.length) {
    try {
      const answer = await steps[at](state, {
        title,
        step: states.length + 1,
        totalSteps: states.length + steps.length - at,
      });
      if (answer) {
        states.push({ at, state });
        state = { ...state, ...answer };
      }
      at++;
    } catch (error) {
      const before = states.pop();
      if (!(error instanceof Back) || !before) throw error;
      ({ at, state } = before);
    }
  }
  return state;
}

export interface PickOptions<T extends vscode.QuickPickItem> {
  readonly place: Place;
  readonly placeholder: string;
  readonly items: readonly T[];
  readonly picked?: readonly T[];
}

/** @throws Cancelled */
export async function pickOne<T extends vscode.QuickPickItem>(options: PickOptions<T>): Promise<T> {
  return (await pick(options, false))[0];
}

/** At least one. @throws Cancelled */
export function pickMany<T extends vscode.QuickPickItem>(options: PickOptions<T>): Promise<readonly T[]> {
  return pick(options, true);
}

/** Any number, none too. @throws Cancelled */
export function pickAny<T extends vscode.QuickPickItem>(options: PickOptions<T>): Promise<readonly T[]> {
  return pick(options, true, 0);
}

function pick<T extends vscode.QuickPickItem>(
  options: PickOptions<T>,
  many: boolean,
  atLeast = 1,
): Promise<readonly T[]> {
  const input = vscode.window.createQuickPick<T>();
  input.items = options.items;
  input.canSelectMany = many;
  input.placeholder = options.placeholder;
  input.matchOnDescription = input.matchOnDetail = true;
  if (many) input.selectedItems = options.picked ?? [];
  else if (options.picked) input.activeItems = options.picked;
  return show(input, options.place, () => {
    const chosen = many ? input.selectedItems : input.activeItems;
    return chosen.length >= atLeast ? chosen : undefined;
  });
}

export interface TextOptions {
  readonly place: Place;
  readonly prompt: string;
  readonly value?: string;
  readonly placeholder?: string;
  readonly password?: boolean;
  /** What is wrong with the text, or nothing. */
  readonly check?: (text: string) => string | undefined;
}

/** @throws Cancelled */
export function askText({ place, prompt, value, placeholder, password, check }: TextOptions): Promise<string> {
  const input = vscode.window.createInputBox();
  input.prompt = plain(prompt);
  input.value = value ?? '';
  input.placeholder = placeholder;
  input.password = password ?? false;
  input.onDidChangeValue((text) => {
    input.validationMessage = plain(check?.(text) ?? '');
  });
  return show(input, place, () => {
    const text = input.value.trim();
    const wrong = check?.(text);
    input.validationMessage = plain(wrong ?? '');
    return wrong ? undefined : text;
  });
}

/** Shows an input until `read` has a value at its acceptance. */
async function show<T>(
  input: vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox,
  place: Place,
  read: () => T | undefined,
): Promise<T> {
  input.title = place.title;
  if (place.totalSteps > 1) {
    input.step = place.step;
    input.totalSteps = place.totalSteps;
  }
  if (place.step > 1) input.buttons = [vscode.QuickInputButtons.Back];
  input.ignoreFocusOut = true;
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  input.onDidAccept(() => {
    const value = read();
    if (value !== undefined) resolve(value);
  });
  input.onDidTriggerButton((button) => {
    if (button === vscode.QuickInputButtons.Back) reject(new Back());
  });
  input.onDidHide(() => {
    reject(new Cancelled());
  });
  input.show();
  try {
    return await promise;
  } finally {
    input.dispose();
  }
}

/** The place of a single input. */
export const alone = (title: string): Place => ({ title, step: 1, totalSteps: 1 });
