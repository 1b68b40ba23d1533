/** A part of a sentence: a word of the document, a number, or a sentence of its own. */
export type PhraseArg = string | number | Phrase;

/** A sentence for people, in English and as what it is made of, so that it can be said in another language. */
export interface Phrase {
  readonly message: string;
  /** The English sentence with `{0}`, `{1}` … where its arguments stand. */
  readonly template: string;
  readonly args: readonly PhraseArg[];
}

/** The phrase of a template literal: said`“${text}” is not a number.` */
export function said(parts: TemplateStringsArray, ...args: PhraseArg[]): Phrase {
  const join = (word: (arg: PhraseArg, index: number) => string | number) =>
    parts.reduce((text, part, index) => `${text}${word(args[index - 1]!, index - 1)}${part}`);
  return {
    message: join((arg) => (typeof arg === 'object' ? arg.message : arg)),
    template: join((_, index) => `{${index}}`),
    args,
  };
}
