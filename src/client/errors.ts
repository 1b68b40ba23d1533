import * as l10n from '@vscode/l10n';
import { isObject, type Json } from '../contract/json.ts';
import { inWords } from './in-words.ts';
import { redact } from './redact.ts';
import { WORDS } from './wording.ts';

export type ServiceErrorKind =
  | 'unauthorized'
  | 'forbidden'
  /** Something that the request names is not there (any more). */
  | 'not-found'
  /** The address has no such operation. */
  | 'not-offered'
  | 'refused'
  | 'busy'
  /** The service failed by itself. */
  | 'failed'
  | 'unreachable'
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

export interface Fault {
  /** Where: the fields on the way to it, without `body` and `query`. */
  readonly place: readonly string[];
}

/** Of a series that was sent: how many points it has, and how many values or steps are missing between them. */
export interface SentShape {
  readonly points: number;
  readonly gaps: number;
}

type Facts = Partial<
  Pick<ServiceError, 'status' | 'outcomeUnknown' | 'faults' | 'reason' | 'looked' | 'sent' | 'after' | 'isUnsent'>
>;

/** Every failure of a call to a service. `message` is a sentence for people and holds no secret. */
export class ServiceError extends Error {
  readonly kind: ServiceErrorKind;
  /** Whether the request may have been carried out all the same. */
  readonly outcomeUnknown: boolean = false;
  readonly faults: readonly Fault[] = [];
  declare readonly status: number | undefined;
  /** What the service itself said. */
  declare readonly reason: string | undefined;
  /** In how many entries of its list what was lost was not found. */
  declare readonly looked: number | undefined;
  /** Of the series that was refused. */
  declare readonly sent: SentShape | undefined;
  /** Milliseconds after which the service wants to be asked again. */
  declare readonly after: number | undefined;
  /** Whether it failed before anything was sent. */
  declare readonly isUnsent: boolean | undefined;

  constructor(kind: ServiceErrorKind, message: string, { cause, ...facts }: Facts & { readonly cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ServiceError';
    this.kind = kind;
    Object.assign(this, facts);
  }

  with(more: Facts): ServiceError {
    const { kind, message, cause } = this;
    return Object.assign(new ServiceError(kind, message, { cause }), this, more);
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

/** A fault of an error body, with what is said of it. */
interface Finding extends Fault {
  readonly text: string;
}

/** Where a reason stands; `error` is no more than the name of the status where there is a message beside it. */
const REASONS = ['msg', 'detail', 'message', 'error_description', 'error', 'errors', 'reason', 'description', 'title'];
/** A series of thousands may have a fault at each point. */
const MOST_FAULTS = 3;
const LONGEST = 300;

/**
 * What an error body says is wrong, in any of the usual shapes: faults with their places, wherever they stand in it, tell
 * more than a summary. Some list them by their fields (ASP.NET, Django, Laravel).
 */
function findingsIn(body: unknown): Finding[] {
  if (typeof body === 'string') return body.trim() === '' ? [] : [{ place: [], text: body }];
  if (Array.isArray(body)) return body.flatMap(findingsIn);
  if (!isObject(body)) return [];
  const place = placeOf(body);
  const own = inWords(body);
  if (own !== undefined) return Array.isArray(body.errors) ? findingsIn(body.errors) : [{ place, text: own }];
  const fields = Object.entries(body);
  const areTexts = (all: unknown): all is string[] => Array.isArray(all) && all.every((one) => typeof one === 'string');
  if (!REASONS.some((key) => key in body) && fields.every(([, texts]) => areTexts(texts)))
    return fields.flatMap(([field, texts]) => (texts as string[]).map((text) => ({ place: partsOf(field), text })));
  const found = new Map(fields.map(([key, value]) => [key, findingsIn(value)]));
  const placed = [...found.values()].flat().filter((one) => one.place.length > 0);
  const said = REASONS.map((key) => found.get(key) ?? []).find((findings) => findings.length > 0) ?? [];
  const best = place.length === 0 && placed.length > 0 ? placed : said;
  return best.map((one) => ({ place: [...place, ...one.place], text: one.text }));
}

/** The fields on the way to a fault, as `series.3.value`, `$.series[3].value`, `#/series/3/value`. */
const partsOf = (path: string): string[] =>
  path.split(/[.[\]/]+/).filter((part) => !['', '$', '#', 'non_field_errors', '__all__'].includes(part));

function placeOf({ loc, path, pointer, field, param, name, reason, source }: Json): string[] {
  const list = [loc, path].find((one) => Array.isArray(one)) as unknown[] | undefined;
  if (list) return list.filter((part) => part !== 'body' && part !== 'query').map(String);
  const ways = [pointer, field, param, reason === undefined ? undefined : name, isObject(source) && source.pointer];
  return partsOf(ways.find((one) => typeof one === 'string') ?? '');
}

function reasonIn(findings: readonly Finding[], token?: string): string | undefined {
  const lines = findings.map(({ place, text }) => {
    const line = text.slice(0, 10_000).replace(/\s+/g, ' ').trim();
    return line !== '' && place.length > 0 ? `${place.join('.')}: ${line}` : line;
  });
  const parts = [...new Set(lines)].filter((line) => line !== '');
  const more = parts.length > MOST_FAULTS ? l10n.t('; and {0} more', parts.length - MOST_FAULTS) : '';
  // before anything is cut, so that no beginning of the token is left
  const reason = redact(parts.slice(0, MOST_FAULTS).join('; ') + more, token);
  return reason === '' ? undefined : reason.length > LONGEST ? `${reason.slice(0, LONGEST - 1)}…` : reason;
}

interface Refusal {
  readonly status: number;
  readonly body: unknown;
  /** What errors call the service. */
  readonly name: string;
  /** No error may show it. */
  readonly token?: string | undefined;
  /** Whether it is a web page, which says nothing. */
  readonly isPage?: boolean;
  readonly after?: number | undefined;
}

type Sentence = (name: string, says: string, status: number) => string;
const busy: Sentence = (...of) => l10n.t('{0} is busy.{1} Try again later.', ...of);

/** What each status says; of 404 and its like, and of any other, see below. */
const BY_STATUS: Readonly<Record<number, readonly [ServiceErrorKind, Sentence]>> = {
  401: ['unauthorized', (...of) => l10n.t('{0} does not accept the token.{1} Set a valid token and try again.', ...of)],
  403: ['forbidden', (...of) => l10n.t('The token is not allowed to do this at {0}.{1}', ...of)],
  408: ['busy', busy],
  413: ['refused', (...of) => l10n.t('The request is too large for {0}.{1} Send a shorter series.', ...of)],
  429: ['busy', busy],
  502: ['timeout', (...of) => l10n.t('The proxy in front of {0} got no answer from it (502).{1}', ...of)],
  503: ['busy', busy],
  504: ['timeout', (...of) => l10n.t('The proxy in front of {0} timed out (504).{1}', ...of)],
};

export function errorOfAnswer({ status, body, name, token, isPage = false, after }: Refusal): ServiceError {
  const findings = isPage ? [] : findingsIn(body);
  const reason = reasonIn(findings, token);
  const says = reason ? l10n.t(' It says: “{0}”{1}', reason, /[.!?…]$/.test(reason) ? '' : '.') : '';
  const faults = findings.filter(({ place }) => place.length > 0).map(({ place }) => ({ place }));
  const outcomeUnknown = status >= 500 && status !== 503;
  const error = (kind: ServiceErrorKind, message: string) =>
    new ServiceError(kind, message, { status, outcomeUnknown, faults, reason, after });
  const known = BY_STATUS[status] as (typeof BY_STATUS)[number] | undefined;
  if (known) return error(known[0], known[1](name, says, status));
  if ([404, 405, 410].includes(status)) {
    const isThere = !isPage && status !== 405 && reason !== undefined && !WORDS.unknownPath.test(reason);
    if (isThere) return error('not-found', l10n.t('{0} does not have what was requested.{1}', name, says));
    const answers = isPage ? l10n.t(' It returned a web page.') : '';
    return error('not-offered', l10n.t('{0} does not have what was requested.{1} Check the base URL.', name, answers));
  }
  if (status >= 500) return error('failed', l10n.t('{0} failed ({1}).{2} Try again later.', name, status, says));
  return error('refused', l10n.t('{0} refused the request.{1}', name, says || l10n.t(' The answer was {0}.', status)));
}
