import { holds } from './failures.ts';
import * as z from 'zod/mini';

/**
 * The resources of the service interface. Reading is lenient, as the interface leaves much open: unknown fields are
 * kept, unknown status words pass as they are, and `null` means the same as an absent field.
 */

/** A field that may be absent or `null`; both read as `undefined`. */
export const optional = <T extends z.core.$ZodType>(schema: T) =>
  z.optional(
    z.pipe(
      z.nullable(schema),
      z.transform((value) => value ?? undefined),
    ),
  );

const record = z.record(z.string(), z.unknown());

/** An identifier; a number is taken as its decimal text. */
const id = z.pipe(z.union([z.string(), z.number()]), z.transform(String));

/** The words that the interface has for the state of a prediction or a model. */
export const STATUSES = ['QUEUED', 'IN_PROGRESS', 'COMPLETED', 'FAILED'];

const KNOWN_STATUSES: readonly string[] = [...STATUSES, 'ACTIVE'];

/** A status; those of the interface are read in whatever letters they are written (`completed`, `in-progress`). */
const status = z.pipe(
  z.string(),
  z.transform((word) => {
    const plain = word.trim().toUpperCase().replace(/[ -]/g, '_');
    return KNOWN_STATUSES.includes(plain) ? plain : word;
  }),
);

/** A decimal number, or a word for a missing one, with blanks around it; without flags, as descriptions give it. */
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

/** One observation or one forecast step. `value` is `undefined` where the observation is missing. */
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
  created_at: optional(z.string()),
});
export type Prediction = z.infer<typeof Prediction>;

/** Training settings of a fine-tuned model. */
export const ModelConfig = z.looseObject({
  context_length: optional(z.int()),
  prediction_length: optional(z.int()),
  use_rope_scaling: optional(z.boolean()),
  num_samples: optional(z.int()),
  max_epochs: optional(z.int()),
});
export type ModelConfig = z.infer<typeof ModelConfig>;

/** Selection of training data; the interface leaves open how the four ways combine. */
export const InputConfig = z.looseObject({
  dataset_ids: optional(z.array(z.string())),
  dataset_tags: optional(z.array(z.string())),
  series_ids: optional(z.array(z.string())),
  series: optional(z.array(SeriesPoint)),
});
export type InputConfig = z.infer<typeof InputConfig>;

export const FineTunedModel = z.looseObject({
  id,
  status,
  config: optional(ModelConfig),
  input_config: optional(InputConfig),
  base_model: optional(id),
  created_at: optional(z.string()),
  updated_at: optional(z.string()),
});
export type FineTunedModel = z.infer<typeof FineTunedModel>;

export const DatasetStats = z.looseObject({
  size: optional(z.string()),
  rows: optional(z.number()),
  start_timestamp: optional(z.string()),
  end_timestamp: optional(z.string()),
  freq: optional(z.string()),
});

export const Dataset = z.looseObject({
  id,
  tags: optional(z.array(z.string())),
  stats: optional(DatasetStats),
});
export type Dataset = z.infer<typeof Dataset>;

/** An API key. `secret` must never be shown, logged or stored in plain text. */
export const Key = z.looseObject({
  id,
  status: optional(status),
  secret: optional(z.string()),
  created_at: optional(z.string()),
});
export type Key = z.infer<typeof Key>;

/** What a key may do, each more than the one before: read; store, forecast and delete; make and delete keys. */
export const KEY_SCOPES = ['read', 'write', 'admin'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The envelope of every list. Cursors are opaque and sent back unchanged. */
export const page = <T extends z.core.$ZodType>(item: T) =>
  z.looseObject({
    items: z.array(item),
    total: optional(z.number()),
    current_page: optional(z.string()),
    current_page_backwards: optional(z.string()),
    previous_page: optional(z.string()),
    next_page: optional(z.string()),
  });
export interface Page<T> {
  items: T[];
  total?: number | undefined;
  current_page?: string | undefined;
  current_page_backwards?: string | undefined;
  previous_page?: string | undefined;
  next_page?: string | undefined;
}
