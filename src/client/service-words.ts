import * as l10n from '@vscode/l10n';
import { SENTENCES } from './service-sentences.ts';

/** Longer texts are no sentence. */
const LONGEST = 2_000;

const exact = new Set(SENTENCES);
const withValues = SENTENCES.filter((sentence) => sentence.includes('{0}')).map((sentence) => ({
  sentence,
  /** What stands around the values, and which of them stands after each but the last. */
  parts: sentence.split(/\{\d\}/),
  order: [...sentence.matchAll(/\{(\d)\}/g)].map(([, index]) => Number(index)),
}));

/** A sentence of a service in the person's language, where it is one of {@link SENTENCES}; else as it is. */
export function inOwnWords(text: string): string {
  if (text.length > LONGEST) return text;
  if (exact.has(text)) return l10n.t(text);
  for (const { sentence, parts, order } of withValues) {
    const values = valuesBetween(parts, text);
    if (values) return l10n.t(sentence, ...order.map((_, index) => inOwnWords(values[order.indexOf(index)])));
  }
  return text;
}

/** What stands in a text between these parts of it, one after the other; `undefined` where they are not there. */
function valuesBetween(parts: readonly string[], text: string): string[] | undefined {
  const last = parts.at(-1) ?? '';
  if (!text.startsWith(parts[0]) || !text.endsWith(last)) return undefined;
  const values: string[] = [];
  const end = text.length - last.length;
  let from = parts[0].length;
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, from);
    if (at < 0) return undefined;
    values.push(text.slice(from, at));
    from = at + part.length;
  }
  if (from > end) return undefined;
  return [...values, text.slice(from, end)];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A resource of a service with the sentences that it has for people in their language. */
export function toldInOwnWords<T>(resource: T): T {
  if (!isObject(resource)) return resource;
  const { error, warnings, description, details } = resource;
  return {
    ...resource,
    ...(typeof error === 'string' && { error: inOwnWords(error) }),
    ...(typeof description === 'string' && { description: inOwnWords(description) }),
    ...(Array.isArray(warnings) && {
      warnings: warnings.map((one) => (typeof one === 'string' ? inOwnWords(one) : one)),
    }),
    ...(isObject(details) && { details: toldInOwnWords(details) }),
  };
}
