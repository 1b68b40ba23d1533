import * as l10n from '@vscode/l10n';
import { redact } from './redact.ts';
import { inOwnWords } from './service-words.ts';

export type ServiceErrorKind =
  /** The token is missing, wrong or no longer valid. */
  | 'unauthorized'
  | 'forbidden'
  /** Something that the request names is not there (any more). */
  | 'not-found'
  /** The address has no such operation. */
  | 'not-offered'
  /** The service refused what was asked. */
  | 'refused'
  | 'busy'
  /** The service failed by itself. */
  | 'failed'
  | 'unreachable'
  /** No secure connection could be made. */
  | 'untrusted'
  | 'timeout'
  /** What answers at the address does not speak the interface. */
  | 'not-a-service'
  | 'too-large'
  | 'redirected'
  /** The local service cannot be opened. */
  | 'unavailable'
  /** What the local service has stored is damaged. */
  | 'damaged';

/** One thing that a service finds wrong with a request. */
export interface Fault {
  /** Where: the fields on the way to it, without `body` and `query`. */
  readonly place: readonly string[];
}

interface ServiceErrorInit {
  readonly status?: number | undefined;
  readonly cause?: unknown;
  /** Whether the request may have been carried out all the same. */
  readonly outcomeUnknown?: boolean;
  readonly faults?: readonly Fault[];
  /** What the service itself said. */
  readonly reason?: string | undefined;
  /** In how many entries of its list what was lost was not found. */
  readonly looked?: number | undefined;
  /** Of the series that was refused. */
  readonly sent?: SentShape | undefined;
}

/** Of a series that was sent: how many points it has, and how many values or steps are missing between them. */
export interface SentShape {
  readonly points: number;
  readonly gaps: number;
}

/** Every failure of a call to a service. `message` is a sentence for people and holds no secret. */
export class ServiceError extends Error {
  readonly kind: ServiceErrorKind;
  readonly status: number | undefined;
  readonly outcomeUnknown: boolean;
  readonly faults: readonly Fault[];
  readonly reason: string | undefined;
  readonly looked: number | undefined;
  readonly sent: SentShape | undefined;

  constructor(kind: ServiceErrorKind, message: string, init: ServiceErrorInit = {}) {
    const { status, cause, outcomeUnknown = false, faults = [], reason, looked, sent } = init;
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ServiceError';
    this.kind = kind;
    this.status = status;
    this.outcomeUnknown = outcomeUnknown;
    this.faults = faults;
    this.reason = reason;
    this.looked = looked;
    this.sent = sent;
  }

  /** The same with more that is known of it. */
  with(more: ServiceErrorInit): ServiceError {
    const { status, cause, outcomeUnknown, faults, reason, looked, sent } = this;
    return new ServiceError(this.kind, this.message, {
      status,
      cause,
      outcomeUnknown,
      faults,
      reason,
      looked,
      sent,
      ...more,
    });
  }

  /** Whether the service finds fault with this field of the request. */
  isAbout(field: string): boolean {
    return this.faults.some(({ place }) => place.includes(field));
  }
}

/** Whether a failure may be over at the next try, without anybody doing anything about it. */
export const isPassing = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && ['unreachable', 'busy', 'failed', 'timeout'].includes(error.kind);

/** Whether a single resource is not at the service (any more), however plainly it says so. */
export const isGone = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && (error.kind === 'not-found' || error.kind === 'not-offered');

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What an error body says, in any of the usual shapes: FastAPI, problem+json, lists of faults by their fields (ASP.NET, Django,
 * Laravel), `{error: {message}}`, `{message}`, text.
 */
export function reasonOf(body: unknown, token?: string): string | undefined {
  if (typeof body === 'string') return clean(inOwnWords(body), token);
  if (Array.isArray(body)) {
    const parts = [...new Set(body.map((fault) => faultOf(fault, token)).filter((part) => part !== undefined))];
    const more = parts.length > MOST_FAULTS ? l10n.t('; and {0} more', parts.length - MOST_FAULTS) : '';
    return parts.length > 0 ? clean(`${parts.slice(0, MOST_FAULTS).join('; ')}${more}`, token) : undefined;
  }
  if (!isObject(body)) return undefined;
  const faults = faultsByField(body).flatMap(({ place, messages }) =>
    messages.map((message) => ({ loc: place, msg: message })),
  );
  if (faults.length > 0) return reasonOf(faults, token);
  for (const key of REASONS) {
    const reason = reasonOf(body[key], token);
    if (reason) return reason;
  }
  return undefined;
}

/** Where a reason stands; `error` is no more than the name of the status where there is a message beside it. */
const REASONS = ['detail', 'message', 'error_description', 'error', 'errors', 'reason', 'title'];

/** A series of thousands may have a fault at each point. */
const MOST_FAULTS = 3;

/** The faults of a body that has lists of them by their fields, as they are or as its `errors`. */
function faultsByField(body: Json): (Fault & { readonly messages: readonly string[] })[] {
  const fields = Object.entries(isObject(body.errors) ? body.errors : body);
  const isText = (value: unknown) => typeof value === 'string';
  if (!isObject(body.errors) && REASONS.some((key) => key in body)) return [];
  if (!fields.every(([, list]) => Array.isArray(list) && list.length > 0 && list.every(isText))) return [];
  return fields.map(([field, messages]) => ({ place: partsOf(field), messages: messages as string[] }));
}

/** The fields on the way to a fault, as `series.3.value`, `$.series[3].value`, `#/series/3/value`. */
const partsOf = (path: string): string[] =>
  path.split(/[.[\]/]+/).filter((part) => !['', '$', '#', 'non_field_errors', '__all__'].includes(part));

/** The faults that FastAPI's `detail` lists, or those by their fields. */
function faultsOf(body: unknown): Fault[] {
  if (!isObject(body)) return [];
  const byField = faultsByField(body);
  if (byField.length > 0) return byField.map(({ place }) => ({ place }));
  const detail = Array.isArray(body.detail) ? body.detail : body.errors;
  if (!Array.isArray(detail)) return [];
  return detail.flatMap((fault: unknown) => (isObject(fault) ? [{ place: placeOf(fault) }] : []));
}

/** One entry of such a list, with the place of the fault. */
function faultOf(fault: unknown, token?: string): string | undefined {
  if (!isObject(fault)) return reasonOf(fault, token);
  const message = reasonOf(fault.msg, token) ?? reasonOf(fault, token);
  const place = placeOf(fault).join('.');
  return message && place ? `${place}: ${message}` : message;
}

function placeOf({ loc, pointer, field }: Json): string[] {
  if (Array.isArray(loc)) return loc.filter((part) => part !== 'body' && part !== 'query').map(String);
  const path = pointer ?? field;
  return typeof path === 'string' ? partsOf(path) : [];
}

/** One line of a text, without the token; that goes before anything is cut, so that no beginning of it is left. */
function clean(text: string, token?: string): string | undefined {
  const line = redact(text.slice(0, 10_000), token).replace(/\s+/g, ' ').trim();
  return line === '' ? undefined : line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

/** The error that an answer outside 2xx stands for. @param host the service's name for the sentence */
export function errorOfAnswer(
  status: number,
  body: unknown,
  host: string,
  token?: string,
  isPage = false,
): ServiceError {
  const reason = isPage ? undefined : reasonOf(body, token);
  const says = reason ? l10n.t(' It says: “{0}”{1}', reason, /[.!?…]$/.test(reason) ? '' : '.') : '';
  const error = (kind: ServiceErrorKind, message: string, outcomeUnknown = false) =>
    new ServiceError(kind, message, { status, outcomeUnknown, faults: isPage ? [] : faultsOf(body), reason });
  if (status === 401)
    return error(
      'unauthorized',
      l10n.t('{0} does not accept the token.{1} Set a valid token and try again.', host, says),
    );
  if (status === 403) return error('forbidden', l10n.t('The token is not allowed to do this at {0}.{1}', host, says));
  if (status === 404 || status === 405 || status === 410) {
    const answers = isPage ? l10n.t(' It answers with a web page.') : '';
    if (isPage || status === 405 || !reason || GENERIC.test(reason))
      return error(
        'not-offered',
        l10n.t('{0} does not have what was asked for.{1} Check the base URL.', host, answers),
      );
    return error('not-found', l10n.t('{0} does not have what was asked for.{1}', host, says));
  }
  if (status === 408 || status === 429 || status === 503) {
    return error('busy', l10n.t('{0} is busy.{1} Try again in a while.', host, says));
  }
  if (status === 413)
    return error('refused', l10n.t('{0} finds the request too large.{1} Send a shorter series.', host, says));
  if (status === 504)
    return error('timeout', l10n.t('What stands before {0} waited no longer for it (504).{1}', host, says), true);
  if (status === 502)
    return error('timeout', l10n.t('What stands before {0} had no answer from it (502).{1}', host, says), true);
  if (status >= 500) return error('failed', l10n.t('{0} failed ({1}).{2} Try again later.', host, status, says), true);
  return error('refused', l10n.t('{0} refused the request.{1}', host, says || l10n.t(' It answered {0}.', status)));
}

/** What a framework says of a path that it does not know: the words of the status itself, and no more. */
const GENERIC =
  /^((404:? )?(not found|method not allowed|gone)\.?$|cannot (get|post|delete) \/|no static resource |route (get|post|delete):)/i;
