import * as l10n from '@vscode/l10n';
import { type Failure, isKnown, SENTENCES } from '../contract/failures.ts';
import { isObject, type Json } from '../contract/json.ts';
import { printable } from '../contract/texts.ts';
import type { shapeOf } from './fit.ts';
import { redact } from './redact.ts';

/**
 * `not-found`: what is named does not exist (any more); `not-offered`: the address has no such operation; `failed`: a fault of the
 * service; `not-a-service`: speaks another interface; `unavailable`: the local one cannot be opened; `damaged`: nor its store read.
 */
export type ServiceErrorKind =
  | ('unauthorized' | 'forbidden' | 'not-found' | 'not-offered' | 'refused' | 'busy' | 'failed' | 'unreachable')
  | ('untrusted' | 'timeout' | 'not-a-service' | 'too-large' | 'redirected' | 'unavailable' | 'damaged');

type Facts = Partial<Omit<ServiceError, 'kind' | 'with' | 'isAbout'>>;

/** Every failure of a call to a service. `message` is a sentence for people and contains no secret. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly kind: ServiceErrorKind;
  readonly outcomeUnknown: boolean = false;
  readonly faults: readonly { readonly place: readonly string[] }[] = [];
  declare readonly status: number | undefined;
  declare readonly reason: string | undefined;
  declare readonly looked: number | undefined;
  declare readonly sent: ReturnType<typeof shapeOf> | undefined;
  declare readonly after: number | undefined; // milliseconds until the service wants to be asked again
  declare readonly isUnsent: boolean | undefined;

  constructor(kind: ServiceErrorKind, message: string, { cause, ...facts }: Facts = {}) {
    super(message, { cause });
    this.kind = kind;
    Object.assign(this, facts);
  }

  with(more: Facts, message = this.message): ServiceError {
    return Object.assign(new ServiceError(this.kind, message, { cause: this.cause }), this, more);
  }

  isAbout(field: string): boolean {
    return this.faults.some(({ place }) => place.includes(field));
  }
}

const mayBeDone = (): string => l10n.t(' The request may have succeeded; refresh before you try again.');

export const asDone = (error: unknown): unknown =>
  error instanceof ServiceError ? error.with({ outcomeUnknown: true }, error.message + mayBeDone()) : error;

export const isPassing = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && ['unreachable', 'busy', 'failed', 'timeout'].includes(error.kind);

export const isRefusal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.kind !== 'unavailable' && !isPassing(error);

export const isGone = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && (error.kind === 'not-found' || error.kind === 'not-offered');

export const unless =
  (isExpected: (error: unknown) => boolean) =>
  (error: unknown): undefined => {
    if (!isExpected(error)) throw error;
  };

const plain = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** The sentence of a failure of this project, in the language of the person; `undefined` without a known code. */
export function sentenceOf(failure: unknown): string | undefined {
  if (!isObject(failure) || !isKnown(failure.code) || !Array.isArray(failure.params)) return undefined;
  return l10n.t(SENTENCES[failure.code], ...failure.params.map((param: unknown) => sentenceOf(param) ?? plain(param)));
}

export const messageOf = (failure: Failure): string => sentenceOf(failure) ?? failure.detail;

const SPOKEN = ['error', 'series_left_out', 'description', 'warnings', 'details'];

/** A resource of a service with its failures as sentences in the language of the person, and `error_code` of its `error`. */
export function localized(resource: unknown): unknown {
  if (Array.isArray(resource)) return resource.map((one: unknown) => sentenceOf(one) ?? one);
  if (!isObject(resource)) return resource;
  const { error } = resource;
  const code = isObject(error) && isKnown(error.code) ? { error_code: error.code } : {};
  const spoken = SPOKEN.filter((key) => key in resource).map((key) => {
    return [key, sentenceOf(resource[key]) ?? localized(resource[key])] as const;
  });
  return { ...resource, ...Object.fromEntries(spoken), ...code };
}

type Finding = ServiceError['faults'][number] & { readonly text: string };

/** Where a reason stands; `error` is no more than the name of the status where there is a message beside it. */
const REASONS = ['msg', 'detail', 'message', 'error_description', 'error', 'errors', 'reason', 'description', 'title'];
const MOST_FAULTS = 3;
const LONGEST = 300;

/** The faults in an error body of any usual shape; those with places, wherever they stand, tell more than a summary. */
function findingsIn(body: unknown): Finding[] {
  if (typeof body === 'string') return body.trim() === '' ? [] : [{ place: [], text: body }];
  if (Array.isArray(body)) return body.flatMap(findingsIn);
  if (!isObject(body)) return [];
  const place = placeOf(body);
  const own = sentenceOf(body);
  if (own !== undefined) return Array.isArray(body.errors) ? findingsIn(body.errors) : [{ place, text: own }];
  const fields = Object.entries(body);
  const areTexts = (all: unknown): all is string[] => Array.isArray(all) && all.every((one) => typeof one === 'string');
  if (!REASONS.some((key) => key in body) && fields.every(([, texts]) => areTexts(texts)))
    return fields.flatMap(([field, texts]) => (texts as string[]).map((text) => ({ place: stepsOf(field), text })));
  const found = new Map(fields.map(([key, value]) => [key, findingsIn(value)]));
  const placed = [...found.values()].flat().filter((one) => one.place.length > 0);
  const reasons = REASONS.map((key) => found.get(key) ?? []).find((findings) => findings.length > 0) ?? [];
  const best = place.length === 0 && placed.length > 0 ? placed : reasons;
  return best.map((one) => ({ place: [...place, ...one.place], text: one.text }));
}

/** The steps of a path such as `series.3.value`, `$.series[3].value`, or `#/series/3/value`. */
const stepsOf = (path: string): string[] =>
  path.split(/[.[\]/]+/).filter((step) => !['', '$', '#', 'non_field_errors', '__all__'].includes(step));

function placeOf({ loc, path, pointer, field, param, name, reason, source }: Json): string[] {
  const list = [loc, path].find((one) => Array.isArray(one)) as unknown[] | undefined;
  if (list) return list.filter((step) => step !== 'body' && step !== 'query').map(plain);
  const ways = [pointer, field, param, reason === undefined ? undefined : name, isObject(source) && source.pointer];
  return stepsOf(ways.find((one) => typeof one === 'string') ?? '');
}

function reasonIn(findings: readonly Finding[], token?: string): string | undefined {
  const lines = findings.flatMap(({ place, text }) => {
    const line = printable(text.slice(0, 10_000).replace(/\s+/g, ' ').trim());
    return line === '' ? [] : [[...(place.length > 0 ? [place.join('.')] : []), line].join(': ')];
  });
  const different = [...new Set(lines)];
  const more = different.length > MOST_FAULTS ? l10n.t('; and {0} more', different.length - MOST_FAULTS) : '';
  // before anything is cut, so that no beginning of the token is left
  const reason = redact(different.slice(0, MOST_FAULTS).join('; ') + more, token);
  return reason === '' ? undefined : reason.length > LONGEST ? `${reason.slice(0, LONGEST - 1)}…` : reason;
}

type Sentence = (name: string, says: string, status: number) => string;
const busy: Sentence = (...of) => l10n.t('{0} is busy.{1} Try again later.', ...of);

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

/** The reason that a framework gives for a path that it does not know: the words of the status, and no more. */
const UNKNOWN_PATH =
  /^((404:? )?(not found|method not allowed|gone)\.?$|cannot (get|post|delete) \/|no static resource |route (get|post|delete):)/i;

export function errorOfAnswer(
  refusal: Readonly<{ status: number; body: unknown; name: string; token?: string; isPage?: boolean; after?: number }>,
): ServiceError {
  const { status, body, name, token, isPage = false, after } = refusal;
  const findings = isPage ? [] : findingsIn(body);
  const reason = reasonIn(findings, token);
  const says = reason ? l10n.t(' It says: “{0}”{1}', reason, /[.!?…]$/.test(reason) ? '' : '.') : '';
  const faults = findings.filter(({ place }) => place.length > 0).map(({ place }) => ({ place }));
  const outcomeUnknown = status >= 500 && status !== 503;
  const error = (kind: ServiceErrorKind, message: string) =>
    new ServiceError(kind, message, { status, outcomeUnknown, faults, reason, after });
  if (status in BY_STATUS) return error(BY_STATUS[status][0], BY_STATUS[status][1](name, says, status));
  if ([404, 405, 410].includes(status)) {
    const isResource = !isPage && status !== 405 && reason !== undefined && !UNKNOWN_PATH.test(reason);
    if (isResource) return error('not-found', l10n.t('{0} does not have what was requested.{1}', name, says));
    const answers = isPage ? l10n.t(' It returned a web page.') : '';
    return error('not-offered', l10n.t('{0} does not have what was requested.{1} Check the base URL.', name, answers));
  }
  if (status >= 500) return error('failed', l10n.t('{0} failed ({1}).{2} Try again later.', name, status, says));
  return error('refused', l10n.t('{0} refused the request.{1}', name, says || l10n.t(' The answer was {0}.', status)));
}

function chain(error: unknown): Error[] {
  const errors: Error[] = [];
  for (let at = error; at instanceof Error && errors.length < 8; at = at.cause) {
    errors.push(at);
    if (at instanceof AggregateError) errors.push(...at.errors.flatMap(chain));
  }
  return errors;
}

const codeOf = (error: Error): string | undefined =>
  'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** The codes (or names) along the causes of an error, without its texts, which may hold a secret. */
export const causes = (error: unknown): string =>
  chain(error)
    .map((one) => codeOf(one) ?? one.name)
    .join(' ');

const NOT_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** Why a certificate is refused, by the code of Node for it (`node:tls`, OpenSSL’s `X509_V_ERR_…`). */
function distrust(code: string, { host, hostname }: URL): string | undefined {
  const of = [host, code, hostname] as const;
  if (/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/.test(code))
    return l10n.t('The certificate of {0} is not for {2} ({1}), so nothing was sent. Check the base URL.', ...of);
  if (/^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/.test(code))
    return l10n.t(
      'The certificate of {0} is not valid today ({1}), so nothing was sent. Ask its operator to renew it, and check the clock of this machine.',
      ...of,
    );
  if (/SELF_SIGNED_CERT|ISSUER_CERT|LEAF_SIGNATURE|^CERT_UNTRUSTED$/.test(code))
    return l10n.t(
      'This machine does not trust the certificate of {0} ({1}), so nothing was sent. If a certificate authority of your organization signed it, name its file in the setting forecasts.caFiles.',
      ...of,
    );
  return /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|EPROTO$)/.test(code)
    ? l10n.t('Could not make a secure connection to {0} ({1}), so nothing was sent. Check the base URL.', ...of)
    : undefined;
}

export function errorOfConnection(
  thrown: unknown,
  { name, baseUrl, isReading, isLate }: Readonly<{ name: string; baseUrl: URL; isReading: boolean; isLate: boolean }>,
): ServiceError {
  const errors = chain(thrown);
  const own = errors.find((error) => error instanceof ServiceError);
  if (own) return own;
  const local = errors.find((error): error is Error & { failure: Failure } => 'failure' in error)?.failure;
  if (local) return new ServiceError(local.code === 'store_damaged' ? 'damaged' : 'unavailable', messageOf(local));
  const { host } = baseUrl;
  const cause = causes(thrown);
  const codes = errors.flatMap((error) => codeOf(error) ?? []);
  const [distrusted] = codes.flatMap((code) => distrust(code, baseUrl) ?? []);
  if (distrusted !== undefined) return new ServiceError('untrusted', distrusted, { cause });
  // only an address that `fetch` itself refuses (such as port 9) fails without a code
  const isUnsent = codes.length === 0 ? errors.at(-1)?.name === 'Error' : codes.some((code) => NOT_SENT.test(code));
  if (isLate || !isUnsent) return lost(name, isLate, { cause, outcomeUnknown: !isReading });
  const sentence =
    name === host
      ? l10n.t('Nothing answers at {0}. Check the base URL and your connection.', host)
      : l10n.t('{0} cannot be reached: nothing answers at {1}. Check the base URL and your connection.', name, host);
  return new ServiceError('unreachable', sentence, { cause, isUnsent });
}

export function lost(name: string, isLate: boolean, facts: Facts = {}): ServiceError {
  const unknown = facts.outcomeUnknown ? mayBeDone() : '';
  return isLate
    ? new ServiceError('timeout', l10n.t('{0} did not answer in time.{1}', name, unknown), facts)
    : new ServiceError('unreachable', l10n.t('The connection to {0} was lost.{1}', name, unknown), facts);
}

export const notOffered = (): ServiceError => new ServiceError('refused', l10n.t('This service does not offer that.'));
