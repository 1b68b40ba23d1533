import * as z from 'zod/mini';
import { shortText } from './requests.ts';
import { Key, optional } from './resources.ts';

/** What a key may do, each more than the one before: read; store, forecast and delete; make and delete keys. */
export const KEY_SCOPES = ['read', 'write', 'admin'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

const further = <T extends z.core.$ZodType>(schema: T) => z.catch(optional(schema), undefined);

/** A key of a service for teams. It sees what belongs to its space. */
export const LocalKey = z.extend(Key, {
  name: further(z.string()),
  scope: further(z.enum(KEY_SCOPES)),
  space: further(z.string()),
  /** Not used any more from then on. */
  expires_at: further(z.string()),
  /** To the minute. */
  last_used_at: further(z.string()),
  requests_per_minute: further(z.number()),
  /** Series that may be forecast with it on a day (UTC). */
  series_per_day: further(z.number()),
});
export type LocalKey = z.infer<typeof LocalKey>;

/** `POST /keys` of the local service. The new key is of the space of the one that makes it. */
export const CreateKey = z.looseObject({
  name: optional(shortText(100)),
  /** Absent: `write`. */
  scope: optional(z.enum(KEY_SCOPES)),
  /** Not used any more after so many days; absent: for ever. */
  expires_in_days: optional(z.int().check(z.gte(1), z.lte(3650))),
  requests_per_minute: optional(z.int().check(z.gte(1), z.lte(1_000_000))),
  series_per_day: optional(z.int().check(z.gte(1), z.lte(1_000_000_000))),
});
