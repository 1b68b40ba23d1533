import * as vscode from 'vscode';
import { plain } from './say.ts';
import { isPassing } from '../../client/errors.ts';
import { Cancelled } from './failure.ts';
import { inDigits } from '../../calendar/digits.ts';

/**
 * One input of several. It resolves with what was chosen, or rejects with {@link Back} or {@link Cancelled}.
 * `before` is what was answered earlier, to begin with where an input comes again.
 */
export type Step<S> = (state: S, place: Place, before: Partial<S>) => Promise<Partial<S> | undefined>;

/** Where a step stands; shown as “2/4”, and with a Back button from the second on. */
export interface Place {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
  /** Is told when an input is shown here: only to such places Back leads. */
  readonly onShow?: () => void;
}

/** The person goes one input back. */
export class Back extends Error {}

/** The person presses the further button of an input. */
export class Pressed extends Error {}

/**
 * Runs the steps of a multi-step input one after another, with Back. A step that shows no input is passed over in both
 * directions.
 * @param steps may depend on what was answered so far
 * @param finish what is done with all answers; where it throws {@link Back}, the last input comes again
 * @throws Cancelled
 */
export async function runSteps<S extends object>(
  title: string,
  start: S,
  steps: readonly Step<S>[] | ((state: S) => readonly Step<S>[]),
  finish?: (state: S) => Promise<void>,
): Promise<S> {
  const states: { at: number; state: S }[] = [];
  let state = start;
  let before: Partial<S> = {};
  let at = 0;
  for (;;) {
    const all = typeof steps === 'function' ? steps(state) : steps;
    let isShown = false;
    const onShow = (): void => {
      isShown = true;
    };
    const place = { title, step: states.length + 1, totalSteps: states.length + all.length - at, onShow };
    try {
      if (at >= all.length) {
        await finish?.(state);
        return state;
      }
      const answer = await all[at](state, place, before);
      if (isShown) states.push({ at, state });
      state = { ...state, ...answer };
      before = { ...before, ...answer };
      at++;
    } catch (error) {
      const last = states.pop();
      if (!(error instanceof Back) || !last) throw error;
      ({ at, state } = last);
    }
  }
}

export interface PickOptions<T extends vscode.QuickPickItem> {
  /** Takes the place of the items as soon as it is there; where it fails, they stay, if there are some. */
  readonly fill?: Promise<readonly T[]> | undefined;
  readonly place: Place;
  readonly placeholder: string;
  readonly items: readonly T[];
  readonly picked?: readonly T[];
  /** Picked only until another one is: what is suggested is rarely wanted beside what the person chooses. */
  readonly suggested?: T | undefined;
}

/** @throws Cancelled */
export async function pickOne<T extends vscode.QuickPickItem>(options: PickOptions<T>): Promise<T> {
  return (await pick(options, false))[0];
}

/** A part of a long list, and how to have the rest. */
export interface Part<T> {
  readonly items: readonly T[];
  readonly total?: number | undefined;
  readonly more?: (() => Promise<Part<T>>) | undefined;
}

/**
 * One of a list that comes in parts: its last entry says that there is more, and brings the next part.
 * @throws Cancelled
 */
export async function pickOfMany<T extends vscode.QuickPickItem>(
  options: Pick<PickOptions<T>, 'place' | 'placeholder'>,
  first: Part<T>,
): Promise<T> {
  let { items, total, more } = first;
  for (;;) {
    if (!more) return pickOne({ ...options, items });
    const count = inDigits(items.length);
    const listed =
      total === undefined
        ? vscode.l10n.t('{0} are listed, there are more', count)
        : vscode.l10n.t('{0} of {1} are listed', count, inDigits(total));
    const rest: vscode.QuickPickItem = { label: vscode.l10n.t('Load more…'), description: listed, alwaysShow: true };
    const all: readonly vscode.QuickPickItem[] = [...items, rest];
    const chosen = await pickOne({ ...options, items: all, ...(items === first.items ? {} : { picked: [rest] }) });
    if (chosen !== rest) return chosen as T;
    const next: Part<T> = await more();
    items = [...items, ...next.items];
    total = next.total ?? total;
    more = next.more;
  }
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
  if (options.suggested) untickOnce(input, options.suggested);
  const { promise: unfilled, reject } = Promise.withResolvers<never>();
  if (options.fill) fill(input, options, options.fill).catch(reject);
  const shown = show(input, options.place, () => {
    const chosen = many ? input.selectedItems : input.activeItems;
    return chosen.length >= atLeast ? chosen : undefined;
  });
  return Promise.race([shown, unfilled]).finally(() => {
    input.dispose();
  });
}

/** Shows that more comes, and then that, with the same item active. @throws where it fails for good, or nothing is there */
async function fill<T extends vscode.QuickPickItem>(
  input: vscode.QuickPick<T>,
  { items: before, placeholder }: PickOptions<T>,
  coming: Promise<readonly T[]>,
): Promise<void> {
  input.busy = true;
  try {
    const items = await coming;
    const [active] = input.activeItems;
    input.items = items;
    const same = items.find(({ label }) => active && label === active.label);
    if (same) input.activeItems = [same];
  } catch (error) {
    if (before.length === 0 || !isPassing(error)) throw error;
    input.placeholder = `${placeholder} ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    input.busy = false;
  }
}

/** Unticks an item with the first tick of another. */
function untickOnce<T extends vscode.QuickPickItem>(input: vscode.QuickPick<T>, suggested: T): void {
  const listener = input.onDidChangeSelection((ticked) => {
    listener.dispose();
    if (ticked.length > 1) input.selectedItems = ticked.filter((item) => item !== suggested);
  });
}

export interface TextOptions {
  readonly place: Place;
  readonly prompt: string;
  readonly value?: string;
  readonly placeholder?: string;
  readonly password?: boolean;
  /** A further button in the title; {@link Pressed} is thrown for it. */
  readonly button?: vscode.QuickInputButton | undefined;
  /** What is wrong with the text, or nothing. */
  readonly check?: (text: string) => string | undefined;
}

/** @throws Cancelled, Pressed */
export function askText({ place, prompt, value, placeholder, password, check, button }: TextOptions): Promise<string> {
  const input = vscode.window.createInputBox();
  input.prompt = plain(prompt);
  input.value = value ?? '';
  input.placeholder = placeholder;
  input.password = password ?? false;
  if (button) input.buttons = [button];
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
  place.onShow?.();
  input.title = place.title;
  if (place.totalSteps > 1) {
    input.step = place.step;
    input.totalSteps = place.totalSteps;
  }
  if (place.step > 1) input.buttons = [vscode.QuickInputButtons.Back, ...input.buttons];
  input.ignoreFocusOut = true;
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  input.onDidAccept(() => {
    const value = read();
    if (value !== undefined) resolve(value);
  });
  input.onDidTriggerButton((button) => {
    reject(button === vscode.QuickInputButtons.Back ? new Back() : new Pressed());
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
