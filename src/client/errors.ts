export type ServiceErrorKind =
  /** The token is missing, wrong or no longer valid. */
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  /** The service refused what was asked. */
  | 'refused'
  | 'busy'
  /** The service failed by itself. */
  | 'failed'
  | 'unreachable'
  | 'timeout'
  /** What answers at the address does not speak the interface. */
  | 'not-a-service'
  | 'too-large'
  | 'redirected'
  /** The local service cannot be opened. */
  | 'unavailable';

interface ServiceErrorInit {
  readonly status?: number | undefined;
  readonly cause?: unknown;
  /** Whether the request may have been carried out all the same. */
  readonly outcomeUnknown?: boolean;
}

/** Every failure of a call to a service. `message` is a sentence for people and holds no secret. */
export class ServiceError extends Error {
  readonly kind: ServiceErrorKind;
  readonly status: number | undefined;
  readonly outcomeUnknown: boolean;

  constructor(
    kind: ServiceErrorKind,
    message: string,
    { status, cause, outcomeUnknown = false }: ServiceErrorInit = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ServiceError';
    this.kind = kind;
    this.status = status;
    this.outcomeUnknown = outcomeUnknown;
  }
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What an error body says, in any of the usual shapes: FastAPI, problem+json, `{error: {message}}`, `{message}`, text. */
export function reasonOf(body: unknown): string | undefined {
  if (typeof body === 'string') return clean(body);
  if (Array.isArray(body)) {
    const parts = body.slice(0, 5).map(faultOf).filter(Boolean);
    return parts.length > 0 ? clean(parts.join('; ')) : undefined;
  }
  if (!isObject(body)) return undefined;
  for (const key of ['detail', 'error', 'message', 'errors', 'error_description', 'reason', 'title']) {
    const reason = reasonOf(body[key]);
    if (reason) return reason;
  }
  return undefined;
}

/** One entry of FastAPI's `detail` list, with the place of the fault. */
function faultOf(fault: unknown): string | undefined {
  if (!isObject(fault)) return reasonOf(fault);
  const message = reasonOf(fault.msg) ?? reasonOf(fault);
  const place = Array.isArray(fault.loc)
    ? fault.loc.filter((part) => part !== 'body' && part !== 'query').join('.')
    : '';
  return message && place ? `${place}: ${message}` : message;
}

function clean(text: string): string | undefined {
  const line = text.replace(/\s+/g, ' ').trim();
  return line === '' ? undefined : line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

/** The error that an answer outside 2xx stands for. @param host the service's name for the sentence */
export function errorOfAnswer(status: number, body: unknown, host: string, token?: string): ServiceError {
  const told = reasonOf(body);
  // a token of a few letters would stand in many a word
  const reason = token && token.length > 3 && told ? told.replaceAll(token, '…') : told;
  const says = reason ? ` It says: “${reason}”` : '';
  const error = (kind: ServiceErrorKind, message: string, outcomeUnknown = false) =>
    new ServiceError(kind, message, { status, outcomeUnknown });
  if (status === 401)
    return error('unauthorized', `${host} does not accept the token.${says} Set a valid token and try again.`);
  if (status === 403) return error('forbidden', `The token is not allowed to do this at ${host}.${says}`);
  if (status === 404 || status === 405) {
    return error('not-found', `${host} does not have what was asked for.${says} If this is new, check the base URL.`);
  }
  if (status === 408 || status === 429 || status === 503) {
    return error('busy', `${host} is busy.${says} Try again in a while.`);
  }
  if (status === 413) return error('refused', `${host} finds the request too large.${says} Send a shorter series.`);
  if (status >= 500) return error('failed', `${host} failed (${status}).${says} Try again later.`, true);
  return error(
    'refused',
    `${host} refused the request.${reason ? ` It says: “${reason}”` : ` It answered ${status}.`}`,
  );
}
