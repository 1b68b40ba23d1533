import * as l10n from '@vscode/l10n';
import { ServiceError } from './errors.ts';
import { inWords } from './in-words.ts';

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

/** The codes (or names) along an error’s causes: ofetch's own errors carry the request's headers, and so the token. */
export const causes = (error: unknown): string =>
  chain(error)
    .map((one) => codeOf(one) ?? one.name)
    .join(' ');

/** A failure that was told by a `fetch` of ours. */
export const toldIn = (error: unknown): ServiceError | undefined =>
  chain(error).find((cause) => cause instanceof ServiceError);

/** Failures of the connection before anything was sent. */
const NOT_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/**
 * What a certificate is refused for, by the code that Node has for it (`node:tls`, OpenSSL’s `X509_V_ERR_…`), and what is
 * said of it.
 */
const TLS_FAULTS: readonly (readonly [RegExp, (host: string, code: string, hostname: string) => string])[] = [
  [
    /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    (host, code, name) =>
      l10n.t('The certificate of {0} is not for {1} ({2}), so nothing was sent. Check the base URL.', host, name, code),
  ],
  [
    /^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/,
    (...of) =>
      l10n.t(
        'The certificate of {0} is not valid today ({1}), so nothing was sent. Ask its operator to renew it, and check the clock of this machine.',
        ...of,
      ),
  ],
  [
    /SELF_SIGNED_CERT|ISSUER_CERT|LEAF_SIGNATURE|^CERT_UNTRUSTED$/,
    (...of) =>
      l10n.t(
        'This machine does not trust the certificate of {0} ({1}), so nothing was sent. If a certificate authority of your organization signed it, name its file in the setting forecasts.caFiles.',
        ...of,
      ),
  ],
  [
    /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|EPROTO$)/,
    (...of) =>
      l10n.t('Could not make a secure connection to {0} ({1}), so nothing was sent. Check the base URL.', ...of),
  ],
];

/** Why no secure connection was made, before anything was sent; `undefined` for any other failure. */
function untrusted(codes: readonly string[], { host, hostname }: URL): string | undefined {
  for (const code of codes) {
    const fault = TLS_FAULTS.find(([pattern]) => pattern.test(code));
    if (fault) return fault[1](host, code, hostname);
  }
  return undefined;
}

/** What is known of a request that nobody answered. */
interface Unanswered {
  /** What errors call the service. */
  readonly name: string;
  readonly baseUrl: URL;
  readonly isReading: boolean;
  readonly isLate: boolean;
}

export function errorOfConnection(thrown: unknown, { name, baseUrl, isReading, isLate }: Unanswered): ServiceError {
  const errors = chain(thrown);
  const unavailable = errors.find((error) => error.name === 'ServiceUnavailableError');
  if (unavailable) {
    const isDamaged = 'isDamaged' in unavailable && unavailable.isDamaged === true;
    const sentence = inWords('failure' in unavailable && unavailable.failure) ?? unavailable.message;
    return new ServiceError(isDamaged ? 'damaged' : 'unavailable', sentence);
  }
  const cause = causes(thrown);
  const codes = errors.flatMap((error) => codeOf(error) ?? []);
  const distrust = untrusted(codes, baseUrl);
  if (distrust !== undefined) return new ServiceError('untrusted', distrust, { cause });
  // an address that `fetch` itself does not go to (such as port 9) is the one kind of failure that no code stands behind
  const isUnsent = codes.length === 0 ? errors.at(-1)?.name === 'Error' : codes.some((code) => NOT_SENT.test(code));
  if (!isLate && isUnsent) {
    const { host } = baseUrl;
    const sentence =
      name === host
        ? l10n.t('Nothing answers at {0}. Check the base URL and your connection.', host)
        : l10n.t('{0} cannot be reached: nothing answers at {1}. Check the base URL and your connection.', name, host);
    return new ServiceError('unreachable', sentence, { cause, isUnsent });
  }
  const unknown = isReading ? '' : l10n.t(' The request may have succeeded; refresh before you try again.');
  const facts = { cause, outcomeUnknown: !isReading };
  return isLate
    ? new ServiceError('timeout', l10n.t('{0} did not answer in time.{1}', name, unknown), facts)
    : new ServiceError('unreachable', l10n.t('The connection to {0} was lost.{1}', name, unknown), facts);
}
