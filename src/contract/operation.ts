import type * as z from 'zod/mini';
import type { KeyScope } from './resources.ts';

/** A query parameter, with its JSON schema. */
export interface QueryParameter {
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** One operation of a service, from which its client, route, OpenAPI description and check follow. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the base URL; `{id}` stands for the one path parameter. */
  readonly path: string;
  readonly summary: string;
  /** Of a success of the local service; clients accept any 2xx. */
  readonly status: 200 | 201 | 204;
  readonly query?: Readonly<Record<string, QueryParameter>>;
  /** With the further fields and the bounds of the local service. */
  readonly body?: z.core.$ZodType;
  /** A line of a body, or of an answer, that is a stream (`application/x-ndjson`). */
  readonly bodyLines?: z.core.$ZodType;
  readonly answerLines?: z.core.$ZodType;
  /** Whether it is computed on request, which may have to wait, and may not be possible. */
  readonly isComputed?: boolean;
  /** The scope that a key needs; default: read for a GET, else write. */
  readonly scope?: KeyScope;
  /** Of the five that every service has: the body of the interface. */
  readonly core?: { readonly body?: z.ZodMiniObject };
  /** An item of a list, or the answer of an operation that is no list. */
  readonly item?: z.core.$ZodType;
  readonly answer?: z.core.$ZodType;
  /** The name of the answer in a sentence. */
  readonly noun?: string;
}

/** A cursor of the local service: the direction, and the number of an item. */
export const CURSOR_PATTERN = '^[abAB]([0-9]{1,15})?$';

/** The local service stores no NUL, which not every database can. */
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

/** Whether this status of the interface will change. */
export const isPending = (status: string): boolean => status === 'QUEUED' || status === 'IN_PROGRESS';

/** Whether a job may change: all but one that has ended, also with a status that is not of the interface. */
export const isOngoing = (job: { readonly status: string; readonly prediction_series?: unknown }): boolean =>
  isPending(job.status) || (!['COMPLETED', 'FAILED'].includes(job.status) && job.prediction_series === undefined);

/** A boolean query parameter. */
export const flag = (description: string, usual = true) => ({
  description,
  schema: { type: 'boolean', default: usual },
});

/** The content type of a stream of lines. */
export const NDJSON = 'application/x-ndjson';

/** Whether it makes something that another such request would make again. */
export const isCreation = ({ method, status }: Operation): boolean => method === 'POST' && status === 201;
