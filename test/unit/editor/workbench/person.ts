import assert from 'node:assert/strict';
import type { URI } from 'vscode-uri';
import type { Asked, Item, Shown, Titled } from './seen.ts';
import { EventEmitter, QuickInputButtons } from './values.ts';

type Act =
  | { readonly kind: 'pick'; readonly labels: readonly string[] }
  | { readonly kind: 'tick'; readonly label: string }
  | { readonly kind: 'type' | 'search'; readonly text: string }
  | { readonly kind: 'accept' | 'back' | 'leave' }
  | { readonly kind: 'button'; readonly tooltip: string }
  | { readonly kind: 'press'; readonly button: string }
  | { readonly kind: 'files'; readonly uris: readonly URI[] }
  | { readonly kind: 'save'; readonly uri: URI | undefined };

/**
 * Who sits before the workbench: what it will do is said beforehand, in the order in which the inputs will come. An
 * input that nobody expects, a label that is not there and an act that no input asked for are faults of the test.
 */
export class Person {
  readonly #acts: Act[] = [];
  readonly #faults: unknown[] = [];
  /** Every message that was shown. */
  readonly read: Shown[] = [];
  /** Every input that was shown. */
  readonly inputs: Asked[] = [];

  /** What each dialog to save a file began with. */
  readonly saved: (Titled | undefined)[] = [];

  /** Their titles, with their step. */
  get asked(): string[] {
    return this.inputs.map(({ title, step }) => (step ? `${title} ${step}` : title));
  }

  /** What the lists offered, one after another. */
  get offered(): (readonly Item[])[] {
    return this.inputs.flatMap(({ items }) => (items.length > 0 ? [items] : []));
  }

  /** Takes what an input comes with; of a list without anything picked the first. */
  accepts(): this {
    return this.#will({ kind: 'accept' });
  }
  /** Presses a button of a list, and then leaves it. */
  pressesInList(tooltip: string): this {
    return this.#will({ kind: 'button', tooltip });
  }
  /** Presses a button of an input for text. */
  pressesInInput(tooltip: string): this {
    return this.#will({ kind: 'button', tooltip });
  }
  picks(...labels: string[]): this {
    return this.#will({ kind: 'pick', labels });
  }
  /** Ticks one more of a list of which several can be chosen, and goes on in it. */
  ticks(label: string): this {
    return this.#will({ kind: 'tick', label });
  }
  types(text: string): this {
    return this.#will({ kind: 'type', text });
  }
  /** Types into a list, and goes on in it. */
  searches(text: string): this {
    return this.#will({ kind: 'search', text });
  }
  goesBack(): this {
    return this.#will({ kind: 'back' });
  }
  leaves(): this {
    return this.#will({ kind: 'leave' });
  }
  presses(button: string): this {
    return this.#will({ kind: 'press', button });
  }
  choosesFiles(...uris: URI[]): this {
    return this.#will({ kind: 'files', uris });
  }
  savesAs(uri: URI | undefined): this {
    return this.#will({ kind: 'save', uri });
  }

  /** The texts of all messages so far. */
  get texts(): string[] {
    return this.read.map(({ text }) => text);
  }

  #will(act: Act): this {
    this.#acts.push(act);
    return this;
  }

  #fault(message: string): void {
    this.#faults.push(message);
  }

  /** At the end of a test. */
  verify(): void {
    const left = this.#acts.map((act) => (act.kind === 'press' ? `press ${act.button}` : act.kind));
    assert.deepEqual({ faults: this.#faults, left }, { faults: [], left: [] });
  }

  /** Takes the next act if it is for such an input. */
  #next<K extends Act['kind']>(...kinds: K[]): Extract<Act, { kind: K }> | undefined {
    const [act] = this.#acts;
    if (!act || !(kinds as string[]).includes(act.kind)) return undefined;
    this.#acts.shift();
    return act as Extract<Act, { kind: K }>;
  }

  /** A message with nobody to press one of its buttons is read and dismissed: one of earlier work may come at any time. */
  readonly message = (kind: Shown['kind'], text: string, rest: readonly unknown[]): Promise<string | undefined> => {
    const [first, ...others] = rest;
    const isModal = typeof first === 'object' && first !== null && (first as { modal?: boolean }).modal === true;
    const buttons = (isModal ? others : rest) as string[];
    this.read.push({ kind, text, buttons, isModal });
    if (buttons.length === 0) return Promise.resolve(undefined);
    const [act] = this.#acts;
    const isExpected = act?.kind === 'press' && buttons.includes(act.button);
    return Promise.resolve(isExpected ? this.#next('press')?.button : undefined);
  };

  /** Every dialog and input says what it is for. */
  #titled({ title }: Titled = {}): void {
    if (!title?.trim()) this.#fault('an input or a dialog has no title');
  }

  readonly openDialog = (options?: Titled): Promise<readonly URI[] | undefined> => {
    this.#titled(options);
    const act = this.#next('files', 'leave');
    if (!act) this.#fault('nobody expected a dialog to open files');
    return Promise.resolve(act?.kind === 'files' ? act.uris : undefined);
  };

  readonly saveDialog = (options?: Titled): Promise<URI | undefined> => {
    this.#titled(options);
    this.saved.push(options);
    const act = this.#next('save');
    if (!act) this.#fault('nobody expected a dialog to save a file');
    return Promise.resolve(act?.uri);
  };

  readonly quickPick = (): QuickPick => new QuickPick(this.#onShow);
  readonly inputBox = (): InputBox => new InputBox(this.#onShow);

  readonly #onShow = (input: QuickPick | InputBox): void => {
    const isList = input instanceof QuickPick;
    this.#titled(input);
    this.inputs.push({
      title: input.title ?? '',
      step: input.totalSteps ? `${input.step}/${input.totalSteps}` : '',
      text: (isList ? input.placeholder : input.prompt) ?? '',
      items: isList ? [...input.items] : [],
      picked: isList ? [...input.selectedItems, ...input.activeItems].map(({ label }) => label) : [],
      value: input.value,
      buttons: (input.buttons as readonly { tooltip?: string }[]).flatMap(({ tooltip }) => tooltip ?? []),
      get refusal() {
        return input instanceof InputBox ? (input.validationMessage ?? '') : '';
      },
    });
    // as in the editor, nothing comes back before `show` has returned
    setImmediate(() => {
      this.#use(input);
    });
  };

  /** Goes on once what comes is there, or the input is not. */
  #later(input: QuickPick | InputBox): () => void {
    return () => {
      setImmediate(() => {
        if (input.isShown) this.#use(input);
      });
    };
  }

  #use(input: QuickPick | InputBox): void {
    const own =
      input instanceof QuickPick ? (['pick', 'tick', 'search', 'button'] as const) : (['type', 'button'] as const);
    const isFor = ['back', 'leave', 'accept', ...own].some((kind) => kind === this.#acts[0]?.kind);
    if (input.busy && !isFor) {
      input.onIdle = this.#later(input);
      return;
    }
    const act = this.#next('back', 'leave', 'accept', ...own);
    if (act?.kind === 'back') {
      if (!input.buttons.includes(QuickInputButtons.Back)) this.#fault(`${input.title} has no Back`);
      input.triggered.fire(QuickInputButtons.Back);
    } else if (act?.kind === 'accept') {
      if (input instanceof InputBox) input.accepted.fire();
      else if (input.canSelectMany) input.choose(input.selectedItems);
      else if (input.activeItems === AS_IT_COMES) input.choose(input.items.slice(0, 1));
      else if (input.activeItems.length > 0) input.choose(input.activeItems);
      else {
        this.#fault(`Enter takes nothing of ${input.placeholder}`);
        input.hide();
      }
    } else if (act?.kind === 'button') {
      const button = input.buttons.find((one) => (one as { tooltip?: string }).tooltip === act.tooltip);
      if (!button) this.#fault(`${input.title} has no button ${act.tooltip}`);
      else input.triggered.fire(button);
      if (input instanceof QuickPick) input.hide();
    } else if (act?.kind === 'pick' && input instanceof QuickPick) {
      const chosen = act.labels.map((label) => input.items.find((item) => item.label === label));
      if (chosen.includes(undefined) && input.busy) {
        this.#acts.unshift(act);
        input.onIdle = this.#later(input);
        return;
      }
      if (chosen.includes(undefined)) {
        const there = input.items.map(({ label }) => label).join(', ');
        this.#fault(`${input.placeholder} offers no ${act.labels.join(', ')}, but ${there}`);
        input.hide();
        return;
      }
      input.choose(chosen.filter((item) => item !== undefined));
      // a list that stays open after a choice goes on with the next act
      setImmediate(() => {
        if (input.isShown && this.#acts.length > 0) this.#use(input);
      });
    } else if (act?.kind === 'tick' && input instanceof QuickPick) {
      const item = input.items.find(({ label }) => label === act.label);
      if (!input.canSelectMany || !item) this.#fault(`${input.placeholder} has no ${act.label} to tick`);
      else input.tick(item);
      this.#use(input);
    } else if (act?.kind === 'search' && input instanceof QuickPick) {
      input.value = act.text;
      input.changed.fire(act.text);
      this.#later(input)();
    } else if (act?.kind === 'type' && input instanceof InputBox) {
      input.value = act.text;
      input.changed.fire(act.text);
      input.accepted.fire();
      if (input.validationMessage) this.#use(input);
    } else {
      if (act?.kind !== 'leave') this.#fault(`nobody expected “${input.title}”, ${input.placeholder ?? ''}`);
      input.hide();
    }
  }
}

abstract class Input {
  title: string | undefined;
  step: number | undefined;
  totalSteps: number | undefined;
  placeholder: string | undefined;
  buttons: readonly unknown[] = [];
  ignoreFocusOut = false;
  enabled = true;
  readonly accepted = new EventEmitter<void>();
  readonly triggered = new EventEmitter<unknown>();
  readonly hidden = new EventEmitter<void>();
  readonly onDidAccept = this.accepted.event;
  readonly onDidTriggerButton = this.triggered.event;
  readonly onDidHide = this.hidden.event;
  isShown = false;

  #busy = false;

  protected abstract shown(): void;

  get busy(): boolean {
    return this.#busy;
  }

  set busy(isBusy: boolean) {
    this.#busy = isBusy;
    if (!isBusy) this.onIdle();
  }

  /** What a person does who waited for what comes. */
  onIdle: () => void = () => undefined;

  show(): void {
    this.isShown = true;
    this.shown();
  }

  hide(): void {
    if (!this.isShown) return;
    this.isShown = false;
    this.hidden.fire();
  }

  dispose(): void {
    this.hide();
    for (const emitter of [this.accepted, this.triggered, this.hidden]) emitter.dispose();
  }
}

/** The first item is active, unless others, or none, are made so. */
const AS_IT_COMES: readonly Item[] = [];

export class QuickPick extends Input {
  items: readonly Item[] = [];
  activeItems: readonly Item[] = AS_IT_COMES;
  selectedItems: readonly Item[] = [];
  canSelectMany = false;
  matchOnDescription = false;
  matchOnDetail = false;
  value = '';
  readonly itemTriggered = new EventEmitter<unknown>();
  readonly onDidTriggerItemButton = this.itemTriggered.event;
  readonly changed = new EventEmitter<string>();
  readonly onDidChangeValue = this.changed.event;
  readonly selected = new EventEmitter<readonly Item[]>();
  readonly onDidChangeSelection = this.selected.event;
  readonly #onShow: (input: QuickPick) => void;

  constructor(onShow: (input: QuickPick) => void) {
    super();
    this.#onShow = onShow;
  }

  choose(items: readonly Item[]): void {
    if (this.canSelectMany) {
      // one after another, until what is ticked is what is wanted
      const isWrong = (item: Item) => items.includes(item) !== this.selectedItems.includes(item);
      for (let item = this.items.find(isWrong); item; item = this.items.find(isWrong)) this.tick(item);
    } else {
      this.activeItems = this.selectedItems = items;
      this.selected.fire(items);
    }
    this.accepted.fire();
  }

  /** Ticks an item, or takes its tick away. */
  tick(item: Item): void {
    const isTicked = (one: Item) => this.selectedItems.includes(one) !== (one === item);
    this.selectedItems = this.items.filter(isTicked);
    this.selected.fire(this.selectedItems);
  }

  protected shown(): void {
    this.#onShow(this);
  }
}

export class InputBox extends Input {
  value = '';
  prompt: string | undefined;
  password = false;
  validationMessage: string | undefined;
  readonly changed = new EventEmitter<string>();
  readonly onDidChangeValue = this.changed.event;
  readonly #onShow: (input: InputBox) => void;

  constructor(onShow: (input: InputBox) => void) {
    super();
    this.#onShow = onShow;
  }

  protected shown(): void {
    this.#onShow(this);
  }
}
