import * as vscode from 'vscode';
import { orAborted } from '../../platform/pause.ts';
import { Cancelled, plain, withProgress } from './say.ts';
import { isPassing } from '../../client/errors.ts';
import { LONGEST_NAME } from '../../client/store-series.ts';

/** `before` are earlier answers, to begin with if an input is shown again. @throws Back, Cancelled */
export type Step<S> = (state: S, place: Place, before: Partial<S>) => Promise<Partial<S> | undefined>;

export type Steps<S> = readonly (Step<S> | false)[];

export interface Place {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
  readonly onShow?: () => void;
}

export class Back extends Error {}

/**
 * Runs a question of several steps, with Back; those that show nothing are skipped both ways. @throws Cancelled
 * @param steps may depend on the answers so far @param finish if it throws {@link Back}, the last input is shown again
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

interface PickOptions<T extends vscode.QuickPickItem> {
  readonly place: Place;
  readonly placeholder: string;
  /** Shown at once; absent: so much of `more` is awaited as is enough. */
  readonly items?: readonly T[] | undefined;
  readonly more?: AsyncGenerator<readonly T[], undefined>;
  readonly isEnough?: (items: readonly T[]) => boolean;
  /** Said instead of the placeholder where there are none. */
  readonly none?: string;
  readonly picked?: ((item: T) => boolean) | undefined;
  readonly suggested?: T | undefined;
}

/** One of a list. @throws Cancelled */
export const pickOne = async <T extends vscode.QuickPickItem>(options: PickOptions<T>): Promise<T> =>
  (await pick(options, false))[0];

export const pickMany = <T extends vscode.QuickPickItem>(options: PickOptions<T>) => pick(options, true);

export const pickAny = <T extends vscode.QuickPickItem>(options: PickOptions<T>) => pick(options, true, 0);

async function pick<T extends vscode.QuickPickItem>(options: PickOptions<T>, many: boolean, atLeast = 1) {
  const { place, placeholder, more, none = placeholder, picked, suggested } = options;
  const items = options.items ?? (await withProgress(place.title, ({ signal }) => firstOf(options, signal)));
  const input = vscode.window.createQuickPick<T>();
  input.canSelectMany = many;
  input.placeholder = items.length > 0 || options.items ? placeholder : none;
  input.matchOnDescription = input.matchOnDetail = input.keepScrollPosition = true;
  input.items = items;
  const before = picked ? items.filter(picked) : [];
  if (many) input.selectedItems = before;
  else if (before.length > 0) input.activeItems = before; // with an empty list, Enter would take none
  if (suggested) {
    const listener = input.onDidChangeSelection((ticked) => {
      listener.dispose();
      if (ticked.length > 1) input.selectedItems = ticked.filter((item) => item !== suggested);
    });
  }
  const shown = show(input, place, () => {
    const chosen = many ? input.selectedItems : input.activeItems;
    return chosen.length < atLeast ? undefined : chosen;
  });
  const failed = Promise.withResolvers<never>();
  if (more) readOn(input, more, !options.items).catch(failed.reject);
  return Promise.race([shown, failed.promise]).finally(() => input.dispose());
}

async function firstOf<T extends vscode.QuickPickItem>(
  { more, isEnough = ({ length }) => length > 0 }: PickOptions<T>,
  signal: AbortSignal,
): Promise<readonly T[]> {
  let items: readonly T[] = [];
  while (more) {
    const part = await orAborted(more.next(), signal);
    items = part.value ?? items;
    if (part.done || isEnough(items)) break;
  }
  return items;
}

const MOST_UNASKED = 500; // items, and pages, that are read before something is typed
const MOST_PAGES_UNASKED = 5;

/** Whether the editor may show an item for what is typed, whose letters (`*` is any) are in turn in a text that it shows. */
function mayMatch(typed: string, { label, description = '', detail = '' }: vscode.QuickPickItem): boolean {
  const text = `${label} ${description} ${detail}`.toLowerCase();
  let at = 0;
  return [...typed.toLowerCase().replaceAll(/[ *]/g, '')].every((letter) => (at = text.indexOf(letter, at) + 1) > 0);
}

/** Shows a list as it is read, up to a limit; what is typed is searched for in all of it, and only what it finds is sent. */
async function readOn<T extends vscode.QuickPickItem>(
  input: vscode.QuickPick<T>,
  more: AsyncIterable<readonly T[]>,
  isBegun: boolean,
) {
  let isOpen = true;
  let [sent, read] = [input.items, input.items];
  const send = () => {
    if (sent === read) return;
    const [active] = input.activeItems;
    const ticked = new Set(input.selectedItems.map((item) => JSON.stringify(item)));
    input.items = sent = read;
    if (ticked.size > 0) input.selectedItems = read.filter((item) => ticked.has(JSON.stringify(item)));
    const code = JSON.stringify(active);
    const named = read.filter(({ label }) => label === active?.label);
    const next = named.find((item) => JSON.stringify(item) === code) ?? named.at(0);
    if (next) input.activeItems = [next];
  };
  input.onDidHide(() => {
    isOpen = false;
  });
  input.onDidChangeValue(send);
  const typed = new Promise((resolve) => input.onDidChangeValue(resolve));
  const question = input.placeholder ?? '';
  const countOf = (items: readonly T[]) => items.filter((item) => mayMatch(input.value, item)).length;
  let pages = isBegun ? 1 : 0;
  input.busy = true;
  try {
    for await (const items of more) {
      if (!isOpen) return;
      read = items;
      if (pages === 0 || countOf(read) !== countOf(sent)) send();
      pages++;
      if (items.length < MOST_UNASKED && pages < MOST_PAGES_UNASKED) continue;
      input.busy = false;
      input.placeholder = `${question} ${vscode.l10n.t('There may be more: type to search for them.')}`;
      await typed;
      input.placeholder = question;
      input.busy = true;
    }
  } catch (error) {
    if (input.items.length === 0 || (pages === 0 && !isPassing(error))) throw error;
    input.placeholder = `${question} ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    input.busy = false;
  }
}

interface TextOptions {
  readonly place: Place;
  readonly prompt: string;
  readonly value?: string;
  readonly placeholder?: string;
  readonly password?: boolean;
  readonly check?: (text: string) => string | undefined;
}

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
  input.onDidTriggerButton(() => reject(new Back()));
  input.onDidHide(() => reject(new Cancelled()));
  input.show();
  try {
    return await promise;
  } finally {
    input.dispose();
  }
}

type NameOptions = Omit<TextOptions, 'check'> &
  Partial<Readonly<{ most: number; taken: (name: string) => string | undefined }>>;

export function askName({ most = LONGEST_NAME, taken, ...options }: NameOptions) {
  const check = (text: string): string | undefined => {
    const name = text.trim();
    if (name === '') return vscode.l10n.t('Enter a name.');
    return name.length > most ? vscode.l10n.t('Up to {0} characters.', most) : taken?.(name);
  };
  return askText({ ...options, check });
}

export async function askWhole(question: Omit<TextOptions, 'check'>, least: number, most = Infinity): Promise<number> {
  const check = (text: string): string | undefined => {
    if (/^\d{1,15}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most) return undefined;
    return most > Number.MAX_SAFE_INTEGER
      ? vscode.l10n.t('Enter a whole number of {0} or more.', least)
      : vscode.l10n.t('Enter a whole number from {0} to {1}.', least, Math.floor(most));
  };
  return Number(await askText({ ...question, check }));
}

export const after = (place: Place): Place => ({ ...place, step: place.step + 1, totalSteps: place.totalSteps + 1 });

export const alone = (title: string): Place => ({ title, step: 1, totalSteps: 1 });
