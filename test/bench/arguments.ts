import { existsSync } from 'node:fs';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { isWrongUse } from '../harness/say.ts';

/** Ends a program that was called in a wrong way, with 2. */
export function wrongUse(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}

/** What the program was called with, as `parseArgs` reads it; one that it does not know ends the program. */
export function readArguments<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    if (!isWrongUse(error)) throw error;
    const [sentence = ''] = error.message.split(/\.\s/);
    const known = Object.keys(config.options ?? {}).map((name) => `--${name}`);
    const ways = known.length > 0 ? `The options are ${known.join(', ')}.` : 'It has no options.';
    return wrongUse(`${sentence.replace(/\.$/, '')}. ${ways}`);
  }
}

/** A number from 0. @param name of the argument, such as `--most` or `ROWS` */
export function numberOf(text: string, name: string): number {
  const number = text.trim() === '' ? NaN : Number(text);
  return number >= 0 ? number : wrongUse(`${name} is a number from 0, which “${text}” is not.`);
}

/** One of a few words. @param name as for {@link numberOf} */
export function oneOf(words: readonly string[], text: string, name: string): string {
  return words.includes(text) ? text : wrongUse(`${name} is one of ${words.join(', ')}, which “${text}” is not.`);
}

/** A file or folder that must be there. */
export function present(path: string): string {
  return existsSync(path) ? path : wrongUse(`There is no file or folder “${path}”.`);
}
