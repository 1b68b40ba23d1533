import * as l10n from '@vscode/l10n';
import { inDigits } from '../calendar/digits.ts';

type PhraseArg = string | number | Phrase;

export interface Phrase {
  readonly message: string;
  readonly template: string;
  readonly args: readonly PhraseArg[];
}

export function said(parts: TemplateStringsArray, ...args: PhraseArg[]): Phrase {
  const template = parts.reduce((text, part, index) => `${text}{${index - 1}}${part}`);
  const words = args.map((arg) => (typeof arg === 'object' ? arg.message : arg));
  return { message: l10n.t(template, ...words), template, args };
}

export const rowsInWords = (rows: number): Phrase => (rows === 1 ? said`1 row` : said`${inDigits(rows)} rows`);
