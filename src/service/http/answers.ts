import { problemOf } from '../errors.ts';
import type { Failure, Fault } from '../../contract/failures.ts';
import { StoredPoints } from '../store/series.ts';

/** Stands for points in the text of an answer; no text from outside can know it. */
const PLACE = crypto.randomUUID();

/**
 * The JSON of an answer. `null` says what is not known of a resource, or of each resource of a page, so that every field
 * is there; stored points are put in as they are.
 */
export function toJson(answer: unknown): string {
  if (answer instanceof StoredPoints) return answer.json;
  const points: string[] = [];
  const text = JSON.stringify(withNulls(answer), (_, value: unknown) => {
    if (!(value instanceof StoredPoints)) return value;
    points.push(value.json);
    return PLACE;
  });
  if (points.length === 0) return text;
  return text
    .split(`"${PLACE}"`)
    .map((part, index) => part + (points[index] ?? ''))
    .join('');
}

function withNulls(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const fields = Object.entries(answer as Record<string, unknown>).map(([name, value]) => [
    name,
    name === 'items' && Array.isArray(value) ? value.map(withNulls) : (value ?? null),
  ]);
  return Object.fromEntries(fields) as unknown;
}

/** A refusal as problem details of RFC 9457. */
export const refusal = (
  status: number,
  failure: Failure,
  headers: Readonly<Record<string, string>> = {},
  errors?: readonly Fault[],
): Response =>
  new Response(JSON.stringify(problemOf(status, failure, errors)), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });
