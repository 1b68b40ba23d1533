import { fitText } from '../contract/fit-text.ts';

/** NUL, and the halves of surrogate pairs, as JSON has them. */
const UNFIT = /\\u(?:0000|d[89a-f])/;

/**
 * A body as JSON. In its texts what a service may not be able to store stands as U+FFFD, as in UTF-8: NUL, and half a
 * character, which is what cutting a text can leave.
 */
export function bodyOf(given: unknown): string {
  const json = JSON.stringify(given);
  return UNFIT.test(json) ? JSON.stringify(given, fit) : json;
}

const fit = (_: string, value: unknown): unknown => (typeof value === 'string' ? fitText(value) : value);
