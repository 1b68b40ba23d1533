import type { Phrase } from './phrase.ts';
import type { Choice, LayoutChoice } from './types.ts';

/** @param options each with what it changes, and more about it */
export const choiceOf = (
  kind: Choice['kind'],
  question: Phrase,
  options: readonly (readonly [label: Phrase | string, layout: LayoutChoice, detail?: Phrase | string])[],
  suggested = 0,
): Choice => ({
  kind,
  question: question.message,
  options: options.map(([label, layout, detail]) => ({
    label: inWords(label),
    ...(detail === undefined ? {} : { detail: inWords(detail) }),
    layout,
  })),
  suggested,
});

const inWords = (text: Phrase | string): string => (typeof text === 'string' ? text : text.message);
