/** What inputs, dialogs and messages show. */

export interface Item {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}

/** What an input showed when it came. */
export interface Asked {
  readonly title: string;
  /** As “2/4”, or nothing. */
  readonly step: string;
  /** The placeholder of a list, the prompt of a text. */
  readonly text: string;
  readonly items: readonly Item[];
  /** Labels that were picked, or active. */
  readonly picked: readonly string[];
  readonly value: string;
  /** Tooltips of the buttons in its title, but Back. */
  readonly buttons: readonly string[];
  /** What was wrong with what was entered. */
  readonly refusal: string;
}

/** What comes with a title, as it should. */
export interface Titled {
  readonly title?: string | undefined;
  readonly filters?: Readonly<Record<string, readonly string[]>>;
  readonly defaultUri?: unknown;
}

export interface Shown {
  readonly kind: 'error' | 'warning' | 'info';
  readonly text: string;
  readonly buttons: readonly string[];
  readonly isModal: boolean;
}
