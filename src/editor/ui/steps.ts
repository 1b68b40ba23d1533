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

/** What is `false` is left out. */
export type Steps<S> = readonly (Step<S> | false)[];

/** Where a step stands; shown as “2/4”, and with a Back button from the second on. */
export interface Place {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
  /** Called when an input is shown here. Back leads only to such places. */
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
  steps: Steps<S> | ((state: S) => Steps<S>),
  finish?: (state: S) => Promise<void>,
): Promise<S> {
  const states: { at: number; state: S }[] = [];
  let state = start;
  let before: Partial<S> = {};
  let at = 0;
  for (;;) {
    const all = (typeof steps === 'function' ? steps(state) : steps).filter((step) => step !== false);
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

export interface Listing<T> {
  readonly items: readonly T[];
  /** How many there are in all, where that is known. */
  readonly total?: number | undefined;
  readonly more?: (() => Promise<Listing<T>>) | undefined;
  /** Whether that takes the place of what is there, and is read at once. */
  readonly isFirst?: boolean | undefined;
}

export interface PickOptions<T extends vscode.QuickPickItem> extends Listing<T> {
  readonly place: Place;
  readonly placeholder: string;
  readonly picked?: readonly T[];
  /** Picked only until another one is: what is suggested is rarely wanted beside what the person chooses. */
  readonly suggested?: T | undefined;
}

/**
 * One of a list. Of a list that comes in parts the last entry brings the next part, and what is typed is looked for in all of
 * them. @throws Cancelled
 */
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

async function pick<T extends vscode.QuickPickItem>(
  options: PickOptions<T>,
  many: boolean,
  atLeast = 1,
): Promise<readonly T[]> {
  const input = vscode.window.createQuickPick<T>();
  input.canSelectMany = many;
  input.placeholder = options.placeholder;
  input.matchOnDescription = input.matchOnDetail = true;
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const list = new GrowingList(input, options, reject);
  if (many) input.selectedItems = options.picked ?? [];
  else if (options.picked) input.activeItems = options.picked;
  if (options.suggested) untickOnce(input, options.suggested);
  const shown = show(input, options.place, () => {
    const chosen = many ? input.selectedItems : input.activeItems;
    if (list.isMore(chosen)) return undefined;
    return chosen.length >= atLeast ? chosen : undefined;
  });
  return Promise.race([shown, failed]).finally(() => {
    input.dispose();
  });
}

class GrowingList<T extends vscode.QuickPickItem> {
  readonly #input: vscode.QuickPick<T>;
  readonly #fail: (error: unknown) => void;
  #listing: Listing<T>;
  #rest: vscode.QuickPickItem | undefined;
  /** Whether the entry for more was chosen while a part was being read. */
  #isAskedAgain = false;

  constructor(input: vscode.QuickPick<T>, listing: Listing<T>, fail: (error: unknown) => void) {
    this.#input = input;
    this.#fail = fail;
    this.#listing = listing;
    this.#paint();
    input.onDidChangeValue(() => {
      this.#readOn();
    });
    this.#readOn();
  }

  /** Whether the entry for more was chosen, which is read then. */
  isMore([chosen]: readonly vscode.QuickPickItem[]): boolean {
    if (!this.#rest || chosen !== this.#rest) return false;
    this.#read(true).catch(this.#fail);
    return true;
  }

  /** What is typed may be on any part. */
  #readOn(): void {
    const { more, isFirst } = this.#listing;
    if (more && (isFirst || this.#input.value !== '')) this.#read(false).catch(this.#fail);
  }

  async #read(goesThere: boolean): Promise<void> {
    const input = this.#input;
    const { items: before, more } = this.#listing;
    if (!more) return;
    if (input.busy) {
      this.#isAskedAgain ||= goesThere;
      return;
    }
    const [active] = input.activeItems;
    input.busy = true;
    try {
      this.#listing = await more();
      this.#paint();
      const { items } = this.#listing;
      const next = goesThere ? items[before.length] : items.find(({ label }) => label === active?.label);
      if (next) input.activeItems = [next];
    } catch (error) {
      this.#listing = { items: before };
      if (before.length === 0 || !isPassing(error)) this.#fail(error);
      input.placeholder = `${input.placeholder ?? ''} ${error instanceof Error ? error.message : String(error)}`;
    } finally {
      input.busy = false;
    }
    if (this.#isAskedAgain) {
      this.#isAskedAgain = false;
      await this.#read(true);
    } else this.#readOn();
  }

  #paint(): void {
    const { items, total, more, isFirst } = this.#listing;
    const count = inDigits(items.length);
    const description =
      total === undefined
        ? vscode.l10n.t('{0} listed, more available', count)
        : vscode.l10n.t('{0} of {1} listed', count, inDigits(total));
    this.#rest = more && !isFirst ? { label: vscode.l10n.t('Load more…'), description, alwaysShow: true } : undefined;
    // the entry for more is never handed out
    this.#input.items = this.#rest ? [...items, this.#rest as T] : items;
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

/** Asks what something is called. @param taken names of others, and the sentence where it is one @throws Cancelled */
export function askName({
  most,
  taken,
  ...options
}: Omit<TextOptions, 'check'> & { readonly most: number; readonly taken?: (name: string) => string | undefined }) {
  const check = (text: string): string | undefined => {
    const name = text.trim();
    if (name === '') return vscode.l10n.t('Enter a name.');
    return name.length > most ? vscode.l10n.t('Up to {0} characters.', most) : taken?.(name);
  };
  return askText({ ...options, check });
}

export const alone = (title: string): Place => ({ title, step: 1, totalSteps: 1 });
