import * as l10n from '@vscode/l10n';
import { inWords } from './in-words.ts';

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

/** Of a series that was sent: how many points it has, and how many values or steps are missing between them. */
export interface SentShape {
  readonly points: number;
  readonly gaps: number;
}

/** What is known of a failure beside its kind and its sentence. */
interface Facts {
  readonly status?: number | undefined;
  /** Whether the request may have been carried out all the same. */
  readonly outcomeUnknown?: boolean;
  readonly faults?: readonly Fault[];
  /** What the service itself said. */
  readonly reason?: string | undefined;
  /** In how many entries of its list what was lost was not found. */
  readonly looked?: number | undefined;
  /** Of the series that was refused. */
  readonly sent?: SentShape | undefined;
  /** Milliseconds after which the service wants to be asked again. */
  readonly after?: number | undefined;
  /** Whether it failed before anything was sent. */
  readonly isUnsent?: boolean | undefined;
}

/** Every failure of a call to a service. `message` is a sentence for people and holds no secret. */
export class ServiceError extends Error implements Facts {
  readonly kind: ServiceErrorKind;
  readonly outcomeUnknown: boolean;
  readonly faults: readonly Fault[];
  declare readonly status: number | undefined;
  declare readonly reason: string | undefined;
  declare readonly looked: number | undefined;
  declare readonly sent: SentShape | undefined;
  declare readonly after: number | undefined;
  declare readonly isUnsent: boolean | undefined;

  constructor(kind: ServiceErrorKind, message: string, { cause, ...facts }: Facts & { readonly cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ServiceError';
    this.kind = kind;
    this.outcomeUnknown = false;
    this.faults = [];
    Object.assign(this, facts);
  }

  /** The same with more that is known of it. */
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

type Json = Readonly<Record<string, unknown>>;
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A fault of an error body, with what is said of it. */
interface Finding extends Fault {
  readonly text: string;
}

/** Where a reason stands; `error` is no more than the name of the status where there is a message beside it. */
const REASONS = ['msg', 'detail', 'message', 'error_description', 'error', 'errors', 'reason', 'title'];
/** A series of thousands may have a fault at each point. */
const MOST_FAULTS = 3;

/**
 * What an error body says is wrong, in any of the usual shapes: FastAPI, problem+json, lists of faults by their fields
 * (ASP.NET, Django, Laravel), `{error: {message}}`, `{message}`, text. Faults with their places tell more than a summary.
 */
function findingsIn(body: unknown): Finding[] {
  if (typeof body === 'string') return body.trim() === '' ? [] : [{ place: [], text: body }];
  if (Array.isArray(body)) return body.flatMap(findingsIn);
  if (!isObject(body)) return [];
  const own = inWords(body);
  if (own !== undefined)
    return Array.isArray(body.errors) ? findingsIn(body.errors) : [{ place: placeOf(body), text: own }];
  const byField = isObject(body.errors) ? body.errors : REASONS.some((key) => key in body) ? {} : body;
  if (Object.values(byField).every((list) => Array.isArray(list) && list.every((one) => typeof one === 'string'))) {
    const found = Object.entries(byField).flatMap(([field, texts]) =>
      (texts as string[]).map((text) => ({ place: partsOf(field), text })),
    );
    if (found.length > 0) return found;
  }
  const said = REASONS.map((key) => findingsIn(body[key])).filter((found) => found.length > 0);
  const best = said.find((found) => found.some(({ place }) => place.length > 0)) ?? said[0] ?? [];
  return best.map(({ place, text }) => ({ place: [...placeOf(body), ...place], text }));
}

/** The fields on the way to a fault, as `series.3.value`, `$.series[3].value`, `#/series/3/value`. */
const partsOf = (path: string): string[] =>
  path.split(/[.[\]/]+/).filter((part) => !['', '$', '#', 'non_field_errors', '__all__'].includes(part));

function placeOf({ loc, pointer, field }: Json): string[] {
  if (Array.isArray(loc)) return loc.filter((part) => part !== 'body' && part !== 'query').map(String);
  const path = pointer ?? field;
  return typeof path === 'string' ? partsOf(path) : [];
}

/** The sentence of an error body, without the token. */
export const reasonOf = (body: unknown, token?: string): string | undefined => reasonIn(findingsIn(body), token);

function reasonIn(findings: readonly Finding[], token?: string): string | undefined {
  const texts = findings.flatMap(({ place, text }) => {
    const line = clean(text, token);
    return line === undefined ? [] : [place.length > 0 ? `${place.join('.')}: ${line}` : line];
  });
  const parts = [...new Set(texts)];
  const more = parts.length > MOST_FAULTS ? l10n.t('; and {0} more', parts.length - MOST_FAULTS) : '';
  return clean(parts.slice(0, MOST_FAULTS).join('; ') + more, token);
}

/** One line of a text, without the token; that goes before anything is cut, so that no beginning of it is left. */
function clean(text: string, token?: string): string | undefined {
  const line = redact(text.slice(0, 10_000), token).replace(/\s+/g, ' ').trim();
  return line === '' ? undefined : line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

/** What an answer outside 2xx is, and how it was asked for. */
interface Refusal {
  readonly status: number;
  readonly body: unknown;
  /** What errors call the service. */
  readonly name: string;
  /** No error may show it. */
  readonly token?: string | undefined;
  /** Whether it is a web page, which says nothing. */
  readonly isPage?: boolean;
  /** As {@link ServiceError.after}. */
  readonly after?: number | undefined;
}

const quoted = (reason: string | undefined): string =>
  reason ? l10n.t(' It says: “{0}”{1}', reason, /[.!?…]$/.test(reason) ? '' : '.') : '';

/** The error that an answer outside 2xx stands for. */
export function errorOfAnswer({ status, body, name, token, isPage = false, after }: Refusal): ServiceError {
  const findings = isPage ? [] : findingsIn(body);
  const reason = reasonIn(findings, token);
  const says = quoted(reason);
  const faults = findings.filter(({ place }) => place.length > 0).map(({ place }) => ({ place }));
  const error = (kind: ServiceErrorKind, message: string, outcomeUnknown = false) =>
    new ServiceError(kind, message, { status, outcomeUnknown, faults, reason, after });
  switch (status) {
    case 401:
      return error(
        'unauthorized',
        l10n.t('{0} does not accept the token.{1} Set a valid token and try again.', name, says),
      );
    case 403:
      return error('forbidden', l10n.t('The token is not allowed to do this at {0}.{1}', name, says));
    case 404:
    case 405:
    case 410: {
      const isThere = !isPage && status !== 405 && reason !== undefined && !GENERIC.test(reason);
      if (isThere) return error('not-found', l10n.t('{0} does not have what was asked for.{1}', name, says));
      const answers = isPage ? l10n.t(' It answers with a web page.') : '';
      return error(
        'not-offered',
        l10n.t('{0} does not have what was asked for.{1} Check the base URL.', name, answers),
      );
    }
    case 413:
      return error('refused', l10n.t('{0} finds the request too large.{1} Send a shorter series.', name, says));
    case 502:
      return error('timeout', l10n.t('What stands before {0} had no answer from it (502).{1}', name, says), true);
    case 504:
      return error('timeout', l10n.t('What stands before {0} waited no longer for it (504).{1}', name, says), true);
  }
  if ([408, 429, 503].includes(status))
    return error('busy', l10n.t('{0} is busy.{1} Try again in a while.', name, says));
  if (status >= 500) return error('failed', l10n.t('{0} failed ({1}).{2} Try again later.', name, status, says), true);
  return error('refused', l10n.t('{0} refused the request.{1}', name, says || l10n.t(' It answered {0}.', status)));
}

/** What a framework says of a path that it does not know: the words of the status itself, and no more. */
const GENERIC =
  /^((404:? )?(not found|method not allowed|gone)\.?$|cannot (get|post|delete) \/|no static resource |route (get|post|delete):)/i;

/** An error and its causes. */
export function chain(error: unknown): Error[] {
  const errors: Error[] = [];
  for (let at = error; at instanceof Error && errors.length < 8; at = at.cause) {
    errors.push(at);
    if (at instanceof AggregateError) errors.push(...at.errors.flatMap(chain));
  }
  return errors;
}

const codeOf = (error: Error): string | undefined =>
  'code' in error && typeof error.code === 'string' ? error.code : undefined;
const codesOf = (error: unknown): string[] => chain(error).flatMap((one) => codeOf(one) ?? []);

/** The codes (or names) along an error’s causes: ofetch's own errors carry the request's headers, and so the token. */
export const causes = (error: unknown): string =>
  chain(error)
    .map((one) => codeOf(one) ?? one.name)
    .join(' ');

/** Failures of the connection before anything was sent. */
const NOT_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/**
 * Whether a failure came before anything was sent: no connection, or an address that `fetch` itself does not go to (such as
 * port 9), which is the one kind of failure of the network that no code stands behind.
 */
export function isNotSent(error: unknown): boolean {
  const codes = codesOf(error);
  return codes.length === 0 ? chain(error).at(-1)?.name === 'Error' : codes.some((code) => NOT_SENT.test(code));
}

/** What a certificate is refused for, by the code that Node has for it (`node:tls`, OpenSSL’s `X509_V_ERR_…`). */
const TLS_FAULTS = {
  host: /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
  time: /^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/,
  issuer: /SELF_SIGNED_CERT|ISSUER_CERT|LEAF_SIGNATURE|^CERT_UNTRUSTED$/,
  other: /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|EPROTO$)/,
};

/** Why no secure connection was made, before anything was sent; `undefined` for any other failure. */
export function untrusted(error: unknown, { host, hostname }: URL): ServiceError | undefined {
  const code = codesOf(error).find((one) => Object.values(TLS_FAULTS).some((pattern) => pattern.test(one)));
  if (code === undefined) return undefined;
  const sentence = TLS_FAULTS.host.test(code)
    ? l10n.t(
        'The certificate of {0} is not for {1} ({2}), so nothing was sent. Check the base URL.',
        host,
        hostname,
        code,
      )
    : TLS_FAULTS.time.test(code)
      ? l10n.t(
          'The certificate of {0} is not valid today ({1}), so nothing was sent. Its operator must renew it, or the clock of this machine is wrong.',
          host,
          code,
        )
      : TLS_FAULTS.issuer.test(code)
        ? l10n.t(
            'This machine does not trust the certificate of {0} ({1}), so nothing was sent. If a certificate authority of your organization signed it, name its file in the setting forecasts.caFiles.',
            host,
            code,
          )
        : l10n.t(
            'A secure connection to {0} cannot be made ({1}), so nothing was sent. Check the base URL.',
            host,
            code,
          );
  return new ServiceError('untrusted', sentence, { cause: causes(error) });
}

/** A part of a token as long as this gives it away. */
const PART = 8;

/** A text in which no part of the token stands, also where the service itself has cut or encoded it. */
export function redact(text: string, token: string | undefined): string {
  // a token of a few letters would stand in many a word
  if (!token || token.length < 4) return text;
  const part = Math.min(PART, token.length);
  const parts = new Set(
    formsOf(token).flatMap((form) =>
      Array.from({ length: Math.max(0, form.length - part + 1) }, (_, at) => form.slice(at, at + part)),
    ),
  );
  let [left, from, at] = ['', 0, 0];
  while (at + part <= text.length) {
    if (parts.has(text.slice(at, at + part))) {
      let end = at + part;
      while (end < text.length && parts.has(text.slice(end - part + 1, end + 1))) end++;
      left += `${text.slice(from, at)}…`;
      from = at = end;
    } else at++;
  }
  return left + text.slice(from);
}

/** What a service may make of a token before it says it: encoded in the usual ways, and each backwards. */
function formsOf(token: string): string[] {
  const backwards = (text: string) => [...text].reverse().join('');
  const hex = Array.from(new TextEncoder().encode(token), (byte) => byte.toString(16).padStart(2, '0'));
  const percent = hex.map((code) => `%${code}`).join('');
  // what stands before it moves its letters by a part of a byte
  const encoded = [token, backwards(token)].flatMap((text) =>
    ['', '0', '00'].map((before) =>
      base64(before + text)
        .slice(before === '' ? 0 : 4)
        .replaceAll('=', ''),
    ),
  );
  const forms = [
    token,
    encodeURIComponent(token.toWellFormed()),
    percent,
    percent.toUpperCase(),
    hex.join(''),
    hex.join('').toUpperCase(),
    ...encoded,
  ];
  return [...forms, ...encoded.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')), ...forms.map(backwards)];
}

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
