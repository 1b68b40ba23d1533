import { failure } from '../../contract/failures.ts';
import { RequestError } from '../errors.ts';

/** How JSON writes what not every database can store; it may also be a backslash and letters. */
const UNFIT = /\\u(?:0000|d[89a-f])/i;

/** Whether a JSON text can have what {@link checkTexts} refuses: most have no such escapes. */
export const mayBeUnfit = (json: string): boolean => UNFIT.test(json);

/**
 * Refuses texts that not every database can store as they are, on all of them.
 * @param value what JSON can be
 * @param loc where it stands in the request
 * @param from number of the first, where it is a part of a list
 * @throws RequestError 422 with the place of the first
 */
export function checkTexts(value: unknown, loc: readonly (string | number)[], from = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw RequestError.field(loc, failure('text_with_nul'));
    if (!value.isWellFormed()) throw RequestError.field(loc, failure('text_with_half_character'));
  } else if (Array.isArray(value)) {
    value.forEach((one: unknown, index) => {
      checkTexts(one, [...loc, from + index]);
    });
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      checkTexts(name, [...loc, name]);
      checkTexts(one, [...loc, name]);
    }
  }
}
