import * as z from 'zod/mini';

/** The sentences of a service of this project by the codes of its failures; `{0}`, `{1}` … are the params. The editor translates them. */
export const SENTENCES = {
  required: 'This is required.',
  not_number: 'Expected a number.',
  not_integer: 'Expected a whole number.',
  not_string: 'Expected a string.',
  not_boolean: 'Expected true or false.',
  not_list: 'Expected a list.',
  not_object: 'Expected an object.',
  text_not_number: 'This text is not a number.',
  wrong_kind: 'Expected a value of a different type.',
  invalid: 'This value is not valid.',
  not_one_of: 'Expected one of {0}.',
  pattern: 'Expected a match for {0}.',
  unknown_fields: 'Unknown fields: {0}.',
  empty: 'This is empty.',
  too_few: 'Expected at least {0} characters or entries.',
  too_many: 'Expected up to {0} entries.',
  too_long: 'Expected up to {0} characters.',
  less_than: 'Expected {0} or more.',
  not_more_than: 'Expected more than {0}.',
  more_than: 'Expected {0} or less.',
  not_less_than: 'Expected less than {0}.',
  floor_above_capacity: 'The floor must be below the capacity.',
  few_samples:
    'num_samples must be at least {0}: with fewer sample paths the outer quantiles would be left to chance. Leave it out for exact quantiles.',
  text_unfit: 'This contains U+0000 or half of a surrogate pair, which cannot be stored.',
  not_timestamp: '“{0}” is not an ISO 8601 date-time such as 2024-01-31T00:00:00Z.',
  timestamp_too_far: '“{0}” is outside the range of dates that can be forecast.',
  query_pattern: 'This is not a {0} of this service.',
  series_or_id: 'Specify either series or series_id, not both.',
  no_series: 'Specify a series, or the series_id of a stored one.',

  body_not_utf8: 'The {0} is not UTF-8.',
  body_not_json: 'The {0} is not JSON: {1}',
  body_too_deep: 'The {0} nests arrays and objects deeper than {1} levels.',
  besides_too_large:
    'The {0} has more than {1} MB beside its points or in one text, or many more arrays, objects, or values than a series has. Send less.',
  body_too_large: 'The body is larger than {0} MB, or needs more memory than is available. Send it in parts.',
  body_many_series: 'The body has more than {0} series. Send them in parts, as a stream to POST /datasets/{id}/series.',
  body_slow: 'The body arrived too slowly, or was not complete.',
  body_broken: 'The body ended early.',
  body_encoded: 'Send the body without the encoding {0}.',
  body_charset: 'Send the body in UTF-8, not in {0}.',
  not_ndjson: 'Send the series as application/x-ndjson, one per line.',
  line_too_long: 'This line is longer than {0} MB, the limit for one series.',
  line_repeated: 'This line was sent before with a different series under the same Idempotency-Key.',
  line_id_taken: 'The dataset already has this id with different points or another name. It was left unchanged.',
  idempotency_key: 'An Idempotency-Key has 1 to 200 printable ASCII characters and no spaces.',
  idempotency_key_taken:
    'This Idempotency-Key was used before with a different request. Use a new key for each request.',
  token_missing: 'Send the header Authorization: Bearer <token>.',
  token_invalid: 'The token is not valid.',
  scope: 'This requires a key with the scope {0}; this key has {1}.',
  origin_refused: 'Pages from that origin may not call this service. Start it with --cors-origin to allow them.',
  host_refused:
    'This service does not accept that host name. Use the address that it prints, or start it with --allow-host.',
  not_found: 'Not Found',
  method_not_allowed: 'Method Not Allowed',
  client_gone: 'The client disconnected.',
  requests_per_minute: 'This key allows {0} requests per minute. Try again in {1} s.',
  forecasts_per_day: 'This key allows forecasts of {0} series per day (UTC). Try again tomorrow, or use another key.',
  stored_per_day: 'This key allows {0} series to be stored per day (UTC). Try again tomorrow, or use another key.',
  own_key: 'This key signs the request itself and cannot be deleted with it. Use another key.',
  busy: 'Too many computations are waiting. Try again later.',
  bodies_busy: 'Too many large requests are arriving at once. Try again later.',
  stream_ends: 'The service is stopping. What it received is stored; send it again.',
  service_ends: 'The service is stopping.',
  ended_before: 'The service is stopping before this is done. Repeat the request with the same Idempotency-Key.',

  no_prediction: 'There is no prediction “{0}”.',
  no_batch: 'There is no batch “{0}”.',
  no_dataset: 'There is no dataset “{0}”.',
  no_tag: 'There is no dataset with the tag “{0}”.',
  no_stored_series: 'There is no series “{0}”.',
  no_key: 'There is no key “{0}”.',
  no_fine_tuned_model: 'There is no fine-tuned model “{0}”.',
  no_model: 'There is no model “{0}”. Base models: {1}.',
  model_failed: 'The model “{0}” could not be trained.',
  model_in_training: 'The model “{0}” is still being trained.',
  model_of_other_version:
    'The model “{0}” was trained by another version, in a format that this version cannot use. Train it again.',
  no_forecast: 'This prediction has no forecast to decompose.',
  page_too_large:
    'The page would contain more than {0} points. Request this prediction alone, or set include_series=false.',
  damaged: 'Its stored data is damaged. Delete it, or repair the stored forecasts.',

  unobserved: 'The series has no observed value to forecast or decompose.',
  few_points: 'The model {0} needs at least {1} points, but the series has {2}.',
  short_backtest: 'The series is too short for a backtest.',
  constant_not_tuned: 'The series is constant, so the model was used without fine-tuning.',
  short_not_tuned: 'The series is too short for fine-tuning, so the model was used as it is.',
  bound_not_covariate: 'The bound “{0}” is not a numeric covariate of the points.',
  beyond_dates:
    'The timestamps are outside the range of dates that can be forecast: a forecast from them would end after the year 275760. Check the timestamps of the series.',
  too_many_samples:
    '{0} sample paths of {1} steps are too many: paths times steps may be at most {2}. Request fewer samples or steps.',
  no_epochs: 'The model “{0}” is not trained in epochs. Leave out fine_tuning_epochs, or choose hybrid.',
  sums_not_tuned: 'Forecasts that add up cannot be fine-tuned separately. Leave out fine_tuning_epochs.',
  sums_no_step: 'The longest series has no regular step, so the forecasts cannot add up.',
  sums_unobserved: 'One of the series has no observed value, so the forecasts cannot add up.',
  not_sum_of_parts:
    '“{0}” is not the sum of its parts: they differ at {1} of the last {2} steps. Forecast without sums, or fix the series.',
  sums_series_deleted:
    'Some of the series were deleted before the forecasts were made, so the forecasts cannot add up.',
  sums_no_series: 'The dataset has no series “{0}”.',
  sums_series_twice: 'The dataset has more than one series “{0}”.',
  sums_refused: '“{0}”: {1}',
  part_of_itself: 'A series is part of itself.',
  counts_twice: 'A series counts twice in a sum.',
  other_parts: 'Two sums of the same series have different parts.',
  model_deleted: 'The model “{0}” was deleted before the prediction was made. Forecast again with another model.',

  stopped: 'Stopped before the training began.',
  no_selection: 'No training series is selected. Specify series, series_ids, dataset_ids, or dataset_tags.',
  none_observed: 'None of the training series has an observed value.',
  selection_deleted: '{0} It was deleted before the training was done. Create the model again from stored series.',
  other_base_model: 'This model was fine-tuned from {0}, not from {1}.',
  nothing_to_go_on_from: '{0} is not trained in epochs, so its training cannot be continued.',
  short_context: 'A context of {0} points is too short to train the model; it needs {1}.',
  no_change: 'Before the last {0} steps, which are held out, no training series varies enough to train on.',
  few_observations:
    'No training series has enough observations to hold out the last {0} steps and train on the rest; at least {1} are needed before them.',
  rope_scaling:
    'use_rope_scaling has no effect: {0} reads its window without position encoding. Leave it out, or set it to false.',
  least_context: 'context_length must be at least {0} for {1}: it cannot be trained on fewer points.',
  unknown_field: 'The field {0} is unknown and has no effect.',
  epochs_unused: 'max_epochs has no effect: {0} is not trained in epochs.',
  samples_unused: 'num_samples has no effect: the quantiles of {0} are not sampled.',
  rope_scaling_unused: 'use_rope_scaling has no effect: {0} has no position encoding.',

  out_of_memory: 'The computation ran out of memory. Try a shorter series.',
  thread_ended: 'The computation ended before it was done.',
  given_up: 'The computation crashed the service {0} times and was given up.',
  too_slow: 'The job exceeded its time limit. Use fewer points, or a faster model.',
  nobody_waits: 'The service stopped before this was done, and no client waits for it any longer.',
  cancelled: 'Canceled before it was done.',
  deleted: 'Deleted.',
  defect: 'This is a bug in the local service. See its log for details.',

  no_sqlite:
    'This editor’s Node.js has no SQLite, which the local service needs. Update the editor, or use a remote service.',
  store_elsewhere:
    'Another window of this browser is using the stored forecasts of this folder. Close it, then try again.',
  folder_unusable: 'The forecasts cannot be stored in {0}: {1}. Choose another folder, or fix this one.',
  disk_full: 'the disk is full',
  disk_read_only: 'the disk is read-only',
  part_is_file: 'part of the path is a file',
  is_file: 'it is a file',
  is_folder: 'it is a folder',
  no_permission: 'you have no permission to write there',
  no_such_place: 'it does not exist',
  name_too_long: 'its name is too long',
  folder_unnamed: 'The folder of the stored forecasts has no name. Choose a folder.',
  other_database:
    '{0} is a database of another program. It was left as it is; choose another folder for the forecasts.',
  newer_store: 'The stored forecasts were made by a newer version of this extension. Update it to read them.',
  not_set_aside:
    'The database of the stored forecasts cannot be moved aside: {0}. Close other windows and programs that use it, and try again.',
  store_full:
    'The disk is full or not writable, so nothing can be stored. Free some space and try again; waiting jobs continue by themselves.',
  store_locked: 'Another window is writing to the stored forecasts. Try again in a moment.',
  no_memory: 'There is not enough memory for this now. Try again in a moment.',
  store_unreadable: 'The file of the stored forecasts, {0}, cannot be read: {1}.',
  store_not_writable:
    'The stored forecasts in {0} cannot be opened for writing. Check that it is a file, and that you have permission to write to it and to its folder.',
  store_damaged:
    'The file of the stored forecasts, {0}, is damaged or not a database. Repairing keeps it as a backup and copies everything readable into a new one.',
  database_away: 'The database cannot be reached. Try again in a moment.',
  database_busy: 'The database is busy with the same data. Try again in a moment.',
  service_closed: 'The local service has been closed.',
  service_stopped: 'The local service stopped. Try again; it restarts by itself.',

  model_hybrid:
    'A small neural network that weighs simple forecasts and gives their uncertainty; the most accurate choice for most series. Can be fine-tuned.',
  model_ensemble:
    'A trimmed mean of theta, exponential smoothing, and autoregressive methods; the most accurate without a neural network.',
  model_theta: 'The theta method on the logarithm of the seasonally adjusted series; robust and very fast.',
  model_ets: 'Exponential smoothing with level, trend, and season; the corrected AIC chooses the form.',
  model_seasonal_naive: 'Repeats the last season, or the last value where there is none; the baseline for the others.',

  other: '{0}',
} as const satisfies Readonly<Record<string, string>>;

export type FailureCode = keyof typeof SENTENCES;
type Param = string | number | Failure;

export interface Failure {
  readonly code: string;
  readonly params: readonly Param[];
  readonly detail: string;
}

export const failure = (code: FailureCode, ...params: readonly Param[]): Failure => ({
  code,
  params,
  detail: SENTENCES[code].replace(/\{(\d)\}/g, (_, at: string) => {
    const param = params[Number(at)];
    return typeof param === 'object' ? param.detail : String(param);
  }),
});

export interface Fault extends Failure {
  readonly loc: readonly (string | number)[];
}

/** The body of a refusal: `application/problem+json` of RFC 9457, with the faults of fields. */
export interface Problem extends Failure {
  readonly status: number;
  readonly errors?: readonly Fault[] | undefined;
}

export const isKnown = (code: unknown): code is FailureCode =>
  typeof code === 'string' && Object.hasOwn(SENTENCES, code);

/** As `z.safeParse`, whose small form has no sentences: here each issue has one as its `message`, and what was given. */
export const readAs = <T extends z.core.$ZodType>(
  schema: T,
  given: unknown,
): z.core.util.SafeParseResult<z.core.output<T>> =>
  z.safeParse(schema, given, { error: (issue) => failureOf(issue).detail, reportInput: true });

export function failureOf(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): Failure {
  switch (issue.code) {
    case 'invalid_type':
      return failure(issue.input === undefined ? 'required' : (KINDS[issue.expected] ?? 'wrong_kind'));
    case 'invalid_value':
      return failure('not_one_of', issue.values.map((value) => JSON.stringify(value)).join(', '));
    case 'too_small':
      return outOfBounds(TOO_SMALL, issue, issue.minimum);
    case 'too_big':
      return outOfBounds(TOO_BIG, issue, issue.maximum);
    case 'invalid_format':
      return failure('pattern', issue.pattern ?? issue.format);
    case 'unrecognized_keys':
      return failure('unknown_fields', namesOf(issue.keys));
    case 'invalid_key':
      return issue.issues[0] ? failureOf(issue.issues[0]) : failure('invalid');
    case 'invalid_union': {
      const inner = issue.errors.flat().find(({ code }) => code !== 'invalid_type');
      return inner ? failureOf(inner) : failure('wrong_kind');
    }
    case 'custom': {
      const { code, params = [] } = (issue.params ?? {}) as { code?: unknown; params?: readonly Param[] };
      return isKnown(code) ? failure(code, ...params) : failure('invalid');
    }
    case 'invalid_element':
    case 'not_multiple_of':
      return failure('invalid');
  }
}

const KINDS: Readonly<Record<string, FailureCode>> = {
  number: 'not_number',
  int: 'not_integer',
  string: 'not_string',
  boolean: 'not_boolean',
  array: 'not_list',
  object: 'not_object',
  record: 'not_object',
};

type Bounds = Readonly<Record<string, FailureCode>>;
const TOO_SMALL: Bounds = { string: 'too_few', array: 'too_few', true: 'less_than', false: 'not_more_than' };
const TOO_BIG: Bounds = { string: 'too_long', array: 'too_many', true: 'more_than', false: 'not_less_than' };

function outOfBounds(
  bounds: Bounds,
  { origin, inclusive }: { readonly origin: string; readonly inclusive?: boolean },
  bound: number | bigint,
): Failure {
  const code = bounds[origin] ?? bounds[String(inclusive)];
  return code === 'too_few' && bound === 1 ? failure('empty') : failure(code, Number(bound));
}

export const holds = <T>(condition: (value: T) => boolean, code: FailureCode, ...params: Param[]) =>
  z.refine<T>(condition, { params: { code, params } });

function namesOf(keys: readonly string[]): string {
  const names = keys
    .slice(0, 5)
    .map((key) => (key.length > 40 ? `${[...key.slice(0, 80)].slice(0, 39).join('')}…` : key));
  return [...names, ...(keys.length > names.length ? ['…'] : [])].join(', ');
}
