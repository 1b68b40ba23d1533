import { NDJSON } from '../../contract/operation.ts';
import { mayPass } from '../database/trouble.ts';
import { problemOf, RequestError } from '../errors.ts';
import type { Failure, Fault } from '../../contract/failures.ts';
import { DamagedRowError } from '../database/list.ts';
import { StoredPoints } from '../store/points.ts';

/** Stands for points in the text of an answer; no text from outside can know it. */
const PLACE = crypto.randomUUID();

/**
 * The JSON of an answer. `null` says what is not known of a resource, or of each resource of a page, so that every field
 * is there; stored points are put in as they are, and one whose points are damaged says so.
 */
export async function toJson(answer: unknown): Promise<string | ReadableStream> {
  if (answer instanceof StoredPoints) return joined(await answer.json());
  const points: Awaited<ReturnType<StoredPoints['json']>>[] = [];
  const text = JSON.stringify(await written(answer, points));
  if (points.length === 0) return text;
  return joined(text.split(`"${PLACE}"`).flatMap((part, index) => [part, ...(points[index] ?? [])]));
}

/** A text, or where it is long what is sent without being put together. */
const joined = (parts: readonly (string | Uint8Array<ArrayBuffer>)[]): string | ReadableStream =>
  parts.every((part) => typeof part === 'string') ? parts.join('') : new Blob([...parts]).stream();

/** @param points gets those that stand in it, in their order */
async function written(answer: unknown, points: Awaited<ReturnType<StoredPoints['json']>>[]): Promise<unknown> {
  if (typeof answer !== 'object' || answer === null) return answer;
  const fields: Record<string, unknown> = {};
  let damage: Failure | undefined;
  for (const [name, value] of Object.entries(answer as Record<string, unknown>)) {
    fields[name] = value ?? null;
    if (name === 'items' && Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value) items.push(await written(item, points));
      fields[name] = items;
    } else if (value instanceof StoredPoints) {
      try {
        points.push(await value.json());
        fields[name] = PLACE;
      } catch (error) {
        if (!(error instanceof DamagedRowError)) throw error;
        [fields[name], damage] = [null, error.failure];
      }
    }
  }
  return damage ? { ...fields, error: damage } : fields;
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

/** Parts of a text as the body of an answer, each asked for when the one before has been taken. */
export function streamed(parts: AsyncGenerator<string>, report: (error: unknown) => void): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await parts.next();
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          // the status was told: that it is not whole shows as it breaks off
          if (!mayPass(error) && !(error instanceof RequestError)) report(error);
          throw error;
        }
      },
      cancel: async () => {
        await parts.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { 'content-type': NDJSON } });
}
