import { holds } from './failures.ts';
import * as z from 'zod/mini';

/** The resources of the interface, which leaves much open: unknown fields and status words are kept, and `null` is absent. */

/** A field that may be absent or `null`; both read as `undefined`. */
export const optional = <T extends z.core.$ZodType>(schema: T) =>
  z.optional(
    z.pipe(
      z.nullable(schema),
      z.transform((value) => value ?? undefined),
    ),
  );
/** Fields that a service may also give in another form; what cannot be read is absent. */
const text = z.catch(optional(z.string()), ({ value }) => (typeof value === 'number' ? String(value) : undefined));
/** Seconds or milliseconds since 1970 as ISO 8601. @param largest the distance from 1970 that shows the unit */
export function isoOfEpoch(epoch: unknown, largest = Math.abs(Number(epoch))): string | undefined {
  const ms = typeof epoch === 'number' ? (largest < 1e11 ? epoch * 1000 : epoch) : NaN;
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined;
}
export const instant = z.catch(optional(z.string()), ({ value }) => isoOfEpoch(value));
const count = z.catch(optional(z.number()), ({ value }) =>
  typeof value === 'string' && /^[0-9]+$/.test(value) ? Number(value) : undefined,
);
const texts = optional(z.array(z.string()));
const integer = optional(z.int());

const record = z.record(z.string(), z.unknown());

/** An identifier; a number is taken as its decimal text. */
const id = z.pipe(z.union([z.string(), z.number()]), z.transform(String));

/** The states of a prediction or a model. */
export const STATUSES = ['QUEUED', 'IN_PROGRESS', 'COMPLETED', 'FAILED'];

const KNOWN_STATUSES: readonly string[] = [...STATUSES, 'ACTIVE'];

/** A status; those of the interface may be written in any letters (`completed`, `in-progress`). */
const status = z.pipe(
  z.string(),
  z.transform((word) => {
    const plain = word.trim().toUpperCase().replace(/[ -]/g, '_');
    return KNOWN_STATUSES.includes(plain) ? plain : word;
  }),
);

/** A decimal number, or a word for a missing one, with blanks around it; without flags, for the description. */
const NUMERAL =
  /^[ \t\r\n]*(([-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?|[-+]?[iI][nN][fF]([iI][nN][iI][tT][yY])?|[nN][aA][nN]|[nN][uU][lL][lL]|[nN][oO][nN][eE]|[nN][aA]|[nN]\/[aA])[ \t\r\n]*)?$/;

const numeral = z.string().check(
  holds((text) => NUMERAL.test(text), 'text_not_number'),
  z.meta({ pattern: NUMERAL.source }),
);

/**
 * A number, or a string that spells one; `null`, absent, `"NaN"`, `"Infinity"`, blanks and what is beyond the largest
 * number are missing values and read as `undefined`.
 */
const numeric = z.optional(
  z.pipe(
    z.nullable(z.union([z.number(), numeral])),
    z.transform((value) => {
      if (value === null || typeof value === 'number') return value ?? undefined;
      const parsed = value.trim() === '' ? NaN : Number(value);
      return Number.isFinite(parsed) ? parsed : undefined;
    }),
  ),
);

/** An observation or a forecast step. `value` is `undefined` where the observation is missing. */
export const SeriesPoint = z.looseObject({
  timestamp: z.string(),
  value: numeric,
  metadata: optional(record),
});
export type SeriesPoint = z.infer<typeof SeriesPoint>;

export const Prediction = z.looseObject({
  id,
  ai_model_id: optional(id),
  status,
  input_series: optional(z.array(SeriesPoint)),
  prediction_series: optional(z.array(SeriesPoint)),
  input_series_id: optional(id),
  prediction_series_id: optional(id),
  created_at: instant,
});
export type Prediction = z.infer<typeof Prediction>;

/** Training settings of a fine-tuned model. */
export const ModelConfig = z.looseObject({
  context_length: integer,
  prediction_length: integer,
  use_rope_scaling: optional(z.boolean()),
  num_samples: integer,
  max_epochs: integer,
});
export type ModelConfig = z.infer<typeof ModelConfig>;

/** Selection of training data; the interface leaves open how the four ways combine. */
export const InputConfig = z.looseObject({
  dataset_ids: texts,
  dataset_tags: texts,
  series_ids: texts,
  series: optional(z.array(SeriesPoint)),
});
export type InputConfig = z.infer<typeof InputConfig>;

export const FineTunedModel = z.looseObject({
  id,
  status,
  config: optional(ModelConfig),
  input_config: optional(InputConfig),
  base_model: optional(id),
  created_at: instant,
  updated_at: instant,
});
export type FineTunedModel = z.infer<typeof FineTunedModel>;

export const DatasetStats = z.looseObject({
  size: text,
  rows: count,
  start_timestamp: instant,
  end_timestamp: instant,
  freq: text,
});

export const Dataset = z.looseObject({
  id,
  tags: texts,
  stats: optional(DatasetStats),
});
export type Dataset = z.infer<typeof Dataset>;

/** An API key. `secret` must never be shown, logged or stored in plain text. */
export const Key = z.looseObject({
  id,
  status: optional(status),
  secret: text,
  created_at: instant,
});
export type Key = z.infer<typeof Key>;

/** What a key may do, each more than the one before: read; store, forecast and delete; make and delete keys. */
export const KEY_SCOPES = ['read', 'write', 'admin'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The envelope of every list. Cursors are opaque and sent back unchanged. */
const envelope = z.object({
  total: count,
  current_page: text,
  current_page_backwards: text,
  previous_page: text,
  next_page: text,
});
export const page = <T extends z.core.$ZodType>(item: T) => z.looseObject({ items: z.array(item), ...envelope.shape });
export type Page<T> = { items: T[] } & z.infer<typeof envelope>;
