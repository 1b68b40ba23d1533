import { printable } from '../contract/texts.ts';

/** Writes numbers with so many decimals, huge ones in six figures, and a dash for what is no number. */
export const numberWriter =
  (decimals: number) =>
  (value: number): string => {
    if (!Number.isFinite(value)) return '–';
    const isHuge = Math.abs(value) >= 1e15;
    return String(Number(isHuge ? value.toPrecision(6) : value.toFixed(decimals)));
  };

/** Text on one line without invisible characters: what others wrote must not look like part of an answer. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();

const LONGEST_NAME = 160;

export function nameOf(text: string): string {
  const plain = oneLine(text);
  return plain.length > LONGEST_NAME ? `${plain.slice(0, LONGEST_NAME)}…` : plain;
}

/** A name to call with again, as JSON; what is not seen is written as its code. */
export const quoted = (name: string): string => printable(JSON.stringify(name));

export const listed = <T>(
  all: readonly T[],
  most: number,
  wordsOf: (one: T) => string,
  total = all.length,
): string[] => [...all.slice(0, most).map(wordsOf), ...(total > most ? [`and ${total - most} more`] : [])];
