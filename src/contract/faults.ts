import * as z from 'zod/mini';

/**
 * As `z.safeParse`, with a sentence for each fault: those of the library are for programmers, and its small form has none. A
 * client that speaks another language than English knows these.
 */
export const readAs = <T extends z.core.$ZodType>(
  schema: T,
  given: unknown,
): z.core.util.SafeParseResult<z.core.output<T>> => z.safeParse(schema, given, { error: sentenceOf });

function sentenceOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'This is required.' : (KINDS[issue.expected] ?? OTHER_KIND);
    case 'invalid_value':
      return `This is none of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}.`;
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_format':
      return `This does not match ${issue.pattern ?? issue.format}.`;
    case 'unrecognized_keys':
      return `This has fields that are not known: ${namesOf(issue.keys)}.`;
    case 'invalid_key':
      return issue.issues[0]?.message ?? OTHER;
    case 'invalid_union':
      // that of what has the right kind, and is wrong all the same
      return issue.errors.flat().find(({ code }) => code !== 'invalid_type')?.message ?? OTHER_KIND;
    case 'custom':
    case 'invalid_element':
    case 'not_multiple_of':
      return OTHER;
  }
}

/** Names are whatever was sent, of any length and number. */
function namesOf(keys: readonly string[]): string {
  const names = keys
    .slice(0, 5)
    .map((key) => (key.length > 40 ? `${[...key.slice(0, 80)].slice(0, 39).join('')}…` : key));
  return [...names, ...(keys.length > names.length ? ['…'] : [])].join(', ');
}

const OTHER = 'This is not what it has to be.';
const OTHER_KIND = 'This is of another kind than it has to be.';
const KINDS: Readonly<Record<string, string>> = {
  number: 'This is not a number.',
  int: 'This is not a whole number.',
  string: 'This is not a string.',
  boolean: 'This is neither true nor false.',
  array: 'This is not a list.',
  object: 'This is not an object.',
  record: 'This is not an object.',
};

type Size = Pick<z.core.$ZodIssueTooSmall, 'origin' | 'minimum' | 'inclusive'>;
function tooSmall({ origin, minimum, inclusive }: Size): string {
  if (origin === 'string' || origin === 'array') {
    return minimum === 1 ? 'This is empty.' : `This has fewer than ${minimum} characters or entries.`;
  }
  return inclusive ? `This is less than ${minimum}.` : `This is not more than ${minimum}.`;
}

type Most = Pick<z.core.$ZodIssueTooBig, 'origin' | 'maximum' | 'inclusive'>;
function tooBig({ origin, maximum, inclusive }: Most): string {
  if (origin === 'string') return `This is longer than ${maximum} characters.`;
  if (origin === 'array') return `This has more than ${maximum} entries.`;
  return inclusive ? `This is more than ${maximum}.` : `This is not less than ${maximum}.`;
}
