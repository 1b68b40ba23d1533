import type * as z from 'zod/mini';
import type { KeyScope } from './resources.ts';

/** A query parameter, with its JSON schema. */
export interface QueryParameter {
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** One operation of a service. Client, routes, OpenAPI description and check of a service are made from these entries. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the base URL; `{id}` stands for the one path parameter. */
  readonly path: string;
  readonly summary: string;
  /** Status of a success of the local service; any 2xx is one. */
  readonly status: 200 | 201 | 204;
  readonly query?: Readonly<Record<string, QueryParameter>>;
  /** As the local service takes it, with its further fields and its bounds. */
  readonly body?: z.core.$ZodType;
  /** What one line of a body is that is a stream (`application/x-ndjson`). */
  readonly bodyLines?: z.core.$ZodType;
  /** What one line of an answer is that is a stream. */
  readonly answerLines?: z.core.$ZodType;
  /** Computed when it is asked for, so that it may have to wait, and may not be possible. */
  readonly isComputed?: boolean;
  /** What a key must be allowed to do; where absent, to read for a GET and to write for all else. */
  readonly scope?: KeyScope;
  /** One of the five that every service has, with what the interface itself says of the body; of the others, those that a service announces. */
  readonly core?: { readonly body?: z.ZodMiniObject };
  /** What one item of a list is, or the answer of what is no list. */
  readonly item?: z.core.$ZodType;
  readonly answer?: z.core.$ZodType;
  /** What the answer is called in a sentence. */
  readonly noun?: string;
}

/** A cursor of the local service: a letter for the direction, and the number of an item. */
export const CURSOR_PATTERN = '^[abAB]([0-9]{1,15})?$';

/** What the local service stores of texts: all but NUL, which not every database can. */
export const TEXT_PATTERN = '^[^\\u0000]*$';

/** Items per page of the local service. */
export const PAGE_SIZE = { least: 1, most: 200, usual: 50 } as const;

/** The query parameters of every list. */
export const paging = {
  cursor: {
    description: 'The cursor of a page, sent back unchanged.',
    schema: { type: 'string', pattern: CURSOR_PATTERN },
  },
  size: {
    description: 'Items per page.',
    schema: { type: 'integer', minimum: PAGE_SIZE.least, maximum: PAGE_SIZE.most, default: PAGE_SIZE.usual },
  },
} as const;

/** Whether the interface promises that this status will change. */
export const isPending = (status: string): boolean => status === 'QUEUED' || status === 'IN_PROGRESS';

/** Whether a job may change: all but one that has ended, also where its state is a word of its service's own. */
export const isOngoing = (job: { readonly status: string; readonly prediction_series?: unknown }): boolean =>
  isPending(job.status) || (!['COMPLETED', 'FAILED'].includes(job.status) && job.prediction_series === undefined);

export const flag = (description: string, usual = true) => ({
  description,
  schema: { type: 'boolean', default: usual },
});
